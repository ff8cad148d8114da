package org.diperf.controller.benchmark;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.diperf.core.sample.Block;
import org.diperf.core.sample.Calls;
import org.diperf.core.sample.Outcome;
import org.diperf.core.sample.SampleReader;

/**
 * Compares what a run recorded with what {@link HoldingServer} recorded.
 *
 * <p>Arguments: {@code RUN_DIR RECORD_FILE SKIP_SECONDS [HOLD_MICROS]}. Prints one JSON object: for each call, the error
 * is its response time (from the intended instant) less the time that the server had it. With a stall in the record and
 * the server's hold given, also the percentiles of the response time next to those that follow from the plan's instants,
 * the hold, and the stall.
 */
public final class Accuracy {

    private record Call(int client, long intendedNanos, long sentNanos, long responseNanos, boolean ok) {}

    private record Served(long arrivedNanos, long leftNanos) {}

    private final List<Call> calls = new ArrayList<>();
    private final Map<String, Served> served = new HashMap<>();
    private int dropped;
    private long stallFrom;
    private long stallTo;

    private Accuracy() {}

    /** Compares, and prints. */
    public static void main(String[] arguments) throws IOException {
        Accuracy accuracy = new Accuracy();
        accuracy.readRun(Path.of(arguments[0]).resolve("samples"));
        accuracy.readRecord(Path.of(arguments[1]));
        long skipNanos = (long) (Double.parseDouble(arguments[2]) * 1e9);
        PrintStream out = System.out;
        if (arguments.length > 3) {
            out.println(accuracy.stall(Long.parseLong(arguments[3]) * 1_000));
        } else {
            out.println(accuracy.errors(skipNanos));
        }
    }

    private void readRun(Path samples) throws IOException {
        Calls decoded = new Calls();
        SampleReader.read(samples, new SampleReader.Visitor() {
            @Override
            public void block(Block header, ByteBuffer data) throws IOException {
                if (header.kind() != Block.CALLS) {
                    return;
                }
                decoded.decode(data, header);
                for (int i = 0; i < decoded.rows(); i++) {
                    if (decoded.outcome(i).equals(Outcome.DROPPED)) {
                        dropped++;
                        continue; // never sent, so no number was given
                    }
                    calls.add(new Call(
                            decoded.client(i),
                            decoded.intendedNanos(i),
                            decoded.intendedNanos(i) + decoded.lagNanos(i),
                            decoded.latencyNanos(i),
                            decoded.outcome(i).equals(Outcome.OK)));
                }
            }

            @Override
            public void damaged(Path file, long offset, String reason) {
                throw new IllegalStateException(file + ": " + reason);
            }
        });
        calls.sort(Comparator.comparingLong(Call::intendedNanos));
    }

    private void readRecord(Path record) throws IOException {
        for (String line : Files.readAllLines(record)) {
            String[] words = line.split(" ");
            if (words[0].equals("stall")) {
                stallFrom = Long.parseLong(words[1]);
                stallTo = Long.parseLong(words[2]);
            } else {
                served.put(words[0] + "." + words[1], new Served(Long.parseLong(words[2]), Long.parseLong(words[3])));
            }
        }
    }

    /** A client's calls are numbered in the order in which they were sent. */
    private String errors(long skipNanos) {
        List<Call> bySend = new ArrayList<>(calls);
        bySend.sort(Comparator.comparingLong(Call::sentNanos));
        long beginNanos = calls.get(0).intendedNanos() + skipNanos;
        Map<Integer, Integer> next = new HashMap<>();
        double[] response = new double[calls.size()];
        double[] service = new double[calls.size()];
        double[] way = new double[calls.size()];
        int count = 0;
        int unknown = 0;
        for (Call call : bySend) {
            int number = next.merge(call.client(), 1, Integer::sum) - 1;
            Served there = served.get(call.client() + "." + number);
            if (there == null || !call.ok()) {
                unknown++;
            } else if (call.intendedNanos() - beginNanos >= 0) {
                long residence = there.leftNanos() - there.arrivedNanos();
                response[count] = (call.responseNanos() - residence) / 1e3;
                service[count] = (call.intendedNanos() + call.responseNanos() - call.sentNanos() - residence) / 1e3;
                way[count] = (there.arrivedNanos() - call.sentNanos()) / 1e3;
                count++;
            }
        }
        return String.format(
                Locale.ROOT,
                "{\"calls\":%d,\"compared\":%d,\"served\":%d,\"unmatched\":%d,\"dropped\":%d,%s,%s,%s}",
                calls.size(),
                count,
                served.size(),
                unknown,
                dropped,
                statistics("responseError", response, count),
                statistics("serviceError", service, count),
                statistics("wayThere", way, count));
    }

    private static String statistics(String name, double[] micros, int count) {
        double[] sorted = Arrays.copyOf(micros, count);
        Arrays.sort(sorted);
        return String.format(
                Locale.ROOT,
                "\"%s\":{\"meanMicros\":%.1f,\"p50Micros\":%.1f,\"p99Micros\":%.1f,\"maxMicros\":%.1f}",
                name,
                Arrays.stream(sorted).average().orElse(Double.NaN),
                quantile(sorted, 0.5),
                quantile(sorted, 0.99),
                quantile(sorted, 1));
    }

    /** The smallest value that at least this share of all reaches. */
    private static double quantile(double[] sorted, double share) {
        return sorted[Math.max(0, (int) Math.ceil(share * sorted.length) - 1)];
    }

    private String stall(long holdNanos) {
        if (stallFrom == 0) {
            throw new IllegalStateException("expected a stall in the server's record, got none");
        }
        double[] expected = new double[calls.size()];
        double[] seen = new double[calls.size()];
        for (int i = 0; i < expected.length; i++) {
            Call call = calls.get(i);
            expected[i] = (answered(call.intendedNanos(), holdNanos) - call.intendedNanos()) / 1e6;
            seen[i] = call.responseNanos() / 1e6;
        }
        Arrays.sort(expected);
        Arrays.sort(seen);
        StringBuilder json = new StringBuilder();
        json.append(String.format(
                Locale.ROOT, "{\"calls\":%d,\"stallMillis\":%.1f", calls.size(), (stallTo - stallFrom) / 1e6));
        String[] names = {"p50", "p99", "p999", "max"};
        double[] shares = {0.5, 0.99, 0.999, 1};
        for (int i = 0; i < names.length; i++) {
            double right = quantile(expected, shares[i]);
            double found = quantile(seen, shares[i]);
            json.append(String.format(
                    Locale.ROOT,
                    ",\"%s\":{\"expectedMillis\":%.3f,\"foundMillis\":%.3f,\"offPercent\":%.3f}",
                    names[i],
                    right,
                    found,
                    (found - right) / right * 100));
        }
        return json.append('}').toString();
    }

    /** An answer that would leave in the stall leaves at its end. */
    private long answered(long arrivesNanos, long holdNanos) {
        long leaves = arrivesNanos + holdNanos;
        return leaves - stallFrom >= 0 && leaves - stallTo < 0 ? stallTo : leaves;
    }
}
