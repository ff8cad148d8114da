package org.diperf.plugins.iperf;

import java.util.Map;
import org.diperf.core.spi.Failure;
import org.diperf.core.spi.Metric;
import org.jspecify.annotations.Nullable;

/**
 * How a test ended.
 *
 * @param failure {@code null} when it went well
 * @param bytes delivered, in both directions
 */
record TestReport(@Nullable Failure failure, long bytes, Map<Metric, Double> metrics) {

    static TestReport failed(Failure why) {
        return new TestReport(why, 0, Map.of());
    }
}
