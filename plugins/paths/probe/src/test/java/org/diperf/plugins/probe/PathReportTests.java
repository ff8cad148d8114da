package org.diperf.plugins.probe;

import static org.assertj.core.api.Assertions.assertThat;

import org.diperf.plugins.lib.forecast.Forecaster.Standing;
import org.diperf.plugins.lib.forecast.Interval.Bounds;
import org.diperf.plugins.probe.PathReport.Found;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(10)
class PathReportTests {

    @Test
    void noIntervalReachesBelowNothing() {
        assertThat(new Found("round-trip", "ms", 20, new Standing(1, new Bounds(-12.3, 5), "median"), "")
                        .next()
                        .bounds())
                .isEqualTo(new Bounds(0, 5));
        assertThat(new Found("round-trip", "ms", 2, new Standing(1, null, "median"), "")
                        .next()
                        .bounds())
                .isNull();
    }
}
