package org.diperf.controller.experiment;

import java.util.List;
import java.util.Map;
import org.diperf.controller.grid.Grid;
import org.diperf.controller.grid.PlannedRun;
import org.diperf.controller.grid.Point;
import org.diperf.core.plugin.Plugins;

/**
 * What a file with a sweep, variants or trials asks for; every point has been checked.
 *
 * @param grid which points there are
 * @param name of the experiment
 * @param labels of the experiment
 * @param seed from which the order follows
 * @param yaml what repeats the whole grid
 * @param points of the grid
 * @param resolved the experiment of the first trial of each point
 */
public record ExperimentGrid(
        Grid grid,
        String name,
        Map<String, String> labels,
        long seed,
        String yaml,
        List<Point> points,
        List<ExperimentFile.Resolved> resolved) {

    public ExperimentGrid {
        points = List.copyOf(points);
        resolved = List.copyOf(resolved);
    }

    /** Lists the runs in their order. */
    public List<PlannedRun> runs() {
        return grid.runs(points, seed);
    }

    /** Returns the experiment of a run; a later trial differs from the first by its seed. */
    public ExperimentFile.Resolved of(PlannedRun run, Plugins plugins) throws ExperimentException {
        ExperimentFile.Resolved first = resolved.get(run.point().index());
        if (run.trial() == 1) {
            return first;
        }
        long trialSeed = Grid.seed(first.experiment().seed(), run.trial());
        return ExperimentFile.parse(first.yaml(), name, List.of("seed=" + trialSeed), plugins);
    }
}
