package org.diperf.analyzer;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.DoubleSupplier;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.diperf.analyzer.figure.Figures;
import org.diperf.analyzer.result.Analysis;
import org.diperf.core.folder.ScratchFolder;
import org.diperf.core.run.ProbeRecord;
import org.diperf.core.run.RunRecord.End;
import org.diperf.core.run.SearchRecord;

/**
 * Runs of every shape that tables, figures and reports must survive, each simulated, written and analysed once for all tests. What
 * they look like is what the analyzer makes of their calls, and nothing else.
 */
public final class ExampleRuns {

    private static final long MILLI = 1_000_000;
    private static final long HOUR = 3_600_000_000_000L;

    /** How long each level of a staged run lasts, ms. */
    private static final long HOLD = 4000;

    private static final int POOL = 8;
    private static final double POOL_MILLIS = 20;

    private static final Map<String, Supplier<RunFixture>> RUNS = Map.ofEntries(
            Map.entry("saturation", ExampleRuns::saturation),
            Map.entry("open", ExampleRuns::open),
            Map.entry("empty", ExampleRuns::empty),
            Map.entry("all-failed", ExampleRuns::allFailed),
            Map.entry("huge", ExampleRuns::huge),
            Map.entry("one-call", ExampleRuns::oneCall),
            Map.entry("hostile", ExampleRuns::hostile),
            Map.entry("levels", ExampleRuns::levels),
            Map.entry("search", ExampleRuns::search),
            Map.entry("stages", ExampleRuns::stages),
            Map.entry("groups", ExampleRuns::groups),
            Map.entry("monitored", ExampleRuns::monitored));

    private static final Map<String, Analysis> ANALYSED = new ConcurrentHashMap<>();
    private static final Map<String, Figures.Result> DRAWN = new ConcurrentHashMap<>();

    private ExampleRuns() {}

    /** Names all of them. */
    public static Stream<String> names() {
        return RUNS.keySet().stream().sorted();
    }

    /** Returns one of them. */
    public static Analysis named(String name) {
        return ANALYSED.computeIfAbsent(name, key -> {
            Supplier<RunFixture> run = RUNS.get(key);
            if (run == null) {
                throw new IllegalArgumentException("Expected one of " + RUNS.keySet() + ", got " + key);
            }
            return analyze(run.get());
        });
    }

    /** Draws the figures of one of them where they can be looked at. */
    public static Figures.Result drawn(String name) {
        return DRAWN.computeIfAbsent(name, key -> {
            try {
                Figures.Result drawn = Figures.draw(named(key));
                Figures.write(drawn, folder(key).resolve("figures"));
                return drawn;
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
    }

    /** Returns where the report of one of them is kept, so that it can be looked at. */
    public static Path folder(String name) throws IOException {
        return Files.createDirectories(Path.of("target", "reports", name));
    }

    private static Analysis analyze(RunFixture run) {
        try (ScratchFolder folder = ScratchFolder.temporary()) {
            return run.analyze(folder.path());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * 64 clients on 4 testers, one every second, against 24 servers of 60 ms each, which serve 400 calls a second. The testers are
     * ever farther away; the first one stands still once.
     */
    private static RunFixture saturation() {
        RunFixture run = new RunFixture()
                .named("api", "http://10.0.0.7:8080/items")
                .requests("browse", "order")
                .thresholds("failed < 1%", "response.p95 < 100ms", "verdict == valid");
        for (int tester = 1; tester <= 4; tester++) {
            run.tester(tester, tester * HOUR, tester);
        }
        run.closed(64, 1000, 80_000).exchanges(145_000);
        new SimulatedLoad(run, SimulatedService.lognormal(24, 57, 0.3, 42))
                .testers(1, 4)
                .kinds(2)
                .lag(0.04)
                .outcomes(call -> call % 9973 == 0 ? "status 503" : call % 2999 == 0 ? "timeout" : "ok")
                .closed(0, 0, 64, 0, 1000, 80_000);
        for (int tester = 1; tester <= 4; tester++) {
            for (long at = 1000; at < 143_000; at += 1000) {
                run.observation(tester, "network.rtt", at, 5 * tester)
                        .observation(tester, "tester.cpu", at, 0.05 * tester)
                        .observation(tester, "tester.gc", at, 4)
                        .observation(tester, "tester.hiccup", at, tester == 1 && at == 100_000 ? 80 : 2);
            }
        }
        return run;
    }

    /** 200 calls a second, whose service stands still from 50 s to 56 s; a tester is lost at 41 s. */
    private static RunFixture open() {
        RunFixture run = new RunFixture()
                .named("orders", "http://10.0.0.7:8080")
                .requests("default")
                .thresholds("failed < 1%", "response.p95 < 30s")
                .tester(1, HOUR, 5)
                .tester(2, -HOUR, -5)
                .lost(2, 41_000)
                .open(200, "constant", 10_000, 60_000)
                .exchanges(75_000);
        double[] at = {0};
        // The n-th call of a ramp is due when the area below the rate is n.
        DoubleSupplier gaps = () -> {
            double rate = Math.max(1, Math.min(200, at[0] / 50));
            at[0] += 1000 / rate;
            return 1000 / rate;
        };
        new SimulatedLoad(run, SimulatedService.lognormal(40, 12, 0.4, 7).stalled(50_000, 56_000))
                .testers(1, 2)
                .lost(2, 41_000)
                .outcomes(call -> call % 4001 == 0 ? "timeout" : "ok")
                .open(0, 0, 70_000, gaps, 100);
        return run;
    }

    /** A run whose tester never started. */
    private static RunFixture empty() {
        return new RunFixture()
                .named("nothing", "tcp://127.0.0.1:1")
                .neverStarted(1)
                .closed(1, 0, 1000)
                .ended(End.FAILED, 0);
    }

    private static RunFixture allFailed() {
        RunFixture run = new RunFixture()
                .named("refused", "tcp://127.0.0.1:1")
                .requests("default")
                .thresholds("failed < 1%")
                .tester(1, HOUR, 0)
                .closed(2, 0, 5000)
                .exchanges(6000);
        new SimulatedLoad(run, SimulatedService.even(2, 1))
                .think(199)
                .outcomes(call -> "connection refused")
                .closed(0, 0, 2, 0, 0, 5000);
        return run;
    }

    /** The most clients, testers and quanta that a report lists or draws, with times from 1 µs to 10 min. */
    private static RunFixture huge() {
        RunFixture run = new RunFixture()
                .named("huge", "tcp://a", "tcp://b", "tcp://c", "tcp://d")
                .requests("default");
        for (int tester = 1; tester <= 300; tester++) {
            run.tester(tester, tester * HOUR, 0);
        }
        run.closed(10_000, 1000, 20_000_000).exchanges(30_000_000, 600_000).ended(End.INTERRUPTED, 29_000_000);
        Random random = new Random(3);
        for (int client = 0; client < 10_000; client++) {
            double at = 1000.0 * client;
            for (int call = 0; call < 6; call++) {
                double took = Math.pow(10, -3 + 8.7 * random.nextDouble());
                if (at + took < 29_000_000) {
                    run.call(client % 300 + 1, client, at, at, at + took, random.nextInt(7) == 0 ? "timeout" : "ok");
                }
                at += 3_000_000;
            }
        }
        return run;
    }

    private static RunFixture oneCall() {
        return new RunFixture()
                .named("one", "tcp://a")
                .requests("default")
                .tester(1, HOUR, 0)
                .closed(1, 0, 1000)
                .exchanges(2000)
                .call(1, 0, 500, 500, 503.5, "ok");
    }

    /** Every text that comes from outside tries to break out of the page and of the terminal. */
    private static RunFixture hostile() {
        String evil = "<script>alert(1)</script>\"'><img src=http://evil.test/x onerror=alert(2)>\u001b[31m\n&amp;";
        RunFixture run = new RunFixture().everyText(evil).tester(1, HOUR, 0).tester(2, HOUR, 0);
        run.group(evil, 1, 1, 2, 0, 0, 5000).group("other", 2, 1, 2, 0, 0, 5000).exchanges(6000);
        IntFunction<String> outcomes = call -> call % 3 == 0 ? evil : "ok";
        new SimulatedLoad(run, SimulatedService.even(2, 99))
                .think(1)
                .outcomes(outcomes)
                .closed(0, 0, 2, 0, 0, 5000);
        new SimulatedLoad(run, SimulatedService.even(2, 99))
                .think(1)
                .outcomes(outcomes)
                .testers(2, 1)
                .closed(1, 2, 2, 0, 0, 5000);
        return run;
    }

    private static RunFixture staged() {
        return new RunFixture().tester(1, 1_000_000_000L, 5).exchanges(40_000);
    }

    /** Levels of 1 to 128 clients against a service of 400 calls a second; at the last one the generator is the limit. */
    private static RunFixture levels() {
        RunFixture run = staged();
        int[] clients = {1, 2, 4, 8, 16, 32, 64, 128};
        SimulatedLoad load = new SimulatedLoad(run, SimulatedService.exponential(POOL, POOL_MILLIS, 11));
        for (int i = 0; i < clients.length; i++) {
            long from = i * HOLD;
            run.stage(StageRecords.level(i, from, from + HOLD, clients[i], from + 1000));
            load.lag(clients[i] == 128 ? 40 : 0).closed(i, 0, clients[i], from, 0, HOLD);
        }
        return run;
    }

    /** A search for the highest rate at which 99 % of the calls take less than 111 ms, of the same service. */
    private static RunFixture search() {
        RunFixture run = staged();
        double[] rates = {50, 100, 200, 400, 300, 350, 375, 350};
        String[] purposes = {"step up", "step up", "step up", "step up", "bisect", "bisect", "bisect", "recheck"};
        List<ProbeRecord> probes = new ArrayList<>();
        SimulatedLoad load = new SimulatedLoad(run, SimulatedService.exponential(POOL, POOL_MILLIS, 5));
        for (int i = 0; i < rates.length; i++) {
            long from = i * HOLD;
            double rate = rates[i];
            Random random = new Random(i);
            run.stage(StageRecords.level(i, from, from + HOLD, rate, from + 500));
            load.open(i, from, from + HOLD, () -> -1000 / rate * Math.log(1 - random.nextDouble()), 1000);
            boolean holds = rate <= 350;
            String observed = "response.p99 " + (holds ? "below" : "above") + " 111 ms";
            probes.add(new ProbeRecord(i, rate, purposes[i], holds, observed, holds ? "" : observed));
        }
        return run.search(new SearchRecord(
                "rate",
                50,
                20_000,
                List.of("response.p99 < 111ms", "failed < 1%"),
                probes,
                350.0,
                344.0,
                377.0,
                375.0,
                "350/s was confirmed; 375/s does not keep response.p99 < 111ms."));
    }

    /** Up to 20 clients within 6 s, 10 s of all of them, and down again. */
    private static RunFixture stages() {
        RunFixture run = staged().stage(StageRecords.clients(0, 0, 6000, 0, 20))
                .stage(StageRecords.clients(1, 6000, 16_000, 20, 20))
                .stage(StageRecords.clients(2, 16_000, 20_000, 20, 0));
        new SimulatedLoad(run, SimulatedService.exponential(POOL, POOL_MILLIS, 3)).closed(1, 0, 20, 6000, 0, 10_000);
        for (int client = 0; client < 20; client++) {
            oneClient(run, 0, client, 300 * client, 6000);
            oneClient(run, 2, client, 16_000, 20_000 - 200 * client);
        }
        return run;
    }

    private static void oneClient(RunFixture run, int stage, int client, long from, long to) {
        for (long at = from; at + 25 <= to; at += 25) {
            run.nanos(1, stage, client, 0, at * MILLI, at * MILLI, (at + 25) * MILLI, "ok", 512);
        }
    }

    /** Four clients near the service, and from 4 s to 8 s two that are far from it. */
    private static RunFixture groups() {
        RunFixture run = new RunFixture()
                .tester(1, HOUR, 20)
                .tester(2, -HOUR, -30)
                .tester(3, HOUR, 50)
                .inTurns()
                .group("lan", 1, 2, 4, 0, 1000, 10_000)
                .group("wan", 3, 1, 2, 4000, 0, 4000)
                .exchanges(15_000);
        new SimulatedLoad(run, SimulatedService.even(4, 99))
                .think(1)
                .testers(1, 2)
                .closed(0, 0, 4, 0, 1000, 10_000);
        new SimulatedLoad(run, SimulatedService.even(2, 199))
                .think(1)
                .testers(3, 1)
                .closed(1, 4, 2, 4000, 0, 4000);
        return run;
    }

    /** Two levels with a monitor of the server's process, whose calls take 20 ms and then 30 ms of it, and of its log. */
    private static RunFixture monitored() {
        RunFixture run = new RunFixture()
                .tester(1, HOUR, 0)
                .exchanges(20_000)
                .stage(StageRecords.level(0, 0, 10_000, 1, 1_000))
                .stage(StageRecords.level(1, 10_000, 20_000, 2, 14_000));
        new SimulatedLoad(run, SimulatedService.even(4, 99))
                .think(1)
                .closed(0, 0, 1, 0, 0, 10_000)
                .closed(1, 0, 2, 10_000, 0, 10_000);
        run.monitor("server", "process")
                .watched("gauge cores [count]", 0, 4)
                .watched("gauge cores [count]", 20_000, 4)
                .watched("rate cpu [cores]", 0, Double.NaN)
                .watched("rate cpu [cores]", 10_000, 0.2)
                .watched("rate cpu [cores]", 20_000, 0.6)
                .watched("gauge memory [bytes]", 0, 64e6)
                .watched("gauge memory [bytes]", 20_000, 64e6);
        run.monitor("log", "log");
        for (int call = 0; call < 100; call++) {
            run.served(100 * call + 99, 98, "ok", 512);
        }
        for (int call = 100; call < 200; call++) {
            run.served(100 * call + 99, 98, "ok", 512).served(100 * call + 99, 98, "ok", 512);
        }
        return run;
    }
}
