package org.diperf.plugins.emulated.engine;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Quantiles of counted times. */
@Timeout(60)
class TimeHistogramTests {

    @Test
    void aQuantileIsAtMostAnEighthAboveTheTimeItself() {
        TimeHistogram counts = new TimeHistogram();
        for (long nanos = 1; nanos <= 100_000; nanos++) {
            counts.add(nanos);
        }
        for (double share : new double[] {0.001, 0.5, 0.99, 1}) {
            double exact = share * 100_000;
            assertThat((double) counts.quantileNanos(share)).isBetween(exact, exact * 1.125);
        }
        assertThat(counts.count()).isEqualTo(100_000);
    }

    @Test
    void whatIsForgottenCountsNoLonger() {
        TimeHistogram counts = new TimeHistogram();
        counts.add(1_000_000);
        counts.clear();
        counts.add(5);
        assertThat(counts.count()).isEqualTo(1);
        assertThat(counts.quantileNanos(1)).isEqualTo(5);
    }

    @Test
    void theExtremesHaveAClassToo() {
        TimeHistogram counts = new TimeHistogram();
        assertThat(counts.quantileNanos(0.5)).isZero();
        counts.add(-5);
        assertThat(counts.quantileNanos(1)).isZero();
        counts.add(Long.MAX_VALUE);
        assertThat(counts.quantileNanos(1)).isEqualTo(Long.MAX_VALUE);
    }
}
