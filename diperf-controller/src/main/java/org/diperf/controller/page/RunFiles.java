package org.diperf.controller.page;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.regex.Pattern;

/** The files of a run's folder that may be shown: the report, its figures, and its numbers. */
final class RunFiles {

    private static final Pattern FIGURE = Pattern.compile("figures/[A-Za-z0-9][A-Za-z0-9._-]*\\.(png|svg)");
    private static final Pattern TABLE = Pattern.compile(
            "((report|compare)\\.html|(summary|run|comparison)\\.json|[a-z]+\\.csv|experiment\\.yml|run\\.log)");
    private static final Map<String, String> TYPES = Map.of(
            "html", "text/html; charset=utf-8",
            "json", "application/json",
            "csv", "text/csv; charset=utf-8",
            "yml", "text/plain; charset=utf-8",
            "log", "text/plain; charset=utf-8",
            "png", "image/png",
            "svg", "image/svg+xml");

    private RunFiles() {}

    /** @param name within the folder, with slashes */
    static PageResponse get(Path folder, String name) {
        if (!FIGURE.matcher(name).matches() && !TABLE.matcher(name).matches()) {
            return PageResponse.plain(404, "There is no such file.");
        }
        Path file = folder.resolve(name);
        return Files.isRegularFile(file)
                ? PageResponse.stored(
                        TYPES.getOrDefault(name.substring(name.lastIndexOf('.') + 1), "application/octet-stream"), file)
                : PageResponse.plain(404, "There is no such file.");
    }
}
