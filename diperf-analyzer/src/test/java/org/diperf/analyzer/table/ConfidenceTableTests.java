package org.diperf.analyzer.table;

import static org.assertj.core.api.Assertions.assertThat;

import org.diperf.analyzer.result.Confidence.Bounds;
import org.junit.jupiter.api.Test;

class ConfidenceTableTests {

    private static Bounds around(double value, double half) {
        return new Bounds(value - half, value + half, 30);
    }

    @Test
    void aValueHasTheDigitsThatItsIntervalCarries() {
        assertThat(ConfidenceTable.plusMinus(300.1234, around(300.1234, 0.25), 1))
                .isEqualTo("300.12 ± 0.25");
        assertThat(ConfidenceTable.range(2.0612, around(2.0612, 0.25))).isEqualTo("2.06 (1.81–2.31)");
    }

    /** The rate of open load is the plan's, but for the last bits of a sum. */
    @Test
    void anIntervalThatArithmeticLeftOfNoneIsNone() {
        Bounds bits = new Bounds(299.9999999999997, 300.0000000000003, 30);
        assertThat(ConfidenceTable.plusMinus(300, bits, 1)).isEqualTo("300.0 ± 0");
        assertThat(ConfidenceTable.range(300, bits)).isEqualTo("300.0");
        assertThat(ConfidenceTable.plusMinus(0, around(0, 0.5), 1)).isEqualTo("0.00 ± 0.50");
    }
}
