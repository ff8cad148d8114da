package org.diperf.controller.acceptance;

import java.io.IOException;
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
import java.util.TreeMap;
import java.util.function.IntFunction;
import org.diperf.core.clock.ClockBounds;
import org.diperf.core.clock.Corridor;
import org.diperf.core.clock.Exchange;
import org.diperf.core.clock.Source;
import org.diperf.core.sample.Block;
import org.diperf.core.sample.Calls;
import org.diperf.core.sample.SampleReader;

/** Compares the global times of a run with the truth: testers and controller share this machine's monotonic clock. */
final class ClockTruth {

    private record Stamped(int tester, int client, long sentNanos, long endedNanos) {}

    /** Turns an instant of a tester's wrong clock into the true one. */
    interface Truth {
        long trueNanos(long localNanos);
    }

    /**
     * Errors of the global times of one tester.
     *
     * @param micros absolute, sorted
     * @param outside how many were further off than their bound
     */
    record Errors(int tester, double[] micros, long outside, double boundMicros) {

        double mean() {
            return Arrays.stream(micros).average().orElse(Double.NaN);
        }

        double percentile(double share) {
            return micros[(int) Math.min(micros.length - 1, Math.floor(share * micros.length))];
        }

        @Override
        public String toString() {
            return String.format(
                    Locale.ROOT,
                    "tester-%d: %d instants, error mean %.1f p99 %.1f max %.1f µs, %d outside the bound of %.1f µs",
                    tester,
                    micros.length,
                    mean(),
                    percentile(0.99),
                    percentile(1),
                    outside,
                    boundMicros);
        }
    }

    private final List<Stamped> calls = new ArrayList<>();
    private final Map<Integer, Corridor> corridors = new TreeMap<>();
    private final Map<String, Long> rows = new TreeMap<>();
    private final List<Long> wallMillis = new ArrayList<>();

    static ClockTruth read(Path run) throws IOException {
        ClockTruth read = new ClockTruth();
        Map<Integer, ClockBounds> bounds = new HashMap<>();
        List<String> lines = Files.readAllLines(run.resolve("clock.csv"));
        for (String line : lines.subList(1, lines.size())) {
            String[] fields = line.split(",");
            read.rows.merge(fields[2], 1L, Long::sum);
            if (!fields[4].equals("0")) {
                read.wallMillis.add(Long.parseLong(fields[4]));
            }
            long[] stamps =
                    Arrays.stream(fields).skip(5).mapToLong(Long::parseLong).toArray();
            bounds.computeIfAbsent(Integer.parseInt(fields[0]), tester -> new ClockBounds())
                    .add(
                            new Exchange(stamps[0], stamps[1], stamps[2], stamps[3]),
                            Source.valueOf(fields[2].toUpperCase(Locale.ROOT)),
                            Long.parseLong(fields[4]));
        }
        bounds.forEach(
                (tester, of) -> read.corridors.put(tester, Corridor.of(of).orElseThrow()));
        Calls decoded = new Calls();
        SampleReader.read(run.resolve("samples"), new SampleReader.Visitor() {
            @Override
            public void block(Block header, ByteBuffer data) throws IOException {
                if (header.kind() == Block.CALLS) {
                    decoded.decode(data, header);
                    for (int row = 0; row < decoded.rows(); row++) {
                        long intended = decoded.intendedNanos(row);
                        read.calls.add(new Stamped(
                                header.tester(),
                                decoded.client(row),
                                intended + decoded.lagNanos(row),
                                intended + decoded.latencyNanos(row)));
                    }
                }
            }

            @Override
            public void damaged(Path file, long offset, String reason) {
                throw new AssertionError(file + " at " + offset + ": " + reason);
            }
        });
        read.calls.sort(Comparator.comparingLong(Stamped::sentNanos));
        return read;
    }

    /** Counts the rows of the clock file by their source. */
    Map<String, Long> rows() {
        return rows;
    }

    /** Returns what testers' wall clocks showed, in the order of the rows. */
    List<Long> wallMillis() {
        return wallMillis;
    }

    /** Compares begin and end of every call. */
    List<Errors> errors(IntFunction<Truth> truths) {
        List<Errors> all = new ArrayList<>();
        corridors.forEach((tester, corridor) -> {
            Truth truth = truths.apply(tester);
            List<Double> micros = new ArrayList<>();
            long outside = 0;
            double bound = 0;
            for (Stamped call : calls) {
                if (call.tester == tester) {
                    for (long local : new long[] {call.sentNanos, call.endedNanos}) {
                        long error = Math.abs(corridor.globalNanos(local) - truth.trueNanos(local));
                        outside += error > corridor.boundNanos(local) ? 1 : 0;
                        bound = Math.max(bound, corridor.boundNanos(local) / 1e3);
                        micros.add(error / 1e3);
                    }
                }
            }
            double[] sorted =
                    micros.stream().mapToDouble(Double::doubleValue).sorted().toArray();
            all.add(new Errors(tester, sorted, outside, bound));
        });
        return all;
    }

    /**
     * Counts the calls that the service had before they were sent or after they had ended, by more than the bound: a
     * client's calls are numbered in the order in which they were sent.
     */
    long contradictions(Map<String, RecordingServer.Served> served) {
        Map<Integer, Integer> next = new HashMap<>();
        long wrong = 0;
        long compared = 0;
        for (Stamped call : calls) {
            Corridor corridor = corridors.get(call.tester);
            String name = call.client + "." + (next.merge(call.client, 1, Integer::sum) - 1);
            RecordingServer.Served there = served.get(name);
            if (there != null && corridor != null) {
                compared++;
                boolean early = corridor.globalNanos(call.sentNanos) - corridor.boundNanos(call.sentNanos)
                        > there.arrivedNanos();
                boolean late = corridor.globalNanos(call.endedNanos) + corridor.boundNanos(call.endedNanos)
                        < there.leftNanos();
                wrong += early || late ? 1 : 0;
            }
        }
        if (compared < calls.size() / 2) {
            throw new AssertionError(
                    "Expected the server's record of the calls, got " + compared + " of " + calls.size());
        }
        return wrong;
    }
}
