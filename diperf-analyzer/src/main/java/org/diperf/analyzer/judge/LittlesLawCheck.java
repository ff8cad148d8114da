package org.diperf.analyzer.judge;

import java.util.Locale;
import org.diperf.analyzer.count.ScopeTally;
import org.diperf.analyzer.result.LittlesLaw;
import org.diperf.analyzer.sets.Durations;
import org.diperf.core.plan.ThinkTime;
import org.jspecify.annotations.Nullable;

/** Checks parts of a run by Little's law: calls or clients in the system are throughput times the time that each takes. */
final class LittlesLawCheck {

    private static final double FAULT = 0.02;
    /** Where calls last longer than this share of the part, its edges say more than its middle. */
    private static final double MAX_EDGE = 0.1;

    private static final int MIN_CALLS = 100;
    private static final double SIGMAS = 3;

    private LittlesLawCheck() {}

    /**
     * Checks a part of the run with closed load.
     *
     * @param of its calls
     * @param clients active all through it
     * @return {@code null} where the calls, or the length of the part, do not carry it; so too where clients without think time
     *     had failed calls, after which they pause
     */
    static @Nullable LittlesLaw closed(ScopeTally of, long toNanos, int clients, ThinkTime think) {
        double seconds = (toNanos - of.from) / 1e9;
        long ended = of.response.count() + of.responseFailed.count();
        boolean paused = of.responseFailed.count() > 0 && think instanceof ThinkTime.None;
        if (clients <= 0 || seconds <= 0 || ended < MIN_CALLS || paused || outlasted(of, think)) {
            return null;
        }
        double response = mean(of.response, of.responseFailed);
        double pause = think.expectedNanos() / 1e9 - (think instanceof ThinkTime.Pace ? response : 0);
        double cycle = response + pause;
        double scatter = SIGMAS * think.deviationNanos() / 1e9 / cycle / Math.sqrt(ended);
        return of(clients, ended / seconds, response, pause, cycle / seconds, scatter);
    }

    /** Returns whether a call took longer than the pace, which then was not kept. */
    private static boolean outlasted(ScopeTally of, ThinkTime think) {
        double longest = Math.max(longestMillis(of.response), longestMillis(of.responseFailed));
        return think instanceof ThinkTime.Pace pace && longest * 1e6 > pace.everyNanos();
    }

    private static double longestMillis(Durations durations) {
        return durations.count() == 0 ? 0 : durations.maxMillis();
    }

    /**
     * Checks a part of the run with open load.
     *
     * @param of its calls
     * @param inFlight mean over the whole quanta of the part; {@code NaN} where it has too few
     * @param quantumSeconds by how much these may miss the part at each end
     */
    static @Nullable LittlesLaw open(ScopeTally of, long toNanos, double inFlight, double quantumSeconds) {
        double seconds = (toNanos - of.from) / 1e9;
        long ended = of.response.count() + of.responseFailed.count();
        if (!(inFlight > 0) || seconds <= 0 || ended < MIN_CALLS) {
            return null;
        }
        double lag = of.lag.count() == 0 ? 0 : of.lag.meanMillis() / 1e3;
        double service = mean(of.response, of.responseFailed) - lag;
        return of(inFlight, ended / seconds, service, Double.NaN, (service + 2 * quantumSeconds) / seconds, 0);
    }

    private static @Nullable LittlesLaw of(
            double counted, double perSecond, double time, double think, double edge, double scatter) {
        if (edge > MAX_EDGE) {
            return null;
        }
        boolean closed = !Double.isNaN(think);
        double product = perSecond * (time + (closed ? think : 0));
        double difference = product / counted - 1;
        double allowed = FAULT + edge + scatter;
        return new LittlesLaw(
                counted,
                product,
                perSecond,
                time * 1e3,
                closed ? (Double) (think * 1e3) : null,
                100 * difference,
                100 * allowed,
                Math.abs(difference) <= allowed);
    }

    /** Names the figures of a violation. */
    static String words(LittlesLaw law) {
        Double think = law.thinkMillis();
        String sides = think == null
                ? format(
                        "%.4g calls were in flight, but %.4g calls/s of %.4g ms each amount to %.4g",
                        law.counted(), law.perSecond(), law.timeMillis(), law.product())
                : format(
                        "%.0f clients were active, but %.4g calls/s of %.4g ms and %.4g ms of think time amount to %.4g",
                        law.counted(), law.perSecond(), law.timeMillis(), think, law.product());
        return sides + format(" (%+.1f %%, %.1f %% allowed)", law.differencePercent(), law.allowedPercent());
    }

    private static String format(String text, Object... values) {
        return String.format(Locale.ROOT, text, values);
    }

    /** Returns the mean over ok and failed calls, s. */
    private static double mean(Durations ok, Durations failed) {
        double sum = (ok.count() == 0 ? 0 : ok.meanMillis() * ok.count())
                + (failed.count() == 0 ? 0 : failed.meanMillis() * failed.count());
        return sum / (ok.count() + failed.count()) / 1e3;
    }
}
