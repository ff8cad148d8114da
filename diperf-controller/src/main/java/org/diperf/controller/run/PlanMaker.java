package org.diperf.controller.run;

import java.time.Duration;
import java.util.List;
import java.util.Locale;
import org.diperf.core.experiment.Experiment;
import org.diperf.core.experiment.Measure;
import org.diperf.core.plan.ClosedLoad;
import org.diperf.core.plan.Lives;
import org.diperf.core.plan.Load;
import org.diperf.core.plan.OpenLoad;
import org.diperf.core.plan.Plan;
import org.diperf.core.plan.Stage;
import org.diperf.core.plan.Think;
import org.diperf.core.run.RunRecord.MeasureRecord;
import org.diperf.core.run.RunRecord.StageRecord;
import org.diperf.core.spi.Quantity;

/** Turns an experiment into the plan that testers follow, and into the words of {@code run.json}. */
final class PlanMaker {

    private PlanMaker() {}

    static Plan plan(Experiment experiment) {
        return new Plan(
                experiment.seed(),
                experiment.testbed().testers(),
                experiment.targets(),
                List.of(new Stage(0, experiment.load(), 0)));
    }

    static StageRecord record(Stage stage) {
        Load load = stage.load();
        if (load instanceof ClosedLoad closed && closed.lives() instanceof Lives.Staggered lives) {
            return new StageRecord(
                    stage.number(),
                    closed.model(),
                    stage.startNanos(),
                    stage.endNanos(),
                    closed.clients(),
                    lives.startEveryNanos(),
                    lives.runForNanos(),
                    describe(closed.think()),
                    null,
                    null,
                    null,
                    null,
                    closed.timeoutNanos());
        }
        OpenLoad open = (OpenLoad) load;
        return new StageRecord(
                stage.number(),
                open.model(),
                stage.startNanos(),
                stage.endNanos(),
                null,
                null,
                null,
                null,
                open.perSecond(),
                open.arrivals().name().toLowerCase(Locale.ROOT),
                open.rampNanos(),
                open.maxInFlight(),
                open.timeoutNanos());
    }

    static MeasureRecord record(Measure measure) {
        return new MeasureRecord(
                measure.window().name().toLowerCase(Locale.ROOT),
                measure.from().toNanos(),
                measure.to().toNanos(),
                measure.skip().toNanos());
    }

    private static String describe(Think think) {
        if (think instanceof Think.Fixed fixed) {
            return format(fixed.fixedNanos());
        }
        if (think instanceof Think.Exponential exponential) {
            return "exponential, mean " + format(exponential.meanNanos());
        }
        Think.Uniform uniform = (Think.Uniform) think;
        return "uniform, " + format(uniform.lowNanos()) + " to " + format(uniform.highNanos());
    }

    private static String format(long nanos) {
        return Quantity.format(Duration.ofNanos(nanos));
    }
}
