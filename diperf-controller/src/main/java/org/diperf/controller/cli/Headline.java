package org.diperf.controller.cli;

import java.util.Locale;
import org.diperf.analyzer.text.Words;
import org.diperf.core.experiment.Experiment;
import org.diperf.core.plan.ClosedLoad;
import org.diperf.core.plan.Lives;
import org.diperf.core.plan.OpenLoad;

/** Says in one line what an experiment is, in the words in which reports say what a run was. */
final class Headline {

    private Headline() {}

    /** Gives the line: name, target, load, testers, seed. */
    static String of(Experiment experiment) {
        return Words.header(
                experiment.name(),
                experiment.targets().each().stream().map(String::valueOf).toList(),
                load(experiment),
                experiment.testbed().testers(),
                experiment.seed());
    }

    private static String load(Experiment experiment) {
        if (experiment.load() instanceof ClosedLoad closed && closed.lives() instanceof Lives.Staggered lives) {
            return Words.closed(closed.clients(), lives.startEveryNanos(), lives.runForNanos());
        }
        OpenLoad open = (OpenLoad) experiment.load();
        return Words.open(
                open.perSecond(), open.arrivals().name().toLowerCase(Locale.ROOT), open.rampNanos(), open.forNanos());
    }
}
