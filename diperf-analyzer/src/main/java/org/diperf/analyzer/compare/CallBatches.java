package org.diperf.analyzer.compare;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import org.diperf.analyzer.count.ScopeTally;
import org.diperf.analyzer.load.ClientOwners;
import org.diperf.analyzer.result.Analysis;
import org.diperf.analyzer.result.Summary;
import org.diperf.analyzer.run.ClockFile;
import org.diperf.analyzer.run.PlausibilityCheck;
import org.diperf.analyzer.run.RunFiles;
import org.diperf.analyzer.run.RunReader;
import org.diperf.analyzer.run.TesterClock;
import org.diperf.analyzer.stats.LogBuckets;
import org.diperf.core.sample.Calls;
import org.diperf.core.sample.Outcome;
import org.jspecify.annotations.Nullable;

/**
 * The calls of one part of a run, cut into equally long batches of global time by when they ended: what statistics that must
 * not take neighbouring calls for independent ones are made from. Counts and sums are exact; response times are in buckets
 * of 0.4 % width, the same buckets in every run. Filled by one thread, then read only.
 */
public final class CallBatches {

    /** 256 buckets a power of two: a bucket's middle is at most 0.2 % off. */
    private static final int BITS = 8;

    private static final int MAX_CLIENTS = 1 << 20;

    private final long fromNanos;
    private final long toNanos;
    private final ScopeTally fairTime;
    private final long[] ok;
    private final long[] failed;
    private final double[] responseSums;
    private final double[] serviceSums;
    private final double[] lagSums;
    private final int[][] response;
    private int lowest = Integer.MAX_VALUE;
    private int highest = -1;
    private long[] clients = new long[0];

    /**
     * Makes empty ones.
     *
     * @param fromNanos after the start of the run
     * @param toNanos the first instant behind it
     * @param fairFromNanos from when on a client's calls are counted for themselves
     * @param fairToNanos the first instant behind that
     * @param batches how many
     */
    public CallBatches(long fromNanos, long toNanos, long fairFromNanos, long fairToNanos, int batches) {
        if (toNanos <= fromNanos || batches < 1) {
            throw new IllegalArgumentException("expected from < to and at least one batch, got " + batches
                    + " batches from " + fromNanos + " to " + toNanos + " ns");
        }
        this.fromNanos = fromNanos;
        this.toNanos = toNanos;
        this.fairTime = new ScopeTally(fairFromNanos, fairToNanos);
        ok = new long[batches];
        failed = new long[batches];
        responseSums = new double[batches];
        serviceSums = new double[batches];
        lagSums = new double[batches];
        response = new int[batches][0];
    }

    /**
     * Reads a run's {@code measured} part.
     *
     * @param analysis of the same run, whose windows are taken
     * @return {@code null} where nothing was measured
     * @throws IOException when the run cannot be read
     */
    public static @Nullable CallBatches read(Path runDir, Analysis analysis, int batches) throws IOException {
        Summary.Window window = analysis.summary().measured();
        if (window == null || window.toSeconds() <= window.fromSeconds()) {
            return null;
        }
        RunReader reader = RunReader.ofTesters(runDir, analysis.run(), ClockFile.read(runDir.resolve(RunFiles.CLOCK)));
        if (!reader.isPresent()) {
            return null;
        }
        long from = nanos(window.fromSeconds());
        long to = nanos(window.toSeconds());
        Summary.Window peak = analysis.summary().peak();
        Summary.Fairness fairness = analysis.summary().fairness();
        long fairFrom = fairness == null || peak == null ? to : Math.max(from, nanos(peak.fromSeconds()));
        long fairTo = fairness == null || peak == null ? to : Math.min(to, nanos(peak.toSeconds()));
        CallBatches made = new CallBatches(from, to, fairFrom, Math.max(fairFrom, fairTo), batches);
        if (fairness != null && fairTo > fairFrom) {
            made.clients = new long[Math.min(MAX_CLIENTS, fairness.clients())];
        }
        made.addAll(reader, ClientOwners.of(analysis.run()));
        return made;
    }

    private static long nanos(double seconds) {
        return Math.round(seconds * 1e9);
    }

    /** Adds a call that ended ok; one that ended in another part of the run is passed over. */
    public void ok(int client, long endNanos, long responseNanos, long lagNanos) {
        int batch = batch(endNanos);
        if (batch < 0) {
            return;
        }
        ok[batch]++;
        responseSums[batch] += responseNanos;
        serviceSums[batch] += responseNanos - lagNanos;
        lagSums[batch] += lagNanos;
        int bucket = LogBuckets.index(Math.max(0, responseNanos), BITS);
        lowest = Math.min(lowest, bucket);
        highest = Math.max(highest, bucket);
        int[] counts = response[batch];
        if (bucket >= counts.length) {
            counts = Arrays.copyOf(counts, Math.max(bucket + 64, counts.length * 5 / 4));
            response[batch] = counts;
        }
        counts[bucket]++;
        if (fairTime.holds(endNanos) && client >= 0 && client < MAX_CLIENTS) {
            if (client >= clients.length) {
                clients = Arrays.copyOf(clients, client + 1);
            }
            clients[client]++;
        }
    }

    /** Adds a call that ended and failed. */
    public void failed(long endNanos) {
        int batch = batch(endNanos);
        if (batch >= 0) {
            failed[batch]++;
        }
    }

    private int batch(long endNanos) {
        if (endNanos < fromNanos || endNanos >= toNanos) {
            return -1;
        }
        double share = (endNanos - fromNanos) / (double) (toNanos - fromNanos);
        return Math.min(ok.length - 1, (int) (share * ok.length));
    }

    /** Counts the batches. */
    public int size() {
        return ok.length;
    }

    /** Returns the length of one batch. */
    public double batchSeconds() {
        return (toNanos - fromNanos) / 1e9 / ok.length;
    }

    /** Counts the ok calls of a batch. */
    public long ok(int batch) {
        return ok[batch];
    }

    /** Counts the failed calls of a batch. */
    public long failed(int batch) {
        return failed[batch];
    }

    /** Sums up the response times of a batch's ok calls, ns. */
    public double responseSum(int batch) {
        return responseSums[batch];
    }

    /** Sums up the service times of a batch's ok calls, ns. */
    public double serviceSum(int batch) {
        return serviceSums[batch];
    }

    /** Sums up the send lags of a batch's ok calls, ns. */
    public double lagSum(int batch) {
        return lagSums[batch];
    }

    /** Returns the first bucket that any batch uses; 0 where no call ended ok. */
    public int firstBucket() {
        return highest < 0 ? 0 : lowest;
    }

    /** Counts the buckets from the first to the last that any batch uses. */
    public int buckets() {
        return highest < 0 ? 0 : highest - lowest + 1;
    }

    /**
     * Adds a batch's calls per bucket of response time, so many times.
     *
     * @param into from {@link #firstBucket} on, at least {@link #buckets} long
     */
    public void addResponses(int batch, int times, int[] into) {
        int[] counts = response[batch];
        int first = firstBucket();
        int length = Math.min(counts.length - first, into.length);
        for (int i = 0; i < length; i++) {
            into[i] += times * counts[first + i];
        }
    }

    /** Returns the time in the middle of a bucket, counted from the first that is used, ns. */
    public double nanosOfBucket(int bucket) {
        return LogBuckets.middle(firstBucket() + bucket, BITS);
    }

    /** Returns the ok calls of each client while all of them were active; empty where that is not known. */
    public long[] clients() {
        return clients.clone();
    }

    /** Adds the calls of a run. */
    private void addAll(RunReader reader, ClientOwners owners) throws IOException {
        Calls calls = new Calls();
        reader.read((header, data, tester) -> {
            calls.decode(data, header);
            PlausibilityCheck.check(header, calls);
            owners.check(header, calls);
            add(calls, tester.clock());
        });
    }

    private void add(Calls calls, TesterClock clock) {
        int okWord = calls.outcomes().indexOf(Outcome.OK);
        boolean[] failures = new boolean[calls.outcomes().size()];
        for (int word = 0; word < failures.length; word++) {
            failures[word] = Outcome.isFailure(calls.outcomes().get(word));
        }
        for (int row = 0; row < calls.rows(); row++) {
            long latency = calls.latencyNanos(row);
            long end = Math.max(0, clock.sinceStart(calls.intendedNanos(row) + latency));
            if (calls.outcomeIndex(row) == okWord) {
                ok(calls.client(row), end, latency, calls.lagNanos(row));
            } else if (failures[calls.outcomeIndex(row)]) {
                failed(end);
            }
        }
    }
}
