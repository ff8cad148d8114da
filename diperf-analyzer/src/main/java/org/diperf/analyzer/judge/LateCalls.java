package org.diperf.analyzer.judge;

import java.util.List;
import java.util.Locale;
import org.diperf.analyzer.result.CallStatistics;
import org.diperf.analyzer.result.Summary.CallCounts;
import org.diperf.analyzer.result.Summary.Window;
import org.diperf.analyzer.stats.Statistic;
import org.diperf.analyzer.stats.Statistics;
import org.diperf.analyzer.stats.Uncertainty;
import org.diperf.core.run.Warning;
import org.diperf.core.run.Warning.Subject;
import org.jspecify.annotations.Nullable;

/**
 * Looks at the calls that were due in the measured part and ended after it. Of a steady service they are as good as those that it answered
 * at the part's begin and that had been due before; of one that hangs they are what it did.
 */
public final class LateCalls {

    /** How much longer 95 % of the calls may take with them, as a share and in ms. */
    private static final double LONGER = 0.1;

    private static final double LONGER_MILLIS = 0.1;

    private LateCalls() {}

    /** Returns a warning where the part's numbers are better without them than with them. */
    public static List<Warning> warnings(Window measured) {
        CallStatistics all = measured.withLate();
        if (all == null) {
            return List.of();
        }
        boolean fails = measured.failsLater();
        double p95 = p95(measured.responseTime());
        double p95With = p95(all.responseTime());
        // Where none was answered in time there is nothing to compare with.
        boolean isLonger =
                p95With - p95 > Math.max(LONGER_MILLIS, LONGER * p95) && p95With > most(measured.responseTime());
        if (!fails && !isLonger) {
            return List.of();
        }
        long late = ended(all.calls()) - ended(measured.calls());
        String text = String.format(
                Locale.ROOT,
                "%s due in the measured part but ended after it: including %s,%s%s%s",
                late == 1 ? "a call was" : String.format(Locale.ROOT, "%,d calls were", late),
                late == 1 ? "it" : "them",
                fails
                        ? String.format(
                                Locale.ROOT,
                                " %.1f %% failed instead of %.1f %%",
                                100 * all.calls().failedShare(),
                                100 * measured.calls().failedShare())
                        : "",
                fails && isLonger ? ", and" : "",
                isLonger ? " 95 % took up to " + millis(p95With) + " instead of " + millis(p95) : "");
        return List.of(Warning.suspect(Subject.LOAD, text));
    }

    private static long ended(CallCounts calls) {
        return calls.total() + calls.unfinished();
    }

    /** Returns the most that the 95th percentile can be by what is known without them. */
    private static double most(@Nullable Statistics times) {
        Uncertainty range = times == null ? null : times.range(Statistic.P95);
        return range == null ? Double.NEGATIVE_INFINITY : range.high();
    }

    private static String millis(double millis) {
        return String.format(Locale.ROOT, millis < 10 ? "%.2f ms" : "%.0f ms", millis);
    }

    private static double p95(@Nullable Statistics times) {
        return times == null ? Double.NaN : times.p95();
    }
}
