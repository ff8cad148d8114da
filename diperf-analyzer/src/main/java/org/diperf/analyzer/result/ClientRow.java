package org.diperf.analyzer.result;

import org.diperf.analyzer.stats.Statistic;
import org.diperf.analyzer.stats.Statistics;
import org.jspecify.annotations.Nullable;

/**
 * One client. Times in ms, {@code NaN} where there is none.
 *
 * @param client from 0
 * @param tester from 1
 * @param host of its tester
 * @param group of its tester; {@code null} where the run has none
 * @param fromSeconds its start, after the start of the run
 * @param toSeconds its end
 * @param calls ended, ok or failed
 * @param ok of these
 * @param failed of these
 * @param bytes moved by ok calls
 * @param response response times of ok calls; {@code null} where there are none
 * @param utilisation its ok calls / all ok calls while it was active
 * @param peakUtilisation the same over the peak; {@code NaN} without a peak
 */
public record ClientRow(
        int client,
        int tester,
        String host,
        @Nullable String group,
        double fromSeconds,
        double toSeconds,
        long calls,
        long ok,
        long failed,
        long bytes,
        @Nullable Statistics response,
        double utilisation,
        double peakUtilisation) {

    /** Returns a statistic of its response times; {@code NaN} where there are none. */
    public double response(Statistic statistic) {
        return response == null ? Double.NaN : response.of(statistic);
    }
}
