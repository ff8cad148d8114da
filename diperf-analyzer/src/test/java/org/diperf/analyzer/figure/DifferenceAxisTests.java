package org.diperf.analyzer.figure;

import static org.assertj.core.api.Assertions.assertThat;

import org.jfree.chart.axis.NumberAxis;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class DifferenceAxisTests {

    @Test
    void holdsAllValuesUpToAQuarterAndSaysThatItCutsOthers() {
        NumberAxis small = DifferenceAxis.of(new double[] {0, -10, Double.NaN}, new double[] {3});
        assertThat(small.getUpperBound()).isEqualTo(11);
        assertThat(small.getLowerBound()).isEqualTo(-11);
        assertThat(small.getLabel()).isEqualTo("difference (%)");

        NumberAxis cut = DifferenceAxis.of(new double[] {1}, new double[] {-40});
        assertThat(cut.getUpperBound()).isEqualTo(25);
        assertThat(cut.getLabel()).isEqualTo("difference (to ±25 %)");

        NumberAxis near = DifferenceAxis.of(new double[] {24}, new double[0]);
        assertThat(near.getUpperBound()).isEqualTo(25);
        assertThat(near.getLabel()).isEqualTo("difference (%)");
    }

    @Test
    void nothingToShowStillHasARange() {
        assertThat(DifferenceAxis.of(new double[] {Double.NaN}).getUpperBound()).isEqualTo(1);
    }
}
