package org.diperf.plugins.emulated.engine;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class WakeupLeadTimeTests {

    private final WakeupLeadTime lead = new WakeupLeadTime();

    private void wakes(int times, long tookNanos) {
        for (int i = 0; i < times; i++) {
            lead.woke(1_000_000, 1_000_000 + tookNanos);
        }
    }

    @Test
    void itIsWhatWakingTookLately() {
        assertThat(lead.nanos()).isZero();
        wakes(200, 35_000);
        assertThat(lead.nanos()).isBetween(34_900L, 35_000L);
        wakes(200, 5_000);
        assertThat(lead.nanos()).isBetween(5_000L, 5_100L);
    }

    @Test
    void aThreadThatLostItsProcessorDoesNotWaitBusilyForAsLong() {
        wakes(1_000, 50_000_000);
        assertThat(lead.nanos()).isBetween(59_900L, 60_000L);
    }

    @Test
    void aWakeUpBeforeItsTimeNeedsNoLead() {
        wakes(100, -10_000);
        assertThat(lead.nanos()).isZero();
    }
}
