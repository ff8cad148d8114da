package org.diperf.plugins.probe;

import java.util.List;
import org.diperf.plugins.lib.forecast.Forecaster;
import org.diperf.plugins.lib.forecast.Interval;
import org.diperf.plugins.lib.forecast.TransferForecast;
import org.jspecify.annotations.Nullable;

/** What was found out about a path. */
record PathReport(String host, List<Found> found, List<Transfer> transfers, List<NotMeasured> notMeasured) {

    PathReport {
        found = List.copyOf(found);
        transfers = List.copyOf(transfers);
        notMeasured = List.copyOf(notMeasured);
    }

    /**
     * A quantity. None is below 0, so no interval reaches there.
     *
     * @param name such as {@code round-trip}
     * @param count values it is from
     * @param next what the next value is expected to be
     * @param how it was measured
     */
    record Found(String name, String unit, int count, Forecaster.Standing next, String how) {

        Found {
            Interval.@Nullable Bounds bounds = next.bounds();
            if (bounds != null) {
                Interval.Bounds above = new Interval.Bounds(Math.max(0, bounds.low()), Math.max(0, bounds.high()));
                next = new Forecaster.Standing(next.value(), above, next.method());
            }
        }
    }

    /**
     * How long a transfer will take.
     *
     * @param back from the host to here, else from here to the host
     * @param largestProbe bytes of the largest transfers that were made
     */
    record Transfer(boolean back, long bytes, TransferForecast time, long largestProbe) {}

    /** Something that could not be measured, why, and what to do. */
    record NotMeasured(String what, String why) {}
}
