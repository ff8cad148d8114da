package org.diperf.analyzer.figure;

import java.util.List;

/** One kind of figure of a run. */
interface RunFigure {

    /** Adds what the run carries of it: nothing, one figure, or one for each of several things. */
    void addTo(List<Figure> figures);
}
