package org.diperf.analyzer.report;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.diperf.analyzer.result.Analysis;
import org.diperf.analyzer.result.ShownAnnex;
import org.diperf.analyzer.text.AnnexText;
import org.diperf.analyzer.text.RunText;
import org.diperf.core.annex.Svg;
import org.diperf.core.spi.Annex;

/** What an annex says: drawing, facts and tables. Nothing of it comes into the page but through {@link Html}'s escaping. */
final class AnnexSection {

    private static final double MUCH = 70;
    private static final double FULL = 95;
    private static final double THIN = 1.5;
    private static final double THICK = 3.5;
    /** Of a report that may take {@link Report#TEXT_BYTES} for all its texts. */
    private static final int MAX_ROWS = 2 * Tables.MAX_ROWS;

    private final Html html;
    private final ShownAnnex annex;

    private AnnexSection(Html html, ShownAnnex annex) {
        this.html = html;
        this.annex = annex;
    }

    /** Returns what leads to the section of an annex. */
    static String link(ShownAnnex annex) {
        return "#" + id(annex);
    }

    private static String id(ShownAnnex annex) {
        return "annex-" + annex.annex().name();
    }

    static void write(Analysis analysis, Html html) {
        int rows = MAX_ROWS;
        for (ShownAnnex annex : analysis.annexes()) {
            html.element("h2", RunText.clean(annex.annex().title()), "id", id(annex));
            AnnexSection section = new AnnexSection(html, annex);
            html.definitions(AnnexText.facts(annex));
            if (!annex.annex().drawing().isEmpty()) {
                section.draw();
            }
            for (Annex.Table table : annex.annex().tables()) {
                int shown =
                        Math.min(Math.min(rows, Tables.MAX_ROWS), table.rows().size());
                section.table(table, shown);
                rows -= shown;
            }
        }
    }

    private void table(Annex.Table table, int shown) {
        List<List<String>> rows = AnnexText.rows(annex, table);
        int texts = 0;
        while (texts < table.columns().size()
                && table.columns().get(texts).unit().isEmpty()) {
            texts++;
        }
        html.table(
                RunText.clean(table.title()),
                texts,
                table.columns().stream()
                        .map(column -> RunText.clean(column.heading()))
                        .toList(),
                rows.subList(0, shown));
        if (shown < rows.size()) {
            html.element(
                    "p",
                    "and " + (rows.size() - shown) + " more rows, in annex-"
                            + annex.annex().name() + "-" + table.name() + ".csv",
                    "class",
                    "note");
        }
    }

    private void draw() {
        String title = "Drawing: " + RunText.clean(annex.annex().title());
        html.open("div", "class", "scroll drawing", "role", "region", "tabindex", "0", "aria-label", title);
        try {
            Svg.read(annex.annex().drawing(), new Svg.Sink() {
                @Override
                public void open(String element, Map<String, String> attributes) {
                    html.open(element, attributes(element, title, attributes));
                    if (element.equals("svg")) {
                        html.element("title", title);
                    }
                }

                @Override
                public void text(String text) {
                    html.text(AnnexText.filled(annex, text));
                }

                @Override
                public void close(String element) {
                    html.close(element);
                }
            });
        } catch (IOException e) {
            // What is open of it is closed by the end of the page's own element.
            html.close("svg").element("p", "The rest of the drawing is unreadable.", "class", "note");
        }
        html.close("div");
        if (annex.annex().drawing().contains("data-load")) {
            html.element(
                    "p",
                    "The thicker a line, the more it is used; long dashes mean 70 % or more, short dashes 95 % or "
                            + "more.",
                    "class",
                    "note");
        }
    }

    private String[] attributes(String element, String title, Map<String, String> given) {
        List<String> all = new ArrayList<>();
        if (element.equals("svg")) {
            all.addAll(List.of("role", "img", "aria-label", title));
        }
        given.forEach((name, value) -> {
            if (name.equals("data-load")) {
                all.addAll(load(value));
            } else {
                all.addAll(List.of(name, value));
            }
        });
        return all.toArray(String[]::new);
    }

    /** Says how a line is drawn, by the largest of the named percentages that are known. */
    private List<String> load(String names) {
        double largest = Arrays.stream(names.split(" "))
                .map(annex.numbers()::get)
                .mapToDouble(number -> number == null ? 0 : number.value())
                .max()
                .orElse(0);
        return List.of(
                "class",
                largest >= FULL ? "full" : largest >= MUCH ? "much" : "link",
                "stroke-width",
                String.valueOf(THIN + THICK * Math.min(100, largest) / 100));
    }
}
