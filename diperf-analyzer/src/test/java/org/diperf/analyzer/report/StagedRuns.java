package org.diperf.analyzer.report;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Random;
import java.util.stream.Stream;
import org.diperf.analyzer.RunFixture;
import org.diperf.analyzer.StageRecords;
import org.diperf.analyzer.result.Analysis;
import org.diperf.core.run.ProbeRecord;
import org.diperf.core.run.SearchRecord;

/**
 * Runs of several stages against a simulated service: eight servers behind one queue, exponential service times of 20 ms on
 * average, so that it serves 400 calls a second at most. Seeded.
 */
public final class StagedRuns {

    private static final long MILLI = 1_000_000;
    private static final int SERVERS = 8;
    private static final double SERVICE_MILLIS = 20;
    private static final long HOLD = 4000;

    private StagedRuns() {}

    /** Levels of 1 to 128 clients; at the last one the generator is the limit. */
    public static Analysis levels() {
        RunFixture run = fixture();
        int[] clients = {1, 2, 4, 8, 16, 32, 64, 128};
        Service service = new Service(11);
        for (int i = 0; i < clients.length; i++) {
            long from = i * HOLD;
            run.stage(StageRecords.level(i, from, from + HOLD, clients[i], from + 1000));
            closed(run, service, i, from, HOLD, clients[i], clients[i] == 128 ? 40 : 0);
        }
        return analyze(run);
    }

    /** A search for the highest rate at which 99 % of the calls take less than 111 ms. */
    public static Analysis search() {
        RunFixture run = fixture();
        double[] rates = {50, 100, 200, 400, 300, 350, 375, 350};
        String[] purposes = {"step up", "step up", "step up", "step up", "bisect", "bisect", "bisect", "confirm"};
        List<ProbeRecord> probes = new ArrayList<>();
        Service service = new Service(5);
        for (int i = 0; i < rates.length; i++) {
            long from = i * HOLD;
            run.stage(StageRecords.level(i, from, from + HOLD, rates[i], from + 500));
            open(run, service, i, from, rates[i]);
            boolean holds = rates[i] <= 350;
            probes.add(new ProbeRecord(
                    i, rates[i], purposes[i], holds, "response.p99 " + (holds ? "below" : "above") + " 111 ms"));
        }
        run.search(new SearchRecord(
                "rate",
                50,
                20_000,
                List.of("response.p99 < 111ms", "failed < 1%"),
                probes,
                350.0,
                375.0,
                "350/s was confirmed; 375/s does not keep response.p99 < 111ms."));
        return analyze(run);
    }

    /** Up to 20 clients within 6 s, 10 s of all of them, and down again. */
    public static Analysis stages() {
        RunFixture run = fixture()
                .stage(StageRecords.clients(0, 0, 6000, 0, 20))
                .stage(StageRecords.clients(1, 6000, 16_000, 20, 20))
                .stage(StageRecords.clients(2, 16_000, 20_000, 20, 0));
        Service service = new Service(3);
        closed(run, service, 1, 6000, 10_000, 20, 0);
        for (int client = 0; client < 20; client++) {
            one(run, 0, client, 300 * client, 6000);
            one(run, 2, client, 16_000, 20_000 - 200 * client);
        }
        return analyze(run);
    }

    private static RunFixture fixture() {
        return new RunFixture().tester(1, 1_000_000_000L, 5).exchanges(40_000);
    }

    private static void one(RunFixture run, int stage, int client, long from, long to) {
        for (long at = from; at + 25 <= to; at += 25) {
            run.nanos(1, stage, client, 0, at * MILLI, at * MILLI, (at + 25) * MILLI, "ok", 512);
        }
    }

    /** Servers that are free from some instant on, ms. */
    private static final class Service {
        private final Random random;
        private final PriorityQueue<Double> free = new PriorityQueue<>();

        Service(long seed) {
            random = new Random(seed);
            for (int i = 0; i < SERVERS; i++) {
                free.add(0.0);
            }
        }

        /** Gives the end of a call; calls come in order. */
        double end(double arrival) {
            double begin = Math.max(arrival, free.remove());
            double end = begin - SERVICE_MILLIS * Math.log(1 - random.nextDouble());
            free.add(end);
            return end;
        }
    }

    private static void closed(
            RunFixture run, Service service, int stage, long from, long length, int clients, double lag) {
        PriorityQueue<double[]> next = new PriorityQueue<>(Comparator.comparingDouble((double[] due) -> due[0]));
        for (int i = 0; i < clients; i++) {
            next.add(new double[] {from, i});
        }
        for (double[] due = next.poll(); due != null && due[0] < from + length; due = next.poll()) {
            double end = service.end(due[0] + lag);
            call(run, stage, (int) due[1], due[0], due[0] + lag, end);
            next.add(new double[] {end, due[1]});
        }
    }

    private static void call(RunFixture run, int stage, int client, double intended, double sent, double end) {
        run.nanos(
                1,
                stage,
                client,
                0,
                Math.round(intended * MILLI),
                Math.round(sent * MILLI),
                Math.round(end * MILLI),
                "ok",
                512);
    }

    private static void open(RunFixture run, Service service, int stage, long from, double rate) {
        Random random = new Random(stage);
        int client = 0;
        double at = from;
        while (true) {
            at -= 1000 / rate * Math.log(1 - random.nextDouble());
            if (at >= from + HOLD) {
                return;
            }
            call(run, stage, client++ % 100, at, at, service.end(at));
        }
    }

    private static Analysis analyze(RunFixture run) {
        try {
            Path folder = Files.createTempDirectory("staged");
            try {
                return run.analyze(folder);
            } finally {
                try (Stream<Path> all = Files.walk(folder)) {
                    for (Path file : all.sorted(Comparator.reverseOrder()).toList()) {
                        Files.delete(file);
                    }
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
