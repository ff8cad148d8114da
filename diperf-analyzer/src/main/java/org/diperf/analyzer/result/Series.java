package org.diperf.analyzer.result;

import static java.util.Objects.requireNonNull;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import org.diperf.analyzer.stats.Statistic;

/**
 * Values over time: one a quantum for each {@link #COLUMNS declared column}; {@code NaN} where there is none. Quantum i spans
 * {@code [i x quantumSeconds, (i + 1) x quantumSeconds)} after the start of the run; the last one may be cut short by the
 * end of the run. A new series is one more column here: files, figures and their names follow.
 *
 * @param quantumSeconds width, at least what the experiment asked for (it doubles until 4,096 quanta suffice)
 * @param durationSeconds of the run
 * @param size number of quanta, at most 4,096
 * @param values an array of that length for each column; a column that is missing was not measured
 */
public record Series(double quantumSeconds, double durationSeconds, int size, Map<Column, double[]> values) {

    /** A series has no more quanta; those of a longer run are wider. */
    public static final int MAX_QUANTA = 4096;

    private static final List<Column> DECLARED = new ArrayList<>();

    /** Time-weighted mean of clients between their first start and their end. */
    public static final Column ACTIVE_CLIENTS =
            column("activeClients", "active clients", "", quantum -> quantum.mean(Span.ACTIVE), "activeClients");

    /** Time-weighted mean of calls sent and not ended. */
    public static final Column IN_FLIGHT =
            column("inFlight", "calls in flight", "", quantum -> quantum.mean(Span.IN_FLIGHT), "inFlight");

    /** Ok calls that ended, per second. */
    public static final Column THROUGHPUT =
            column("throughput", "", "calls/s", quantum -> quantum.perSecond(Count.OK), "throughput_per_s");

    static {
        column("response", "response time, mean", "ms", quantum -> quantum.millis(Times.RESPONSE, Statistic.MEAN), "");
        for (Statistic each : Statistic.rising()) {
            column(
                    "response." + each.path(),
                    "",
                    "ms",
                    quantum -> quantum.millis(Times.RESPONSE, each),
                    "response_" + each.key() + "_ms");
            column("least." + each.path(), "", "ms", quantum -> quantum.leastMillis(each), "");
        }
    }

    /** Failed calls that ended, per second. */
    public static final Column FAILED =
            column("failed", "failed", "calls/s", quantum -> quantum.perSecond(Count.FAILED), "failed_per_s");

    /** Arrivals dropped, per second. */
    public static final Column DROPPED =
            column("dropped", "dropped", "calls/s", quantum -> quantum.perSecond(Count.DROPPED), "dropped_per_s");

    /** Send lag of calls sent, ms. */
    public static final Column LAG_P99 =
            column("lag.p99", "", "ms", quantum -> quantum.millis(Times.LAG, Statistic.P99), "lag_p99_ms");

    public static final Column LAG_MEAN =
            column("lag.mean", "", "ms", quantum -> quantum.millis(Times.LAG, Statistic.MEAN), "");

    /** Median network round trip to the target observed by testers, ms. */
    public static final Column NETWORK = column(
            "network",
            "network round trip",
            "ms",
            quantum -> quantum.millis(Times.NETWORK, Statistic.P50),
            "network_ms");

    /** Payload moved by ok calls. */
    public static final Column BYTES =
            column("bytes", "", "bytes/s", quantum -> quantum.perSecond(Count.BYTES), "bytes_per_s");

    /** All columns, in the order of files. */
    public static final List<Column> COLUMNS = List.copyOf(DECLARED);

    private static final Map<String, Column> BY_NAME =
            COLUMNS.stream().collect(Collectors.toMap(Column::name, Function.identity()));

    /** What is counted in each quantum. */
    public enum Count {
        OK,
        FAILED,
        DROPPED,
        BYTES
    }

    /** Of what each quantum has a set of times. */
    public enum Times {
        RESPONSE,
        /** What ok calls took at least. */
        LEAST,
        LAG,
        NETWORK
    }

    /** What lasts, and is averaged over each quantum. */
    public enum Span {
        ACTIVE,
        IN_FLIGHT
    }

    /** What was counted in one quantum. Times are in ms, {@code NaN} where there are none. */
    public interface Quantum {

        double perSecond(Count of);

        double mean(Span of);

        double millis(Times of, Statistic statistic);

        /** Returns what a statistic of response times is at least, without what the load generator may have added. */
        double leastMillis(Statistic statistic);
    }

    /**
     * A series over time.
     *
     * @param name by which figures of an experiment file ask for it
     * @param words what it is; empty: those of the number of the run that has this name
     * @param unit of its values: {@code ms}, {@code calls/s}, {@code bytes/s}, or empty
     * @param of its value in a quantum
     * @param inFiles its heading in {@code series.csv}; empty: it is not there
     */
    public record Column(String name, String words, String unit, ToDoubleFunction<Quantum> of, String inFiles) {}

    private static Column column(String name, String words, String unit, ToDoubleFunction<Quantum> of, String inFiles) {
        Column column = new Column(name, words, unit, of, inFiles);
        DECLARED.add(column);
        return column;
    }

    /** Returns the values of a column; nobody changes them. */
    public double[] of(Column column) {
        double[] found = values.get(column);
        if (found != null) {
            return found;
        }
        double[] none = new double[size];
        Arrays.fill(none, Double.NaN);
        return none;
    }

    /** Returns a listed statistic of response times. */
    public double[] response(Statistic statistic) {
        return of(named("response.", statistic));
    }

    /** Returns what a listed statistic of response times is at least; {@code NaN} where that is not known. */
    public double[] least(Statistic statistic) {
        return of(named("least.", statistic));
    }

    private static Column named(String times, Statistic statistic) {
        return requireNonNull(BY_NAME.get(times + statistic.path()), times);
    }

    /** Counts the quanta that are whole: what the last one holds a part of looks like a fall. */
    public int wholeQuanta() {
        return (int) Math.min(size, Math.floor(durationSeconds / quantumSeconds + 1e-6));
    }

    /** Returns the same to be drawn: without a last quantum that is not whole, unless it is the only one. */
    public Series drawn() {
        int drawn = Math.max(wholeQuanta(), Math.min(1, size));
        Map<Column, double[]> shown = new HashMap<>();
        values.forEach((column, all) -> shown.put(column, Arrays.copyOf(all, drawn)));
        return drawn == size ? this : new Series(quantumSeconds, durationSeconds, drawn, shown);
    }

    /** Returns the middle of a quantum, in seconds after the start of the run. */
    public double middleSeconds(int quantum) {
        double from = quantum * quantumSeconds;
        return (from + Math.min(from + quantumSeconds, durationSeconds)) / 2;
    }
}
