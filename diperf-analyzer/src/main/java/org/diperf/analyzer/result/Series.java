package org.diperf.analyzer.result;

import java.util.Arrays;
import org.diperf.analyzer.stats.Statistic;

/**
 * One value a quantum, all arrays equally long, at most 4,096; {@code NaN} where there is none. Quantum i spans
 * {@code [i x quantumSeconds, (i + 1) x quantumSeconds)} after the start of the run; the last one may be cut short by the
 * end of the run.
 *
 * @param quantumSeconds width, at least what the experiment asked for (it doubles until 4,096 quanta suffice)
 * @param durationSeconds of the run
 * @param activeClients time-weighted mean of clients between their first start and their end
 * @param inFlight time-weighted mean of calls sent and not ended
 * @param throughput ok calls that ended, per second
 * @param responses response times of ok calls that ended, ms: a row for each listed statistic, in their order
 * @param leasts what the same calls took at least, without what the load generator may have added, likewise; {@code NaN} where that
 *     is not known
 * @param failed failed calls that ended, per second
 * @param dropped arrivals dropped, per second
 * @param lagMean mean send lag of calls sent, ms
 * @param lagP99 99th percentile of the send lag of calls sent, ms
 * @param networkMs median network round trip to the target observed by testers, ms
 * @param bytes payload moved by ok calls, bytes per second
 */
public record Series(
        double quantumSeconds,
        double durationSeconds,
        double[] activeClients,
        double[] inFlight,
        double[] throughput,
        double[][] responses,
        double[][] leasts,
        double[] failed,
        double[] dropped,
        double[] lagMean,
        double[] lagP99,
        double[] networkMs,
        double[] bytes) {

    /** A series has no more quanta; those of a longer run are wider. */
    public static final int MAX_QUANTA = 4096;

    /** Returns a listed statistic of response times. */
    public double[] response(Statistic statistic) {
        return responses[Statistic.listed().indexOf(statistic)];
    }

    /** Returns what a listed statistic of response times is at least. */
    public double[] least(Statistic statistic) {
        return leasts[Statistic.listed().indexOf(statistic)];
    }

    /** Counts the quanta. */
    public int size() {
        return throughput.length;
    }

    /** Counts the quanta that are whole: what the last one holds a part of looks like a fall. */
    public int wholeQuanta() {
        return (int) Math.min(size(), Math.floor(durationSeconds / quantumSeconds + 1e-6));
    }

    /** Returns the same to be drawn: without a last quantum that is not whole, unless it is the only one. */
    public Series drawn() {
        int drawn = Math.max(wholeQuanta(), Math.min(1, size()));
        return drawn == size()
                ? this
                : new Series(
                        quantumSeconds,
                        durationSeconds,
                        Arrays.copyOf(activeClients, drawn),
                        Arrays.copyOf(inFlight, drawn),
                        Arrays.copyOf(throughput, drawn),
                        first(drawn, responses),
                        first(drawn, leasts),
                        Arrays.copyOf(failed, drawn),
                        Arrays.copyOf(dropped, drawn),
                        Arrays.copyOf(lagMean, drawn),
                        Arrays.copyOf(lagP99, drawn),
                        Arrays.copyOf(networkMs, drawn),
                        Arrays.copyOf(bytes, drawn));
    }

    private static double[][] first(int quanta, double[][] rows) {
        return Arrays.stream(rows).map(row -> Arrays.copyOf(row, quanta)).toArray(double[][]::new);
    }

    /** Returns the middle of a quantum, in seconds after the start of the run. */
    public double middleSeconds(int quantum) {
        double from = quantum * quantumSeconds;
        return (from + Math.min(from + quantumSeconds, durationSeconds)) / 2;
    }
}
