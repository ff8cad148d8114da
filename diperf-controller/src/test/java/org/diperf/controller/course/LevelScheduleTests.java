package org.diperf.controller.course;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.diperf.core.experiment.LoadSettings;
import org.diperf.core.experiment.LoadSettings.Levels;
import org.diperf.core.experiment.LoadSettings.Stages;
import org.diperf.core.experiment.LoadSettings.Stages.Move;
import org.diperf.core.experiment.LoadTemplate;
import org.diperf.core.plan.ClientLifetimes;
import org.diperf.core.plan.ClosedLoad;
import org.diperf.core.plan.OnFailure;
import org.diperf.core.plan.OpenLoad;
import org.diperf.core.plan.Stage;
import org.diperf.core.plan.ThinkTime;
import org.diperf.core.run.LevelRecord;
import org.diperf.core.wire.TesterStatus;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class LevelScheduleTests {

    private static final long MS = 1_000_000;
    private static final long SECOND = 1_000 * MS;
    private static final LoadTemplate CLIENTS =
            new LoadTemplate.Clients(ThinkTime.NONE, OnFailure.CONTINUE, 5 * SECOND);
    private static final LoadTemplate RATE =
            new LoadTemplate.Rate(OpenLoad.Arrivals.CONSTANT, 10_000, OnFailure.CONTINUE, 5 * SECOND);

    @Test
    void eachLevelIsMeasuredWhenItHasSettled() {
        SimulatedRun run = new SimulatedRun(8, 20 * MS, 20 * MS, 1);
        LevelSchedule course =
                new LevelSchedule(new Levels(CLIENTS, List.of(1.0, 4.0, 16.0), Duration.ofSeconds(5), null), run);
        List<Stage> stages = run.carryOut(course);
        assertThat(stages).hasSize(3);
        assertThat(((ClientLifetimes.Ramp) ((ClosedLoad) stages.get(2).load()).lives()).to())
                .isEqualTo(16);
        for (int i = 0; i < 3; i++) {
            LevelRecord level = course.level(i);
            assertThat(level).isNotNull();
            long since = level == null || level.settledNanos() == null
                    ? Long.MAX_VALUE
                    : level.settledNanos() - stages.get(i).startNanos();
            assertThat(since).isBetween(SECOND, 4 * SECOND);
            assertThat(level == null ? "" : level.settling()).contains("no trend in the last");
            if (i < 2) {
                assertThat(stages.get(i + 1).startNanos() - stages.get(i).startNanos())
                        .isBetween(since + 5 * SECOND, since + 6 * SECOND);
            }
        }
        assertThat(course.warnings()).isEmpty();
    }

    @Test
    void aLevelThatNeverSettlesIsMeasuredAllTheSameAndSaysSo() {
        SimulatedRun run = new SimulatedRun(8, 20 * MS, 20 * MS, 1);
        // More than it can do: the queue grows for ever.
        LevelSchedule course = new LevelSchedule(new Levels(RATE, List.of(500.0), Duration.ofSeconds(5), null), run);
        run.carryOut(course);
        assertThat(course.level(0))
                .isEqualTo(new LevelRecord(500, null, "still changing after 10.0 s, measured anyway"));
        assertThat(course.warnings()).singleElement().asString().contains("500/s never settled");
        assertThat(run.elapsedNanos()).isBetween(15 * SECOND, 16 * SECOND);
    }

    @Test
    void levelsWithAFixedSettlingAreKnownBeforehand() {
        LoadSettings choice = new Levels(RATE, List.of(5.0, 10.0), Duration.ofSeconds(5), Duration.ofSeconds(2));
        PlannedSchedule course = new PlannedSchedule(choice);
        assertThat(course.grows()).isFalse();
        assertThat(course.first()).extracting(Stage::startNanos).containsExactly(0L, 7 * SECOND);
        assertThat(course.level(1)).isEqualTo(new LevelRecord(10, 9 * SECOND, "fixed: 2s"));
        assertThat(course.phase(8 * SECOND)).isEqualTo("level 2/2, 10/s, settling");
        assertThat(course.phase(10 * SECOND)).isEqualTo("level 2/2, 10/s, measuring");
        assertThat(course.turn(SECOND, TesterStatus.NONE)).isNull();
        assertThat(choice.lengthNanos()).hasValue(14 * SECOND);
    }

    @Test
    void stagesMoveFromTheValueBeforeToTheirOwnAndHoldWithoutOne() {
        PlannedSchedule course = new PlannedSchedule(new Stages(
                RATE,
                List.of(
                        new Move(100.0, Duration.ofSeconds(2)),
                        new Move(null, Duration.ofSeconds(10)),
                        new Move(0.0, Duration.ofSeconds(1)))));
        assertThat(course.first())
                .extracting(stage -> ((OpenLoad) stage.load()).fromPerSecond())
                .containsExactly(0.0, 100.0, 100.0);
        assertThat(course.first())
                .extracting(stage -> ((OpenLoad) stage.load()).perSecond())
                .containsExactly(100.0, 100.0, 0.0);
        assertThat(course.first()).extracting(Stage::startNanos).containsExactly(0L, 2 * SECOND, 12 * SECOND);
        assertThat(course.phase(3 * SECOND)).isEqualTo("stage 2/3");
        assertThat(course.phase(13 * SECOND)).isEqualTo("waiting for the last calls");
    }
}
