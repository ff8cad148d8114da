package org.diperf.analyzer.figure;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.diperf.analyzer.grid.GridAnalysis;

/** All figures of a grid. */
public final class GridFigures {

    private GridFigures() {}

    /**
     * Draws them into a folder, as {@code NAME.png} and {@code NAME.svg}; without fonts the result says why some are missing.
     *
     * @param folder made if need be
     */
    public static Figures.Result write(GridAnalysis analysis, Path folder) throws IOException {
        return Figures.write(() -> all(analysis), folder);
    }

    static List<Figure> all(GridAnalysis analysis) {
        return new ArrayList<>();
    }
}
