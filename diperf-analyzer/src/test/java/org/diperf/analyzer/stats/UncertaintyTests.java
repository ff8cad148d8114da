package org.diperf.analyzer.stats;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

class UncertaintyTests {

    @Test
    void partsAddUp() {
        Uncertainty both = Uncertainty.of(
                10, Map.of(Uncertainty.SAMPLING, new Range(9, 12), Uncertainty.INSTRUMENT, new Range(7, 10)));
        assertThat(both.low()).isEqualTo(6);
        assertThat(both.high()).isEqualTo(12);
    }

    /** Half of it is sampling's, and more than half the generator's: nothing takes less than no time. */
    @Test
    void whatCannotBeNegativeIsNotSoAtItsLowEnd() {
        Uncertainty both = Uncertainty.of(
                10, Map.of(Uncertainty.SAMPLING, new Range(5, 15), Uncertainty.INSTRUMENT, new Range(3, 10)));
        assertThat(both.low()).isZero();
        assertThat(Uncertainty.of(-10, Map.of(Uncertainty.SAMPLING, new Range(-12, -9)))
                        .low())
                .isEqualTo(-12);
    }
}
