package org.diperf.analyzer.live;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.diperf.analyzer.measure.MeasureSource;
import org.diperf.analyzer.measure.Measures;
import org.diperf.analyzer.measure.Value;
import org.diperf.analyzer.result.CallStatistics;
import org.diperf.analyzer.result.DetailedCall;
import org.diperf.analyzer.result.PartCounts;
import org.diperf.analyzer.result.Summary.CallCounts;
import org.diperf.analyzer.result.Summary.Throughput;
import org.diperf.analyzer.run.DetailedCalls;
import org.diperf.analyzer.sets.Bounds;
import org.diperf.analyzer.sets.Durations;
import org.diperf.analyzer.sets.Durations.Kind;
import org.diperf.analyzer.stats.Statistics;
import org.diperf.core.sample.Block;
import org.diperf.core.sample.CallExchange;
import org.diperf.core.sample.CallExchanges;
import org.diperf.core.sample.Calls;
import org.diperf.core.sample.CorruptBlockException;
import org.diperf.core.sample.Observations;
import org.diperf.core.sample.Outcome;
import org.jspecify.annotations.Nullable;

/**
 * The numbers of a whole run under way, for whoever watches it closely: over time, in all, by cause of failure, kind of request,
 * group and tester, and from which blocks they are. Holds a few MB, however long the run is. Confined to one thread.
 */
public final class RunSeries {

    private static final int MAX_CAUSES = 200;
    private static final String OTHER_CAUSES = "other causes";
    private static final double SECOND = 1e9;
    /** Lag is shown of about so long a time. */
    private static final long LAG_NANOS = 5_000_000_000L;

    private final long startNanos;
    private final TimeSeries rows = new TimeSeries();
    private final Part all = new Part("", Kind.TOTAL);
    private final Durations leasts = new Durations(Kind.TOTAL);
    private final Durations lags = new Durations(Kind.TOTAL);
    private final Map<String, Cause> causes = new LinkedHashMap<>();
    private final List<Part> requests;
    private final List<Part> groups = new ArrayList<>();
    /** Number of the first client of each group, ascending. */
    private final List<Integer> firstClients = new ArrayList<>();

    private final Map<Integer, Tester> testers = new TreeMap<>();
    private final Observations observations = new Observations();
    private final CallBuckets buckets;
    private final DetailedCalls shown = new DetailedCalls();
    private long dropped;
    private long unfinished;

    /**
     * @param startNanos the global start instant
     * @param requests names of the kinds of request, in the order of their numbers
     */
    public RunSeries(long startNanos, List<String> requests) {
        this.startNanos = startNanos;
        this.buckets = new CallBuckets(requests);
        this.requests =
                requests.stream().map(name -> new Part(name, Kind.STAGE)).toList();
    }

    /** Notes what the load is at an instant after the start. */
    public void load(long sinceStart, int clients, int inFlight) {
        if (sinceStart >= 0) {
            rows.load(sinceStart, clients, inFlight);
        }
    }

    /** Adds a group: its clients are those from its first one to that of the next group. In the order of the file. */
    public void group(String name, int firstClient) {
        groups.add(new Part(name, Kind.STAGE));
        firstClients.add(firstClient);
    }

    /**
     * One quantum. Times are in ms, {@code NaN} without an ok call.
     *
     * @param index from 0
     * @param ok calls that ended well in it
     * @param failed calls that ended otherwise
     * @param dropped arrivals
     * @param clients mean of the active ones; {@code NaN}: nobody told
     * @param inFlight mean of the calls under way; {@code NaN}: nobody told
     */
    public record Row(
            int index,
            long ok,
            long failed,
            long dropped,
            double p50,
            double p90,
            double p99,
            double max,
            double clients,
            double inFlight) {}

    /**
     * Why calls failed.
     *
     * @param cause word without its mark
     * @param count calls
     * @param firstSeconds when the first one ended, after the start
     */
    public record CauseLook(String cause, long count, double firstSeconds) {}

    /** The calls of a kind of request or of a group. Times are in ms, {@code NaN} without an ok call. */
    public record PartLook(String name, long ok, long failed, double p50, double p95, double p99, double max) {}

    /**
     * The calls of a tester.
     *
     * @param lagP99Ms 99th percentile of the send lag of the last seconds; {@code NaN}: none was sent
     * @param cpu processors it used in its last second, such as 0.5; {@code NaN}: not told
     * @param blocks that were counted, as ranges of numbers; {@code many}: too many ranges
     */
    public record TesterLook(int tester, long ok, long failed, double lagP99Ms, double cpu, String blocks) {}

    /**
     * One look; immutable.
     *
     * @param version to be given at the next look
     * @param quantumNanos length of a row
     * @param rows that changed since the look asked for; all of them where the quantum has changed
     * @param numbers of all calls since the start
     * @param causes of failures, commonest first
     * @param buckets of testers and kinds of request that had calls
     * @param shown calls that are shown whole: of each cause of failure the first, then the slowest ok ones
     * @param shownVersion another one where these may have changed
     */
    public record Look(
            long version,
            long quantumNanos,
            List<Row> rows,
            Numbers numbers,
            List<CauseLook> causes,
            List<PartLook> requests,
            List<PartLook> groups,
            List<TesterLook> testers,
            List<BucketLook> buckets,
            List<DetailedCall> shown,
            long shownVersion) {}

    /**
     * The response times of one tester's calls of one kind.
     *
     * @param tester its number, or {@code others}
     * @param request its name, or {@code others}
     * @param counts ok calls up to each of {@link #bucketLimits}, without those of lower ones, and beyond the last; not to be changed
     * @param fine the same calls by limits that grow by 2<sup>1/8</sup>, from {@link #firstFineBucket} on; not to be changed
     * @param seconds sum of their response times
     * @param failed calls
     */
    public record BucketLook(String tester, String request, long[] counts, long[] fine, double seconds, long failed) {

        /** Counts the ok calls. */
        public long ok() {
            return Arrays.stream(counts).sum();
        }
    }

    /** Returns the upper limits of buckets, s, ascending. */
    public static List<Double> bucketLimits() {
        return CallBuckets.LIMITS;
    }

    /** Returns the number of the first fine bucket: that of number i holds what is above 2<sup>i/8</sup> s, up to 2<sup>(i+1)/8</sup> s. */
    public static int firstFineBucket() {
        return CallBuckets.FIRST_FINE;
    }

    /** The numbers of all calls since the start. */
    public record Numbers(CallStatistics numbers) implements PartCounts {

        /**
         * Returns what a path such as {@code response.p99} stands for, as an expression compares it.
         *
         * @return {@code null} when it is not known of a run under way
         */
        public @Nullable Object raw(String path) {
            return Measures.find(path, MeasureSource.RUN_UNDER_WAY)
                    .map(measure -> measure.of(this))
                    .map(Value::raw)
                    .orElse(null);
        }
    }

    private static final class Part {
        private final String name;
        private final Durations responses;
        private long failed;

        Part(String name, Kind kind) {
            this.name = name;
            this.responses = new Durations(kind);
        }

        PartLook look() {
            return new PartLook(
                    name,
                    responses.count(),
                    failed,
                    responses.quantileMillis(0.5),
                    responses.quantileMillis(0.95),
                    responses.quantileMillis(0.99),
                    responses.maxMillis());
        }
    }

    private static final class Cause {
        private long count;
        private long firstNanos = Long.MAX_VALUE;
    }

    private static final class Tester {
        private final CountedBlocks blocks = new CountedBlocks();
        private Durations lags = new Durations(Kind.QUANTUM);
        private Durations lagsBefore = new Durations(Kind.QUANTUM);
        private long lagsFrom;
        private long ok;
        private long failed;
        private double cpu = Double.NaN;

        void lag(long nanos, long atNanos) {
            if (atNanos - lagsFrom >= LAG_NANOS) {
                lagsBefore = atNanos - lagsFrom < 2 * LAG_NANOS ? lags : new Durations(Kind.QUANTUM);
                lags = new Durations(Kind.QUANTUM);
                lagsFrom = atNanos;
            }
            lags.add(nanos);
        }

        TesterLook look(int number) {
            Durations both = new Durations(Kind.QUANTUM);
            both.addAll(lagsBefore);
            both.addAll(lags);
            return new TesterLook(number, ok, failed, both.quantileMillis(0.99), cpu, blocks.text());
        }
    }

    /**
     * Adds the calls of a block.
     *
     * @param calls decoded, with the columns of bounds
     * @param offsetNanos global time minus the tester's clock, as far as it is known
     */
    void add(Block header, Calls calls, long offsetNanos) {
        Tester tester = testers.computeIfAbsent(header.tester(), number -> new Tester());
        tester.blocks.add(header.number());
        for (int row = 0; row < calls.rows(); row++) {
            String outcome = calls.outcome(row);
            long latency = calls.latencyNanos(row);
            long ended = calls.intendedNanos(row) + latency + offsetNanos - startNanos;
            if (outcome.equals(Outcome.DROPPED)) {
                dropped++;
                rows.dropped(ended);
                continue;
            }
            lags.add(calls.lagNanos(row));
            tester.lag(calls.lagNanos(row), ended);
            if (outcome.equals(Outcome.OK)) {
                tester.ok++;
                rows.ok(ended, latency);
                all.responses.add(latency);
                long least = Bounds.least(calls, row);
                if (least >= 0) {
                    leasts.add(least);
                }
                buckets.ok(header.tester(), calls.request(row), latency);
                add(calls, row, latency);
            } else if (Outcome.isFailure(outcome)) {
                tester.failed++;
                rows.failed(ended);
                all.failed++;
                buckets.failed(header.tester(), calls.request(row));
                failed(outcome, ended);
                add(calls, row, -1);
            } else {
                unfinished++;
            }
        }
    }

    /** @param latency negative: it failed */
    private void add(Calls calls, int row, long latency) {
        // A tester may send any number.
        int request = calls.request(row);
        if (request >= 0 && request < requests.size()) {
            add(requests.get(request), latency);
        }
        int group = firstClients.size() - 1;
        while (group >= 0 && firstClients.get(group) > calls.client(row)) {
            group--;
        }
        if (group >= 0) {
            add(groups.get(group), latency);
        }
    }

    private static void add(Part part, long latency) {
        if (latency < 0) {
            part.failed++;
        } else {
            part.responses.add(latency);
        }
    }

    private void failed(String outcome, long ended) {
        String name = causes.size() < MAX_CAUSES || causes.containsKey(outcome) ? outcome : OTHER_CAUSES;
        Cause cause = causes.computeIfAbsent(name, any -> new Cause());
        cause.count++;
        cause.firstNanos = Math.min(cause.firstNanos, ended);
    }

    /**
     * Adds a block of observations: what the testers say of themselves.
     *
     * @throws CorruptBlockException when it cannot be decoded
     */
    public void observe(Block header, ByteBuffer data) throws CorruptBlockException {
        observations.decode(data, header);
        Tester tester = testers.computeIfAbsent(header.tester(), number -> new Tester());
        tester.blocks.add(header.number());
        for (int row = 0; row < observations.rows(); row++) {
            if (observations.metric(row).equals("tester.cpu")) {
                tester.cpu = observations.value(row);
            }
        }
    }

    /**
     * Adds a block of exchanges: calls that are shown whole.
     *
     * @param offsetNanos global time minus the tester's clock, as far as it is known
     * @throws CorruptBlockException when it cannot be decoded
     */
    void show(Block header, ByteBuffer data, long offsetNanos) throws CorruptBlockException {
        List<CallExchange> exchanges = CallExchanges.decode(data, header);
        testers.computeIfAbsent(header.tester(), number -> new Tester()).blocks.add(header.number());
        for (CallExchange exchange : exchanges) {
            shown.add(exchange, header.tester(), exchange.endNanos() + offsetNanos - startNanos);
        }
    }

    /**
     * Looks at the run.
     *
     * @param since version of an earlier look, whose rows are known; 0: none is
     * @param nowNanos on the global clock
     */
    public Look look(long since, long nowNanos) {
        List<CauseLook> found = causes.entrySet().stream()
                .map(entry -> new CauseLook(
                        entry.getKey(), entry.getValue().count, Math.max(0, entry.getValue().firstNanos) / SECOND))
                .sorted(Comparator.comparingLong(CauseLook::count).reversed())
                .toList();
        List<Row> changed = rows.since(since);
        return new Look(
                rows.look(),
                rows.quantumNanos(),
                changed,
                new Numbers(numbers(Math.max(0, nowNanos - startNanos) / SECOND)),
                found,
                requests.stream().map(Part::look).toList(),
                groups.stream().map(Part::look).toList(),
                testers.entrySet().stream()
                        .map(entry -> entry.getValue().look(entry.getKey()))
                        .toList(),
                buckets.look(),
                shown.chosen(found.stream().map(CauseLook::cause).toList()),
                shown.version());
    }

    private CallStatistics numbers(double seconds) {
        long ok = all.responses.count();
        long ended = ok + all.failed;
        return new CallStatistics(
                new CallCounts(
                        ended + dropped + unfinished,
                        ended + unfinished,
                        ended,
                        ok,
                        all.failed,
                        0,
                        dropped,
                        unfinished,
                        Map.of(),
                        0),
                null,
                seconds > 0 ? new Throughput(ok / seconds, null, null, null) : null,
                statistics(all.responses),
                null,
                null,
                lags.statistics());
    }

    private @Nullable Statistics statistics(Durations responses) {
        return copy(responses).statistics(copy(leasts));
    }

    /** Statistics may be asked for later, and by another thread. */
    private static Durations copy(Durations of) {
        Durations copy = new Durations(Kind.TOTAL);
        copy.addAll(of);
        return copy;
    }
}
