package org.diperf.controller.run;

import java.time.Duration;
import java.util.List;
import java.util.Locale;
import org.diperf.core.experiment.Experiment;
import org.diperf.core.experiment.LoadChoice;
import org.diperf.core.experiment.Measure;
import org.diperf.core.plan.ClosedLoad;
import org.diperf.core.plan.Lives;
import org.diperf.core.plan.Load;
import org.diperf.core.plan.OnFailure;
import org.diperf.core.plan.OpenLoad;
import org.diperf.core.plan.Plan;
import org.diperf.core.plan.Quota;
import org.diperf.core.plan.Stage;
import org.diperf.core.plan.Think;
import org.diperf.core.run.RunRecord.LevelRecord;
import org.diperf.core.run.RunRecord.MeasureRecord;
import org.diperf.core.run.RunRecord.StageRecord;
import org.diperf.core.spi.Quantity;
import org.jspecify.annotations.Nullable;

/** Turns an experiment into the plan that testers follow, and into the words of {@code run.json}. */
final class PlanMaker {

    private PlanMaker() {}

    /** Makes the course of a run; what grows sees through these eyes. */
    static Course course(LoadChoice choice, Eyes eyes) {
        if (choice instanceof LoadChoice.Search search) {
            return new SearchCourse(search, eyes);
        }
        if (choice instanceof LoadChoice.Levels levels && levels.settle() == null) {
            return new LevelCourse(levels, eyes);
        }
        return new PlannedCourse(choice);
    }

    /**
     * Makes the plan of testers that have joined.
     *
     * @param members who share the load, in the order of their slots
     */
    static Plan plan(Experiment experiment, Course course, List<Member> members) {
        return new Plan(experiment.seed(), members.size(), experiment.targets(), course.first(), course.grows());
    }

    /**
     * Says what stages a run has, or had.
     *
     * @param endedNanos from which no more calls began, after the start of the run; stages do not last longer
     */
    static List<StageRecord> records(Plan plan, Course course, long endedNanos) {
        return plan.stages().stream()
                .filter(stage -> stage.startNanos() < endedNanos || stage.number() == 0)
                .map(stage -> record(stage, Math.min(plan.endNanos(stage), endedNanos), course.level(stage.number())))
                .toList();
    }

    private static StageRecord record(Stage stage, long endNanos, @Nullable LevelRecord level) {
        Load load = stage.load();
        String onFailure = load.onFailure() == OnFailure.CONTINUE
                ? null
                : load.onFailure().name().toLowerCase(Locale.ROOT).replace('_', '-');
        if (load instanceof ClosedLoad closed) {
            Lives.Staggered staggered = closed.lives() instanceof Lives.Staggered lives ? lives : null;
            Lives.Ramp ramp = closed.lives() instanceof Lives.Ramp moves ? moves : null;
            Quota quota = closed.quota();
            return new StageRecord(
                    stage.number(),
                    closed.model(),
                    stage.startNanos(),
                    endNanos,
                    closed.clients(),
                    staggered == null ? null : staggered.startEveryNanos(),
                    runForNanos(closed.lives()),
                    describe(closed.think()),
                    null,
                    null,
                    null,
                    null,
                    closed.timeoutNanos(),
                    ramp == null ? null : ramp.from(),
                    ramp == null ? null : ramp.to(),
                    null,
                    quota.calls() == 0 ? null : quota.calls(),
                    quota.bytes() == 0 ? null : quota.bytes(),
                    onFailure,
                    level);
        }
        OpenLoad open = (OpenLoad) load;
        return new StageRecord(
                stage.number(),
                open.model(),
                stage.startNanos(),
                endNanos,
                null,
                null,
                null,
                null,
                open.perSecond(),
                open.arrivals().name().toLowerCase(Locale.ROOT),
                open.rampNanos(),
                open.maxInFlight(),
                open.timeoutNanos(),
                null,
                null,
                open.fromPerSecond() == 0 ? null : open.fromPerSecond(),
                null,
                null,
                onFailure,
                level);
    }

    /** A ramp's planned length is needed to know where its clients stood when it was cut short. */
    private static @Nullable Long runForNanos(Lives lives) {
        long nanos =
                lives instanceof Lives.Staggered staggered ? staggered.runForNanos() : ((Lives.Ramp) lives).forNanos();
        return nanos >= Lives.UNBOUNDED ? null : nanos;
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
