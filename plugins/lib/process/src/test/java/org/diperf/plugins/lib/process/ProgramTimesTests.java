package org.diperf.plugins.lib.process;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ProgramTimesTests {

    private static final ProgramTimes FIRST = new ProgramTimes(1_000_000, 40_000, 7_000);

    @Test
    void whatWasFoundAtOnceCanHaveBeenThereForAsLongAsAWakeUpTakes() {
        assertThat(FIRST.endedNanos(new ProgramTimes(5_000_000, 40_000, 7_000)))
                .isEqualTo(5_000_000 - ProgramTimes.WAKE_NANOS);
    }

    @Test
    void theThreadMayHaveBeenBusySinceTheEndAndTheProgramKeptWaitingBefore() {
        assertThat(FIRST.endedNanos(new ProgramTimes(5_000_000, 640_000, 307_000)))
                .isEqualTo(5_000_000 - ProgramTimes.WAKE_NANOS - 600_000 - 300_000);
    }

    @Test
    void aThreadThatRanOnlyLongAfterwardsDoesNotKnowWhetherTheProgramEndedAtOnce() {
        assertThat(FIRST.endedNanos(new ProgramTimes(5_000_000, 40_000 + 4_000_000, 7_000)))
                .isLessThanOrEqualTo(1_000_000);
    }

    @Test
    void whatIsNotSaidMakesTheEndUnknown() {
        long none = RunningProgram.UNKNOWN;
        assertThat(FIRST.endedNanos(new ProgramTimes(5_000_000, none, 7_000))).isEqualTo(none);
        assertThat(FIRST.endedNanos(new ProgramTimes(5_000_000, 40_000, none))).isEqualTo(none);
        assertThat(new ProgramTimes(1, none, 7_000).endedNanos(new ProgramTimes(5_000_000, 40_000, 7_000)))
                .isEqualTo(none);
        assertThat(ProgramTimes.NOTHING.endedNanos(new ProgramTimes(5_000_000, 40_000, 7_000)))
                .isEqualTo(none);
    }

    @Test
    void othersThanTheFirstThreadShowInTheTimeUsedOrInTheTurns() {
        // The one thread gets a processor as often as it leaves one, or once more while it is ending.
        assertThat(ProgramTimes.isAlone(650_400, 4, 650_000, 4)).isTrue();
        assertThat(ProgramTimes.isAlone(650_400, 4, 650_000, 3)).isTrue();
        assertThat(ProgramTimes.isAlone(650_400, 4, 690_000, 4)).isTrue();
        assertThat(ProgramTimes.isAlone(650_400, 4, 1_050_000, 4)).isFalse();
        assertThat(ProgramTimes.isAlone(650_400, 4, 670_000, 5)).isFalse();
    }
}
