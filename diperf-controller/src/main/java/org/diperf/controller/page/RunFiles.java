package org.diperf.controller.page;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.regex.Pattern;
import org.diperf.core.folder.PlainFile;

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
        return get(folder, "", name);
    }

    /**
     * Returns a file of a run, or of one of a grid.
     *
     * @param run folder of it within that of the grid, with a slash at its end; empty: the folder itself
     */
    static PageResponse get(Path folder, String run, String name) {
        if (!FIGURE.matcher(name).matches() && !TABLE.matcher(name).matches()) {
            return PageResponse.plain(404, "There is no such file.");
        }
        Path file = folder.resolve(run + name);
        return isWithin(folder, file)
                ? PageResponse.stored(
                        TYPES.getOrDefault(name.substring(name.lastIndexOf('.') + 1), "application/octet-stream"), file)
                : PageResponse.plain(404, "There is no such file.");
    }

    /** A link would show what its maker may not read, and this process may. */
    private static boolean isWithin(Path folder, Path file) {
        try {
            return PlainFile.is(file) && file.toRealPath().startsWith(folder.toRealPath());
        } catch (IOException gone) {
            return false;
        }
    }
}
