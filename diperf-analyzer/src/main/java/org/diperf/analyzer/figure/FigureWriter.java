package org.diperf.analyzer.figure;

import java.awt.Dimension;
import java.awt.Graphics2D;
import java.awt.RenderingHints;
import java.awt.geom.Rectangle2D;
import java.awt.image.BufferedImage;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.regex.Pattern;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.apache.batik.svggen.SVGGeneratorContext;
import org.apache.batik.svggen.SVGGraphics2D;
import org.apache.batik.svggen.SVGGraphics2DIOException;
import org.w3c.dom.Document;
import org.w3c.dom.Element;

/** Writes figures as files. */
final class FigureWriter {

    static final int WIDTH = 1200;

    private static final int SCALE = 2;
    private static final String SVG = "http://www.w3.org/2000/svg";
    private static final Pattern DOCTYPE = Pattern.compile("<!DOCTYPE[^>]*>\\s*");

    private FigureWriter() {}

    /** Draws a PNG of twice the nominal size, so that it is crisp on dense screens and paper. */
    static byte[] png(Figure figure) {
        BufferedImage image = new BufferedImage(WIDTH * SCALE, figure.height() * SCALE, BufferedImage.TYPE_INT_RGB);
        Graphics2D g2 = image.createGraphics();
        try {
            g2.setRenderingHint(RenderingHints.KEY_ANTIALIASING, RenderingHints.VALUE_ANTIALIAS_ON);
            g2.setRenderingHint(RenderingHints.KEY_TEXT_ANTIALIASING, RenderingHints.VALUE_TEXT_ANTIALIAS_ON);
            g2.scale(SCALE, SCALE);
            figure.chart().draw(g2, new Rectangle2D.Double(0, 0, WIDTH, figure.height()));
        } finally {
            g2.dispose();
        }
        return PngFile.of(image);
    }

    /** Draws an SVG that stands alone: no document type, which readers would fetch, and fonts with fall-backs. */
    static String svg(Figure figure) {
        Document document = document();
        SVGGeneratorContext context = SVGGeneratorContext.createDefault(document);
        context.setComment(null);
        context.setPrecision(2);
        SVGGraphics2D g2 = new SVGGraphics2D(context, false);
        g2.setSVGCanvasSize(new Dimension(WIDTH, figure.height()));
        figure.chart().draw(g2, new Rectangle2D.Double(0, 0, WIDTH, figure.height()));
        Element root = g2.getRoot();
        root.setAttributeNS(null, "viewBox", "0 0 " + WIDTH + " " + figure.height());
        root.setAttributeNS(null, "role", "img");
        Element title = document.createElementNS(SVG, "title");
        title.setTextContent(figure.title());
        root.insertBefore(title, root.getFirstChild());
        StringWriter writer = new StringWriter(1 << 16);
        try {
            g2.stream(root, writer, true, false);
        } catch (SVGGraphics2DIOException impossible) {
            throw new UncheckedIOException("Could not write an image to memory", impossible);
        }
        return DOCTYPE.matcher(writer.toString())
                .replaceFirst("")
                .replace(
                        "font-family:&apos;DejaVu Sans&apos;", "font-family:&apos;DejaVu Sans&apos;,Verdana,sans-serif")
                .replace("font-family:'DejaVu Sans'", "font-family:'DejaVu Sans',Verdana,sans-serif");
    }

    private static Document document() {
        try {
            return DocumentBuilderFactory.newDefaultNSInstance()
                    .newDocumentBuilder()
                    .getDOMImplementation()
                    .createDocument(SVG, "svg", null);
        } catch (ParserConfigurationException impossible) {
            throw new IllegalStateException("The JDK cannot create XML documents", impossible);
        }
    }
}
