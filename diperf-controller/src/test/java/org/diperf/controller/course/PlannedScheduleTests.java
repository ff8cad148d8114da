package org.diperf.controller.course;

import static org.assertj.core.api.Assertions.assertThat;

import org.diperf.core.experiment.LoadSettings;
import org.diperf.core.plan.ClosedLoad;
import org.diperf.core.plan.OpenLoad;
import org.diperf.core.plan.ThinkTime;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class PlannedScheduleTests {

    private static final long SECOND = 1_000_000_000;

    /** Five clients, one every 3 s, each for 17 s: at 0:25 it said "measuring", and 0:12 to 0:17 is what is measured. */
    @Test
    void clientsThatEndOneAfterAnotherAreMeasuredUntilTheFirstOneEnds() {
        PlannedSchedule course = new PlannedSchedule(
                new LoadSettings.Single(new ClosedLoad(5, 3 * SECOND, 17 * SECOND, ThinkTime.NONE, SECOND)));
        assertThat(course.phase(0)).isEqualTo("ramp");
        assertThat(course.phase(12 * SECOND)).isEqualTo("measuring");
        assertThat(course.phase(17 * SECOND - 1)).isEqualTo("measuring");
        assertThat(course.phase(17 * SECOND)).isEqualTo("clients are ending");
        assertThat(course.phase(25 * SECOND)).isEqualTo("clients are ending");
        assertThat(course.phase(29 * SECOND)).isEqualTo("waiting for the last calls");
    }

    @Test
    void openLoadIsMeasuredFromItsRampToItsEnd() {
        PlannedSchedule course = new PlannedSchedule(new LoadSettings.Single(
                new OpenLoad(100, OpenLoad.Arrivals.CONSTANT, 5 * SECOND, 15 * SECOND, 100, SECOND)));
        assertThat(course.phase(4 * SECOND)).isEqualTo("ramp");
        assertThat(course.phase(5 * SECOND)).isEqualTo("measuring");
        assertThat(course.phase(20 * SECOND)).isEqualTo("waiting for the last calls");
    }
}
