package org.diperf.controller.run;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.diperf.controller.course.Course;
import org.diperf.controller.course.Eyes;
import org.diperf.controller.course.GroupsCourse;
import org.diperf.controller.course.LevelCourse;
import org.diperf.controller.course.PlannedCourse;
import org.diperf.controller.course.SearchCourse;
import org.diperf.core.experiment.Group;
import org.diperf.core.experiment.LoadChoice;
import org.diperf.core.experiment.Measure;
import org.diperf.core.plan.ClosedLoad;
import org.diperf.core.plan.Lives;
import org.diperf.core.plan.Load;
import org.diperf.core.plan.OnFailure;
import org.diperf.core.plan.OpenLoad;
import org.diperf.core.plan.Quota;
import org.diperf.core.plan.Stage;
import org.diperf.core.plan.Think;
import org.diperf.core.run.LevelRecord;
import org.diperf.core.run.RunRecord.MeasureRecord;
import org.diperf.core.run.StageRecord;
import org.diperf.core.spi.Quantity;
import org.jspecify.annotations.Nullable;

/** Turns an experiment into the course of its run, and into the words of {@code run.json}. */
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
        return choice instanceof LoadChoice.Groups groups ? new GroupsCourse(groups) : new PlannedCourse(choice);
    }

    /**
     * Says what stages a run has, or had. Those of groups that had not begun yet are among them.
     *
     * @param endedNanos from which no more calls began, after the start of the run; stages do not last longer
     */
    static List<StageRecord> records(Division division, Course course, long endedNanos) {
        List<StageRecord> records = new ArrayList<>();
        for (Division.Share share : division.shares()) {
            Group group = share.group();
            for (Stage stage : share.plan().stages()) {
                if (group != null || stage.startNanos() < endedNanos || stage.number() == 0) {
                    long end = Math.min(share.plan().endNanos(stage), endedNanos);
                    records.add(record(
                            stage,
                            Math.max(stage.startNanos(), end),
                            course.level(stage.number()),
                            group == null ? null : group.name()));
                }
            }
        }
        return List.copyOf(records);
    }

    private static StageRecord record(Stage stage, long endNanos, @Nullable LevelRecord level, @Nullable String group) {
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
                    level,
                    group);
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
                level,
                group);
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
