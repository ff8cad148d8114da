package org.diperf.controller.experiment;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.diperf.controller.grid.Axis;
import org.diperf.controller.grid.Point;
import org.diperf.core.run.GridRecord;

/** Collects what is wrong with the points of a grid: what is wrong with several is said once. Confined to one thread. */
final class PointProblems {

    private final int points;
    private final Map<String, Integer> counts = new LinkedHashMap<>();
    private final Map<String, String> firsts = new LinkedHashMap<>();

    PointProblems(int points) {
        this.points = points;
    }

    void add(Point point, List<Axis> axes, List<String> problems) {
        List<String> settings = new ArrayList<>();
        for (Axis axis : axes) {
            settings.add(axis.name() + "=" + point.set().get(axis.path()));
        }
        Object variant = point.set().get(GridRecord.VARIANT);
        if (variant != null) {
            settings.add("variant " + variant);
        }
        for (String problem : problems) {
            counts.merge(problem, 1, Integer::sum);
            firsts.putIfAbsent(problem, String.join(", ", settings));
        }
    }

    /** Ends the reading if anything is wrong. */
    void check() throws ExperimentException {
        if (counts.isEmpty()) {
            return;
        }
        List<String> lines = new ArrayList<>();
        counts.forEach((problem, count) -> {
            if (lines.size() < Problems.MOST) {
                boolean some = count < points;
                lines.add(some ? problem + " (where " + firsts.get(problem) + ")" : problem);
            }
        });
        if (counts.size() > Problems.MOST) {
            lines.add((counts.size() - Problems.MOST) + " more problems are not shown");
        }
        throw new ExperimentException(lines);
    }
}
