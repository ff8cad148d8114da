package org.diperf.analyzer.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.TreeMap;
import org.diperf.analyzer.measure.Value.Amount;
import org.diperf.analyzer.stats.Range;
import org.diperf.analyzer.stats.Uncertainty;
import org.junit.jupiter.api.Test;

class RangeTextTests {

    private static Amount amount(double value, String unit, Map<String, Range> parts) {
        return new Amount(value, unit, 100, Uncertainty.of(value, new TreeMap<>(parts)));
    }

    @Test
    void aValueHasTheDigitsThatItsIntervalCarries() {
        assertThat(RangeText.plusMinus(300.1234, 0.25)).isEqualTo("300.12 ± 0.25");
        assertThat(RangeText.interval(2.0612, 1.8112, 2.3112)).isEqualTo("2.06 (1.81–2.31)");
        assertThat(RangeText.interval(3.1, 0.4, 13.4)).isEqualTo("3.1 (0.4–13.4)");
    }

    /** The rate of open load is the plan's, but for the last bits of a sum. */
    @Test
    void anIntervalThatArithmeticLeftOfNoneIsNone() {
        assertThat(RangeText.plusMinus(300, 3e-13)).isEqualTo("300.0");
        assertThat(RangeText.interval(300, 299.9999999999997, 300.0000000000003))
                .isEqualTo("300.0");
        assertThat(RangeText.plusMinus(0, 0.5)).isEqualTo("0.00 ± 0.50");
    }

    @Test
    void aLowerEndOfZeroIsNeverWritten() {
        assertThat(RangeText.interval(3.1, 0, 13.4)).isEqualTo("3.1 (up to 13.4)");
        assertThat(RangeText.interval(3.1, 0.01, 13.4)).isEqualTo("3.1 (up to 13.4)");
        assertThat(RangeText.of(amount(3.1, "ms", Map.of(Uncertainty.SAMPLING, new Range(0, 5.3)))))
                .isEqualTo("up to 5.30 ms");
    }

    @Test
    void whatTheGeneratorMayHaveAddedStandsApartFromWhatSamplingLeavesOpen() {
        assertThat(RangeText.of(amount(
                        3.1,
                        "ms",
                        Map.of(
                                Uncertainty.SAMPLING, new Range(2.9, 3.4),
                                Uncertainty.INSTRUMENT, new Range(2.1, 3.1)))))
                .isEqualTo("2.90–3.40 ms, up to 1.00 ms of it the load generator's");
    }

    @Test
    void whatTheGeneratorAddedIsLeftOutWhereItDoesNotMatter() {
        assertThat(RangeText.of(amount(
                        3.1,
                        "ms",
                        Map.of(
                                Uncertainty.SAMPLING, new Range(2.9, 3.4),
                                Uncertainty.INSTRUMENT, new Range(3.05, 3.1)))))
                .isEqualTo("2.90–3.40 ms");
    }

    @Test
    void aRateIsWhatItIsAndWhatAFreerGeneratorWouldHaveReachedIsAnotherThing() {
        assertThat(RangeText.of(amount(
                        950,
                        "calls/s",
                        Map.of(
                                Uncertainty.SAMPLING, new Range(940, 960),
                                Uncertainty.INSTRUMENT, new Range(950, 1_900)))))
                .isEqualTo("940.0–960.0 calls/s, up to 1,900 calls/s without the load generator's delays");
    }
}
