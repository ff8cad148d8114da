package org.diperf.analyzer.report;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import org.diperf.analyzer.figure.Figures.Drawn;

/** Puts figures into the page as data addresses: as SVG where that is small, else as PNG, as long as there is room. */
final class Images {

    private static final int LARGEST_SVG = 350_000;

    private long roomBytes;

    /**
     * @param roomBytes what all images together may take in the page
     */
    Images(long roomBytes) {
        this.roomBytes = roomBytes;
    }

    /** Writes a figure with its sentence and links to its files. */
    void figure(Html html, Drawn figure) {
        html.open("figure", "id", "figure-" + figure.name());
        // On a phone the picture keeps a size that can be read, and is moved sideways.
        html.open("div", "class", "scroll", "role", "region", "tabindex", "0", "aria-label", figure.title());
        picture(html, figure);
        html.close("div");
        html.open("figcaption").text(figure.howToRead() + " ");
        links(html, figure);
        html.close("figcaption", "figure");
    }

    /** Writes the picture alone. */
    void picture(Html html, Drawn figure) {
        String data = data(figure);
        if (data.isEmpty()) {
            html.element("p", "Omitted to keep this file small; see the separate file: ", "class", "note");
        } else {
            html.raw("<img src=\"").raw(data).raw("\" width=\"" + figure.width() + "\" height=\"" + figure.height());
            html.raw("\" alt=\"")
                    .text(figure.title() + ". " + figure.howToRead())
                    .raw("\">\n");
        }
    }

    /** Writes links to its files. */
    void links(Html html, Drawn figure) {
        for (String type : List.of("png", "svg")) {
            html.element("a", type.toUpperCase(java.util.Locale.ROOT), "href", "figures/" + figure.name() + "." + type);
            html.text(" ");
        }
    }

    private String data(Drawn figure) {
        byte[] svg = figure.svg().getBytes(StandardCharsets.UTF_8);
        String type = svg.length <= LARGEST_SVG ? "image/svg+xml" : "image/png";
        byte[] bytes = svg.length <= LARGEST_SVG ? svg : figure.png();
        long size = 4L * ((bytes.length + 2) / 3);
        if (size > roomBytes) {
            return "";
        }
        roomBytes -= size;
        return "data:" + type + ";base64," + Base64.getEncoder().encodeToString(bytes);
    }
}
