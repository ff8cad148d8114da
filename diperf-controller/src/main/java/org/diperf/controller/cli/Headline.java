package org.diperf.controller.cli;

import java.time.Duration;
import java.util.Locale;
import org.diperf.core.experiment.Experiment;
import org.diperf.core.plan.ClosedLoad;
import org.diperf.core.plan.OpenLoad;
import org.diperf.core.spi.Quantity;

/** Says in one line what an experiment is. */
final class Headline {

    private Headline() {}

    /** Gives the line: name, target, load, testers, seed. */
    static String of(Experiment experiment) {
        int targets = experiment.targets().each().size();
        int testers = experiment.testbed().testers();
        return experiment.name() + " · " + experiment.targets().each().get(0)
                + (targets > 1 ? " and " + (targets - 1) + " more" : "") + " · " + load(experiment) + " · " + testers
                + (testers == 1 ? " tester" : " testers") + " · seed " + experiment.seed();
    }

    /** Describes the load: model, strength, ramp, length. */
    static String load(Experiment experiment) {
        if (experiment.load() instanceof ClosedLoad closed) {
            return "closed, " + closed.clients() + (closed.clients() == 1 ? " client" : " clients")
                    + (closed.startEveryNanos() == 0 ? "" : ", one every " + format(closed.startEveryNanos()))
                    + ", each for "
                    + format(closed.runForNanos());
        }
        OpenLoad open = (OpenLoad) experiment.load();
        return "open " + Quantity.formatRate(open.perSecond()) + " "
                + open.arrivals().name().toLowerCase(Locale.ROOT)
                + (open.rampNanos() == 0 ? "" : ", ramp " + format(open.rampNanos())) + ", for "
                + format(open.forNanos());
    }

    private static String format(long nanos) {
        return Quantity.format(Duration.ofNanos(nanos));
    }
}
