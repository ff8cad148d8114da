package org.diperf.analyzer.stats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(10)
class CorrelationTests {

    private static final double[] X = {1, 2, 3, 4, 5, 6};

    @Test
    void coefficientsAndIntervalsEqualThoseSolvedByHand() {
        // Ranks of y: 2 1 4 3 6 5, so that the squared differences sum to 6: Spearman 1 - 6 x 6 / (6 x 35) = 29/35.
        double[] y = {20, 10, 40, 30, 60, 50};

        Correlation found = Correlation.of("responseTime", y, "latency", X);

        double r = 29.0 / 35;
        assertThat(found.testers()).isEqualTo(6);
        assertThat(found.spearman()).isCloseTo(r, within(1e-12));
        assertThat(found.pearson()).isCloseTo(r, within(1e-12));
        double half = 1.959963984540054 / Math.sqrt(3);
        double middle = 0.5 * Math.log((1 + r) / (1 - r));
        assertThat(found.pearsonLow()).isCloseTo(Math.tanh(middle - half), within(1e-9));
        assertThat(found.pearsonHigh()).isCloseTo(Math.tanh(middle + half), within(1e-9));
        double wider = half * Math.sqrt(1 + r * r / 2);
        assertThat(found.spearmanLow()).isCloseTo(Math.tanh(middle - wider), within(1e-9));
        assertThat(found.spearmanHigh()).isCloseTo(Math.tanh(middle + wider), within(1e-9));
    }

    @Test
    void aRisingCurveIsFullyCorrelatedByRanksAndLessByValues() {
        Correlation found = Correlation.of("responseTime", new double[] {1, 2, 4, 30, 500, 9000}, "latency", X);

        assertThat(found.spearman()).isCloseTo(1, within(1e-9));
        assertThat(found.pearson()).isBetween(0.5, 0.9);
    }

    @Test
    void whatIsNotKnownOfATesterLeavesItOut() {
        double[] y = {3, Double.NaN, 1, 2, Double.NaN, Double.NaN};

        Correlation found = Correlation.of("success", y, "latency", X);

        assertThat(found.testers()).isEqualTo(3);
        assertThat(found.spearman()).isCloseTo(-0.5, within(1e-12));
        assertThat(found.spearmanLow()).as("three testers have no interval").isNaN();
    }

    @Test
    void twoTestersOrAlikeOnesHaveNoCoefficient() {
        assertThat(Correlation.of("success", new double[] {1, 2}, "latency", new double[] {1, 2})
                        .isKnown())
                .isFalse();
        assertThat(Correlation.of("success", new double[] {100, 100, 100, 100, 100, 100}, "latency", X)
                        .isKnown())
                .isFalse();
    }
}
