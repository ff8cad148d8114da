package org.diperf.core.annex;

import java.io.IOException;
import java.io.StringReader;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;

/**
 * Reads a drawing of unknown origin: shapes and texts alone. Scripts, styles, links, references of any kind, and elements and
 * attributes that are not known are left out, with what is in them. Stateless.
 */
public final class Svg {

    private static final Set<String> ELEMENTS = Set.of(
            "svg", "g", "title", "desc", "text", "rect", "line", "path", "polyline", "polygon", "circle", "ellipse");

    /** All of them can be in HTML without a namespace. */
    private static final Set<String> ATTRIBUTES = Set.of(
            "x",
            "y",
            "x1",
            "y1",
            "x2",
            "y2",
            "cx",
            "cy",
            "r",
            "rx",
            "ry",
            "dx",
            "dy",
            "d",
            "points",
            "width",
            "height",
            "viewBox",
            "transform",
            "class",
            "fill",
            "stroke",
            "stroke-width",
            "stroke-dasharray",
            "opacity",
            "text-anchor",
            "font-size",
            "font-weight",
            "data-load");

    private static final Set<String> CLASSES = Set.of("name", "small");
    private static final Pattern VALUE = Pattern.compile("[-A-Za-z0-9 .,#%()+]{0,4000}");
    private static final int MAX_DEPTH = 32;

    private Svg() {}

    /** Takes the drawing, piece by piece. */
    public interface Sink {

        void open(String element, Map<String, String> attributes);

        void text(String text);

        void close(String element);
    }

    /**
     * Reads a drawing.
     *
     * @param svg one element {@code svg}
     * @return how many elements and attributes were left out
     * @throws IOException if it is none; what was read before has been given
     */
    public static int read(String svg, Sink sink) throws IOException {
        XMLInputFactory factory = XMLInputFactory.newDefaultFactory();
        factory.setProperty(XMLInputFactory.SUPPORT_DTD, false);
        factory.setProperty(XMLInputFactory.IS_SUPPORTING_EXTERNAL_ENTITIES, false);
        try {
            return read(factory.createXMLStreamReader(new StringReader(svg)), sink);
        } catch (XMLStreamException e) {
            throw new IOException("expected an SVG drawing, got something else: " + e.getMessage(), e);
        }
    }

    private static int read(XMLStreamReader xml, Sink sink) throws XMLStreamException, IOException {
        int leftOut = 0;
        int depth = 0;
        int hidden = 0;
        while (xml.hasNext()) {
            switch (xml.next()) {
                case XMLStreamConstants.START_ELEMENT -> {
                    String name = xml.getLocalName();
                    if (depth == 0 && !name.equals("svg")) {
                        throw new IOException("expected the root element svg, got '" + name + "'");
                    }
                    boolean isTaken = hidden == 0
                            && depth < MAX_DEPTH
                            && ELEMENTS.contains(name)
                            && name.equals("svg") == (depth == 0);
                    depth++;
                    if (isTaken) {
                        Map<String, String> attributes = attributes(xml);
                        leftOut += xml.getAttributeCount() - attributes.size();
                        sink.open(name, attributes);
                    } else {
                        hidden++;
                        leftOut++;
                    }
                }
                case XMLStreamConstants.END_ELEMENT -> {
                    depth--;
                    if (hidden > 0) {
                        hidden--;
                    } else {
                        sink.close(xml.getLocalName());
                    }
                }
                case XMLStreamConstants.CHARACTERS, XMLStreamConstants.CDATA -> {
                    if (hidden == 0) {
                        sink.text(xml.getText());
                    }
                }
                default -> {
                    // Comments, processing instructions and entities show nothing.
                }
            }
        }
        return leftOut;
    }

    private static Map<String, String> attributes(XMLStreamReader xml) {
        Map<String, String> attributes = new LinkedHashMap<>();
        for (int i = 0; i < xml.getAttributeCount(); i++) {
            String name = xml.getAttributeLocalName(i);
            String value = xml.getAttributeValue(i);
            boolean isOwn = xml.getAttributePrefix(i).isEmpty();
            boolean isHarmless = VALUE.matcher(value).matches()
                    && !value.toLowerCase(Locale.ROOT).contains("url")
                    && (!name.equals("class") || CLASSES.contains(value));
            if (isOwn && ATTRIBUTES.contains(name) && isHarmless) {
                attributes.put(name, value);
            }
        }
        return attributes;
    }
}
