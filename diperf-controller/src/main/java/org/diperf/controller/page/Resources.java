package org.diperf.controller.page;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import org.diperf.analyzer.report.PageParts;

/** The files that pages are made of, all from the jar; nothing is loaded from elsewhere. */
final class Resources {

    private static final String HTML = "text/html; charset=utf-8";
    private static final String SCRIPT = "text/javascript; charset=utf-8";
    private static final String STYLES = "text/css; charset=utf-8";

    private final Map<String, PageResponse> answers = new LinkedHashMap<>();

    /** @param page its name, such as {@code live}: of the files that differ */
    Resources(String page) {
        answers.put("/", PageResponse.of(HTML, text(page + ".html")));
        answers.put("/" + page + ".js", PageResponse.of(SCRIPT, text(page + ".js")));
        answers.put("/theme.js", PageResponse.of(SCRIPT, text("theme.js")));
        answers.put("/page.css", PageResponse.of(STYLES, PageParts.styles() + text("page.css")));
        answers.put("/plot.js", PageResponse.of(SCRIPT, PageParts.chartLibrary()));
        answers.put("/chart.js", PageResponse.of(SCRIPT, PageParts.chart()));
    }

    PageResponse get(String path) {
        return answers.getOrDefault(path, PageResponse.plain(404, "There is no such page."));
    }

    private static String text(String name) {
        try (InputStream in = Resources.class.getResourceAsStream(name)) {
            if (in == null) {
                throw new IllegalStateException("The jar lacks " + name + ": rebuild it");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException("Reading " + name + " from the jar failed", e);
        }
    }
}
