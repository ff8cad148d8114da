package org.diperf.analyzer.report;

import java.util.List;

/**
 * Builds HTML. Text and attribute values are escaped on the way in; only {@link #raw} is not, and it takes nothing but
 * literals of this package and base64. Owned by one thread.
 */
final class Html {

    private final StringBuilder out = new StringBuilder(1 << 16);

    /** Opens an element; attributes are name, value, name, value. */
    Html open(String element, String... attributes) {
        out.append('<').append(element);
        for (int i = 0; i < attributes.length; i += 2) {
            out.append(' ').append(attributes[i]).append("=\"");
            escape(attributes[i + 1]);
            out.append('"');
        }
        out.append('>');
        return this;
    }

    Html close(String... elements) {
        for (String element : elements) {
            out.append("</").append(element).append('>');
        }
        out.append('\n');
        return this;
    }

    Html text(String text) {
        escape(text);
        return this;
    }

    /** Writes an element that holds text alone. */
    Html element(String element, String text, String... attributes) {
        open(element, attributes).text(text);
        out.append("</").append(element).append('>');
        return this;
    }

    Html raw(String html) {
        out.append(html);
        return this;
    }

    /** Writes a list of lines. */
    Html list(List<String> lines, String... attributes) {
        open("ul", attributes);
        lines.forEach(line -> element("li", line));
        return close("ul");
    }

    /** Writes names and values. */
    Html definitions(List<List<String>> rows) {
        open("dl");
        for (List<String> row : rows) {
            element("dt", row.get(0));
            element("dd", row.get(1));
        }
        return close("dl");
    }

    /**
     * Writes a table that scrolls by itself where the window is too narrow for it.
     *
     * @param textColumns so many columns from the left hold text, the others numbers
     */
    Html table(String caption, int textColumns, List<String> head, List<List<String>> rows) {
        open("div", "class", "scroll", "role", "region", "tabindex", "0", "aria-label", caption);
        open("table").element("caption", caption);
        open("thead").open("tr");
        for (int i = 0; i < head.size(); i++) {
            element("th", head.get(i), "scope", "col", "class", i < textColumns ? "t" : "n");
        }
        close("tr", "thead").open("tbody");
        for (List<String> row : rows) {
            open("tr");
            for (int i = 0; i < row.size(); i++) {
                if (i == 0) {
                    element("th", row.get(i), "scope", "row", "class", textColumns > 0 ? "t" : "n");
                } else {
                    element("td", row.get(i), "class", i < textColumns ? "t" : "n");
                }
            }
            close("tr");
        }
        return close("tbody", "table", "div");
    }

    private void escape(String text) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            switch (c) {
                case '&' -> out.append("&amp;");
                case '<' -> out.append("&lt;");
                case '>' -> out.append("&gt;");
                case '"' -> out.append("&quot;");
                case '\'' -> out.append("&#39;");
                default -> out.append(c);
            }
        }
    }

    int length() {
        return out.length();
    }

    @Override
    public String toString() {
        return out.toString();
    }
}
