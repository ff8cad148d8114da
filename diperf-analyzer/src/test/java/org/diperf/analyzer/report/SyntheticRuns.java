package org.diperf.analyzer.report;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.DoubleUnaryOperator;
import org.diperf.analyzer.figure.Figures;
import org.diperf.analyzer.result.Analysis;
import org.diperf.analyzer.result.Analysis.FailureCause;
import org.diperf.analyzer.result.Analysis.MarkedInterval;
import org.diperf.analyzer.result.CallStatistics;
import org.diperf.analyzer.result.Capacity;
import org.diperf.analyzer.result.ClientRow;
import org.diperf.analyzer.result.Clocks;
import org.diperf.analyzer.result.Details;
import org.diperf.analyzer.result.Distribution;
import org.diperf.analyzer.result.Dots;
import org.diperf.analyzer.result.RampKnee;
import org.diperf.analyzer.result.Series;
import org.diperf.analyzer.result.Summary;
import org.diperf.analyzer.result.Summary.CallCounts;
import org.diperf.analyzer.result.Summary.RequestCounts;
import org.diperf.analyzer.result.Summary.RequestRate;
import org.diperf.analyzer.result.Summary.RequestSummary;
import org.diperf.analyzer.result.Summary.SaturationSummary;
import org.diperf.analyzer.result.Summary.Throughput;
import org.diperf.analyzer.result.Summary.Window;
import org.diperf.analyzer.result.TesterRow;
import org.diperf.analyzer.result.TesterWatch;
import org.diperf.analyzer.server.ServerView;
import org.diperf.analyzer.stats.Statistic;
import org.diperf.analyzer.stats.Statistics;
import org.diperf.analyzer.stats.ValueSet;
import org.diperf.core.plan.ClosedLoad;
import org.diperf.core.plan.OpenLoad;
import org.diperf.core.plan.Think;
import org.diperf.core.run.ReportRecord;
import org.diperf.core.run.RunRecord;
import org.diperf.core.run.StageRecord;
import org.diperf.core.run.TesterRecord;
import org.diperf.core.run.Warning;
import org.diperf.core.spi.Fault;
import org.jspecify.annotations.Nullable;

/** Analyses of runs that never were: seeded, and of every shape that a report must survive. */
public final class SyntheticRuns {

    private static final long SECOND = 1_000_000_000L;
    private static final double[] NONE = {};

    private SyntheticRuns() {}

    /** 64 clients on 4 testers, one every 2 s, against a service that is saturated by about 24 of them. */
    public static Analysis saturation() {
        Random random = new Random(42);
        int quanta = 428;
        int clients = 64;
        double serviceMs = 60;
        double capacity = 400;
        double[] active = new double[quanta];
        double[] inFlight = new double[quanta];
        double[] throughput = new double[quanta];
        double[] mean = new double[quanta];
        double[] p50 = new double[quanta];
        double[] p99 = new double[quanta];
        double[] max = new double[quanta];
        double[] failed = new double[quanta];
        double[] lag = new double[quanta];
        List<Double> dotTimes = new ArrayList<>();
        List<Double> dotValues = new ArrayList<>();
        List<Double> all = new ArrayList<>();
        for (int i = 0; i < quanta; i++) {
            double n = Math.max(0, Math.min(Math.min(clients, i / 2 + 1), Math.min(clients, (quanta - i) / 2 + 0.5)));
            double x = Math.min(n * 1000 / serviceMs, capacity) * (1 + 0.03 * random.nextGaussian());
            double r = n / Math.max(x, 1e-9) * 1000;
            active[i] = n;
            inFlight[i] = n * 0.98;
            throughput[i] = Math.max(0, x);
            mean[i] = r;
            p50[i] = r * 0.95;
            p99[i] = r * 1.9 * (1 + 0.1 * random.nextDouble());
            failed[i] = i > 200 && random.nextInt(20) == 0 ? 2 : 0;
            lag[i] = 0.04 + 0.03 * random.nextDouble() + (i >= 250 && i < 262 ? 4 : 0);
            for (int d = 0; d < 40; d++) {
                double value = r * Math.exp(0.3 * random.nextGaussian()) * (d == 0 ? 2.2 : 1);
                dotTimes.add(i + random.nextDouble());
                dotValues.add(value);
                max[i] = Math.max(max[i], value);
                if (i > 128 && i < 300) {
                    all.add(value);
                }
            }
        }
        Series series = series(
                1,
                quanta,
                active,
                inFlight,
                throughput,
                mean,
                p50,
                p99,
                max,
                failed,
                new double[quanta],
                lag,
                filled(quanta, 0.31),
                filled(quanta, 1024));
        Distribution response = distribution(all, 1);
        Distribution service = distribution(all, 0.97);
        List<ClientRow> rows = new ArrayList<>();
        for (int c = 0; c < clients; c++) {
            long ok = Math.round(1900 * (1 + 0.02 * random.nextGaussian()));
            rows.add(new ClientRow(
                    c,
                    c % 4 + 1,
                    "node-" + (c % 4 + 1),
                    null,
                    2 * c,
                    2 * c + 300,
                    ok + c % 3,
                    ok,
                    c % 3,
                    ok * 1024,
                    times(150, 148, 300, 320, 350, 400),
                    0.0161 * (1 + 0.02 * random.nextGaussian()),
                    1.0 / 64 * (1 + 0.015 * random.nextGaussian())));
        }
        Window measured = new Window(
                128,
                300,
                clients,
                numbers(
                        counts(68_800, 14),
                        new Throughput(400.1, 400.0, 362.0, 431.0),
                        times(response),
                        times(service),
                        null));
        RunRecord run = run(
                "api",
                List.of("http://10.0.0.7:8080/items"),
                List.of(closed(clients, 2 * SECOND, 300 * SECOND)),
                testers(4, 0),
                List.of("browse", "order"),
                RunRecord.End.COMPLETE);
        List<MarkedInterval> intervals = List.of(
                new MarkedInterval(MarkedInterval.Kind.RAMP, 0, 126, "clients start"),
                new MarkedInterval(MarkedInterval.Kind.GENERATOR_LIMITED, 250, 262, "send lag of 4 ms"));
        Summary summary = summary(
                run,
                RampKnee.of(run, series, intervals),
                quanta,
                new Summary.LoadSummary("closed", clients, null, null),
                0,
                counts(141_000, 24),
                new Throughput(329.4, 398.0, 0.0, 431.0),
                times(response),
                times(service),
                measured,
                new Window(
                        126,
                        300,
                        clients,
                        numbers(counts(69_600, 14), new Throughput(400.1, 400.0, 362.0, 431.0), null, null, null)),
                List.of(
                        new Summary.ThresholdResult("failed < 1%", true, "0.020 %"),
                        new Summary.ThresholdResult("response.p95 < 200ms", false, "268 ms"),
                        new Summary.ThresholdResult("verdict == valid", true, "valid")),
                "valid",
                List.of());
        return new Analysis(
                run,
                summary,
                series,
                rows,
                new TreeMap<>(Map.of(
                        "browse", request(112_790, 10, 263.5, times(148, 146, 240, 301, 360, 410)),
                        "order", request(28_210, 14, 65.9, times(171, 169, 270, 340, 399, 452)))),
                testerRows(4, 0),
                response,
                service,
                lags(random),
                dots(dotTimes, dotValues),
                List.of(
                        new FailureCause("timeout", Fault.SERVICE, 20, 201.4, 2),
                        new FailureCause("status 503", Fault.SERVICE, 4, 260.0, 1)),
                intervals,
                List.of(),
                SyntheticClocks.four(),
                Capacity.NONE,
                null,
                Details.NONE,
                ServerView.NONE);
    }

    /** Open load of 200/s for 70 s; a tester is lost at 41 s, calls queue up and are dropped. */
    public static Analysis openWithDrops() {
        Random random = new Random(7);
        int quanta = 70;
        double[] inFlight = new double[quanta];
        double[] throughput = new double[quanta];
        double[] p50 = new double[quanta];
        double[] p99 = new double[quanta];
        double[] failed = new double[quanta];
        double[] dropped = new double[quanta];
        double[] lag = new double[quanta];
        List<Double> dotTimes = new ArrayList<>();
        List<Double> dotValues = new ArrayList<>();
        for (int i = 0; i < quanta; i++) {
            boolean stall = i >= 50 && i < 56;
            double rate = (i < 10 ? 20 * i + 10 : 200) * (i >= 41 ? 0.5 : 1);
            throughput[i] = stall ? 0 : rate * (1 + 0.02 * random.nextGaussian());
            inFlight[i] = stall ? 20.0 * (i - 49) : rate * 0.012;
            p50[i] = stall ? Double.NaN : 12.1 + random.nextDouble();
            p99[i] = stall ? Double.NaN : (i == 56 ? 5_900 : 48 + 10 * random.nextDouble());
            dropped[i] = i >= 53 && i < 56 ? 60 : 0;
            failed[i] = i >= 41 && i < 44 ? 1 : 0;
            lag[i] = 0.1;
            for (int d = 0; d < (stall ? 0 : 60); d++) {
                dotTimes.add(i + random.nextDouble());
                dotValues.add(12 * Math.exp(0.4 * random.nextGaussian()) * (i == 56 ? 100 : 1));
            }
        }
        Series series = series(
                1,
                quanta,
                filled(quanta, Double.NaN),
                inFlight,
                throughput,
                p50,
                p50,
                p99,
                p99,
                failed,
                dropped,
                lag,
                filled(quanta, Double.NaN),
                filled(quanta, 0));
        Distribution response = distribution(dotValues, 1);
        Distribution service =
                distribution(dotValues.stream().map(v -> Math.min(v, 60)).toList(), 1);
        RunRecord run = run(
                "orders",
                List.of("http://10.0.0.7:8080"),
                List.of(open(200, 10 * SECOND, 60 * SECOND)),
                testers(2, 2),
                List.of("default"),
                RunRecord.End.COMPLETE);
        CallCounts counts = new CallCounts(
                13_000, 12_160, 12_160, 12_157, 3, 2, 180, 0, Map.of("ok", 12_157L, "timeout", 2L), 4_000_000);
        Window measured = new Window(
                10, 70, null, numbers(counts, new Throughput(150.2, 199.0, 0.0, 206.0), times(response), null, null));
        Summary summary = summary(
                run,
                null,
                quanta,
                new Summary.LoadSummary("open", null, 200.0, "constant"),
                1,
                counts,
                new Throughput(149.9, 198.0, 0.0, 206.0),
                times(response),
                times(service),
                measured,
                null,
                List.of(
                        new Summary.ThresholdResult("failed < 1%", true, "0.025 %"),
                        new Summary.ThresholdResult("response.p95 < 30ms", true, "24.8 ms")),
                "suspect",
                List.of(
                        "tester-2 was lost at 0:41, so that half of the load was missing from then on",
                        "180 calls (1.5 %) were dropped because max-in-flight of 120 was reached"));
        return new Analysis(
                run,
                summary,
                series,
                List.of(),
                Map.of("default", request(12_157, 3, 173.7, times(12.9, 12.1, 31.0, 48.1, 101.7, 5900))),
                testerRows(2, 2),
                response,
                service,
                lags(random),
                dots(dotTimes, dotValues),
                List.of(
                        new FailureCause("timeout", Fault.SERVICE, 2, 41.2, 1),
                        new FailureCause("connection reset", Fault.SERVICE, 1, 43.0, 1)),
                List.of(
                        new MarkedInterval(MarkedInterval.Kind.RAMP, 0, 10, "rate grows"),
                        new MarkedInterval(MarkedInterval.Kind.TESTER_LOST, 41, 70, "tester-2")),
                List.of(new Analysis.Rejected("a line without a value, for example 'x'", 3)),
                Clocks.NONE,
                Capacity.NONE,
                null,
                Details.NONE,
                ServerView.NONE);
    }

    /** A run that never started. */
    public static Analysis empty() {
        RunRecord run =
                run("nothing", List.of("tcp://127.0.0.1:1"), List.of(), List.of(), List.of(), RunRecord.End.FAILED);
        Summary summary = new Summary(
                Summary.FORMAT,
                "nothing",
                null,
                0,
                run.targets(),
                new Summary.LoadSummary("closed", null, null, null),
                new Summary.TesterCounts(1, 0, 0, 0),
                numbers(new CallCounts(0, 0, 0, 0, 0, 0, 0, 0, Map.of(), 0), null, null, null, null),
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                List.of(),
                "failed",
                List.of(Warning.note(Warning.Subject.RUN, "no tester started")),
                Map.of(),
                null,
                null,
                null,
                null,
                null,
                null,
                null);
        return new Analysis(
                run,
                summary,
                nothing(0, 0),
                List.of(),
                Map.of(),
                List.of(),
                noValues(),
                noValues(),
                noValues(),
                new Dots(NONE, NONE),
                List.of(),
                List.of(),
                List.of(),
                Clocks.NONE,
                Capacity.NONE,
                null,
                Details.NONE,
                ServerView.NONE);
    }

    /** Every call failed: quanta, clients and testers exist, and no time of an ok call. */
    public static Analysis allFailed() {
        RunRecord run = run(
                "refused",
                List.of("tcp://127.0.0.1:1"),
                List.of(closed(2, 0, 5 * SECOND)),
                testers(1, 0),
                List.of("default"),
                RunRecord.End.COMPLETE);
        double nan = Double.NaN;
        CallCounts counts = new CallCounts(0, 50, 50, 0, 50, 0, 0, 0, Map.of("connection refused", 50L), 0);
        Summary summary = summary(
                run,
                null,
                5,
                new Summary.LoadSummary("closed", 2, null, null),
                0,
                counts,
                new Throughput(0, nan, nan, nan),
                null,
                null,
                null,
                null,
                List.of(new Summary.ThresholdResult("failed < 1%", false, "100 %")),
                "failed",
                List.of("no call succeeded"));
        return new Analysis(
                run,
                summary,
                nothing(5, 5),
                List.of(new ClientRow(0, 1, "here", null, nan, nan, 50, 0, 50, 0, null, nan, nan)),
                Map.of("default", request(0, 50, nan, null)),
                List.of(new TesterRow(1, "here", 2, 50, 0, nan, nan, nan, nan, nan, nan, false, TesterWatch.NOTHING)),
                noValues(),
                noValues(),
                noValues(),
                new Dots(NONE, NONE),
                List.of(new FailureCause("connection refused", Fault.SERVICE, 50, nan, 1)),
                List.of(),
                List.of(),
                Clocks.NONE,
                Capacity.NONE,
                null,
                Details.NONE,
                ServerView.NONE);
    }

    /** Everything as large as it may be: 4,096 quanta, 10,000 clients, 300 testers, times from 1 µs to 10 min. */
    public static Analysis huge() {
        Random random = new Random(3);
        int quanta = 4096;
        double[] values = new double[quanta];
        double[] times = new double[quanta];
        List<Double> dotTimes = new ArrayList<>();
        List<Double> dotValues = new ArrayList<>();
        for (int i = 0; i < quanta; i++) {
            values[i] = 1e6 * (1 + 0.3 * random.nextDouble());
            times[i] = Math.pow(10, -3 + 8.7 * random.nextDouble());
            for (int d = 0; d < 4; d++) {
                dotTimes.add(i * 8 + 8 * random.nextDouble());
                dotValues.add(Math.pow(10, -3 + 8.7 * random.nextDouble()));
            }
        }
        Series series = series(
                8,
                8.0 * quanta,
                values,
                values,
                values,
                times,
                times,
                times,
                times,
                values,
                values,
                times,
                times,
                values);
        List<ClientRow> rows = new ArrayList<>();
        for (int c = 0; c < 10_000; c++) {
            rows.add(new ClientRow(
                    c,
                    c % 300 + 1,
                    "host-" + c % 300,
                    null,
                    0,
                    30_000,
                    1000,
                    1000 - c % 7,
                    c % 7,
                    1L << 40,
                    times(1, 1, 1, 1, 1, 1),
                    1e-4,
                    1e-4 * random.nextDouble()));
        }
        Distribution wide = distribution(dotValues, 1);
        RunRecord run = run(
                "huge",
                List.of("tcp://a", "tcp://b", "tcp://c", "tcp://d"),
                List.of(closed(10_000, 1000, 30_000 * SECOND), closed(10_000, 0, 30_000 * SECOND)),
                testers(300, 0),
                List.of("default"),
                RunRecord.End.INTERRUPTED);
        Summary summary = summary(
                run,
                null,
                8.0 * quanta,
                new Summary.LoadSummary("closed", 10_000, null, null),
                0,
                counts(9_999_999_999L, 7),
                new Throughput(1.2e6, 1.2e6, 1e6, 1.3e6),
                times(wide),
                times(wide),
                null,
                null,
                List.of(),
                "valid",
                List.of());
        return new Analysis(
                run,
                summary,
                series,
                rows,
                Map.of(),
                testerRows(300, 0),
                wide,
                wide,
                wide,
                dots(dotTimes, dotValues),
                List.of(),
                List.of(),
                List.of(),
                Clocks.NONE,
                Capacity.NONE,
                null,
                Details.NONE,
                ServerView.NONE);
    }

    /** One quantum of one call. */
    public static Analysis oneCall() {
        double[] one = {1};
        Distribution single = distribution(List.of(3.5), 1);
        RunRecord run = run(
                "one",
                List.of("tcp://a"),
                List.of(closed(1, 0, SECOND)),
                testers(1, 0),
                List.of("default"),
                RunRecord.End.COMPLETE);
        Summary summary = summary(
                run,
                null,
                1,
                new Summary.LoadSummary("closed", 1, null, null),
                0,
                counts(1, 0),
                new Throughput(1, 1.0, 1.0, 1.0),
                times(single),
                times(single),
                null,
                null,
                List.of(),
                "valid",
                List.of());
        return new Analysis(
                run,
                summary,
                series(1, 1, one, one, one, one, one, one, one, new double[1], new double[1], new double[1], one, one),
                List.of(new ClientRow(0, 1, "here", null, 0, 1, 1, 1, 0, 1, times(3.5, 3.5, 3.5, 3.5, 3.5, 3.5), 1, 1)),
                Map.of(),
                testerRows(1, 0),
                single,
                single,
                single,
                new Dots(new double[] {0.5}, new double[] {3.5}),
                List.of(),
                List.of(),
                List.of(),
                Clocks.NONE,
                Capacity.NONE,
                null,
                Details.NONE,
                ServerView.NONE);
    }

    /** Every text that comes from outside tries to break out of the page and of the terminal. */
    public static Analysis hostile() {
        Analysis base = allFailed();
        String evil = "<script>alert(1)</script>\"'><img src=http://evil.test/x onerror=alert(2)>\u001b[31m\n&amp;";
        RunRecord r = base.run();
        StageRecord s = r.stages().get(0);
        RunRecord run = new RunRecord(
                r.format(),
                evil,
                Map.of(evil, evil),
                1,
                evil,
                evil,
                0,
                SECOND,
                RunRecord.End.COMPLETE,
                evil,
                Set.of(),
                List.of(),
                List.of(evil),
                List.of(evil),
                List.of(new StageRecord(0, 0, SECOND, s.load(), null, evil)),
                List.of(new TesterRecord(
                        1, evil, true, 1L, evil, 0L, 1, 0, 0, 0, Map.of(evil, 1L), Map.of(evil, evil))),
                new RunRecord.MeasureRecord(evil, 0, 0, 0),
                List.of(evil),
                r.report(),
                Map.of(evil, evil),
                List.of(new RunRecord.Event(s.startNanos(), evil)),
                List.of(Warning.suspect(Warning.Subject.RUN, evil)),
                null,
                List.of(),
                null,
                null,
                null);
        Summary b = base.summary();
        Summary summary = new Summary(
                b.format(),
                evil,
                evil,
                b.durationSeconds(),
                List.of(evil),
                b.load(),
                b.testers(),
                numbers(b.calls(), b.throughput(), b.responseTime(), null, null),
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                List.of(new Summary.ThresholdResult(evil, false, evil)),
                evil,
                List.of(Warning.suspect(Warning.Subject.RUN, evil)),
                Map.of(evil, evil),
                null,
                null,
                null,
                null,
                null,
                null,
                null);
        double nan = Double.NaN;
        return new Analysis(
                run,
                summary,
                base.series(),
                List.of(new ClientRow(0, 1, evil, evil, 0, 1, 5, 5, 0, 0, times(1, 1, 1, 1, 1, 1), 1, 1)),
                Map.of(evil, request(0, 50, nan, null)),
                List.of(new TesterRow(1, evil, 2, 50, 0, nan, nan, nan, nan, nan, nan, false, TesterWatch.NOTHING)),
                base.response(),
                base.service(),
                base.lag(),
                base.dots(),
                List.of(new FailureCause(evil, Fault.SERVICE, 50, 0, 1)),
                List.of(new MarkedInterval(MarkedInterval.Kind.RAMP, 0, 1, evil)),
                List.of(new Analysis.Rejected(evil, 1)),
                Clocks.NONE,
                Capacity.NONE,
                null,
                Details.NONE,
                ServerView.NONE);
    }

    /**
     * A ramp of 64 clients, one every 2 s, and a minute with all of them.
     *
     * @param noise standard deviation, as a share
     * @param throughput calls a second by the number of clients
     */
    public static Analysis ramp(Random random, double noise, DoubleUnaryOperator throughput) {
        Analysis base = saturation();
        int clients = 64;
        int ramp = 2 * (clients - 1);
        int quanta = ramp + 60;
        double[] active = new double[quanta];
        double[] served = new double[quanta];
        for (int i = 0; i < quanta; i++) {
            active[i] = Math.min(clients, i / 2 + 1);
            served[i] = Math.max(0, throughput.applyAsDouble(active[i]) * (1 + noise * random.nextGaussian()));
        }
        double[] none = filled(quanta, Double.NaN);
        Series series = series(1, quanta, active, active, served, none, none, none, none, none, none, none, none, none);
        return new Analysis(
                base.run(),
                base.summary(),
                series,
                base.clients(),
                base.requests(),
                base.testers(),
                base.response(),
                base.service(),
                base.lag(),
                base.dots(),
                base.failures(),
                List.of(new MarkedInterval(MarkedInterval.Kind.RAMP, 0, ramp, "clients start")),
                base.rejected(),
                Clocks.NONE,
                Capacity.NONE,
                null,
                Details.NONE,
                ServerView.NONE);
    }

    /** Gives one of {@link #all}. */
    public static Analysis named(String name) {
        return Objects.requireNonNull(all().get(name), name);
    }

    /** All of them, by name. */
    public static Map<String, Analysis> all() {
        return Made.ALL;
    }

    /** Draws the figures of one of them where they can be looked at, once for all tests. */
    public static Figures.Result drawn(String name) {
        return Made.DRAWN.computeIfAbsent(name, key -> {
            try {
                return Figures.write(named(key), folder(key).resolve("figures"));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
    }

    /** Where the report of one of them is kept, so that it can be looked at. */
    static Path folder(String name) throws IOException {
        return Files.createDirectories(Path.of("target", "reports", name));
    }

    /** Made once: some are simulated and analysed, and nobody changes them. */
    private static final class Made {
        static final Map<String, Analysis> ALL = new TreeMap<>(Map.of(
                "saturation",
                saturation(),
                "open",
                openWithDrops(),
                "empty",
                empty(),
                "all-failed",
                allFailed(),
                "huge",
                huge(),
                "one-call",
                oneCall(),
                "hostile",
                hostile(),
                "levels",
                StagedRuns.levels(),
                "search",
                StagedRuns.search(),
                "stages",
                StagedRuns.stages()));
        static final Map<String, Figures.Result> DRAWN = new ConcurrentHashMap<>();
    }

    private static CallCounts counts(long ok, long failed) {
        return new CallCounts(
                0, ok + failed, ok + failed, ok, failed, failed, 0, 0, Map.of("ok", ok, "timeout", failed), ok * 1024);
    }

    private static StageRecord closed(int clients, long startEvery, long runFor) {
        return new StageRecord(
                0,
                0,
                runFor + (clients - 1) * startEvery,
                new ClosedLoad(clients, startEvery, runFor, Think.NONE, 5 * SECOND),
                null,
                null);
    }

    private static StageRecord open(double rate, long ramp, long length) {
        OpenLoad load = new OpenLoad(rate, OpenLoad.Arrivals.CONSTANT, ramp, length, 120, 5 * SECOND);
        return new StageRecord(0, 0, ramp + length, load, null, null);
    }

    private static List<TesterRecord> testers(int count, int lost) {
        List<TesterRecord> testers = new ArrayList<>();
        for (int t = 1; t <= count; t++) {
            testers.add(new TesterRecord(
                    t,
                    "node-" + t,
                    true,
                    t == lost ? 41 * SECOND : null,
                    t == lost ? "silent for 10 s" : null,
                    0L,
                    1000,
                    0,
                    0,
                    0,
                    Map.of(),
                    Map.of("java", "17.0.13", "cores", "8")));
        }
        return testers;
    }

    private static List<TesterRow> testerRows(int count, int lost) {
        List<TesterRow> rows = new ArrayList<>();
        for (int t = 1; t <= count; t++) {
            rows.add(new TesterRow(
                    t,
                    "node-" + t,
                    16,
                    35_000,
                    34_990,
                    12.345 * t,
                    -3.2 + t,
                    8 + t,
                    2,
                    0.31,
                    14.0 * t,
                    t == lost,
                    new TesterWatch(17 + t, 3.1 * t, 0, 0.2, 4, 1.5, 8, 120, 1_024, 2.5, 0.1, 0)));
        }
        return rows;
    }

    private static RunRecord run(
            String name,
            List<String> targets,
            List<StageRecord> stages,
            List<TesterRecord> testers,
            List<String> requests,
            RunRecord.End end) {
        return new RunRecord(
                RunRecord.FORMAT,
                name,
                Map.of("build", "1a2b"),
                42,
                "0.1.0",
                "2026-11-21T10:00:00.123Z",
                0,
                SECOND,
                end,
                "http",
                Set.of(),
                List.of(),
                requests,
                targets,
                stages,
                testers,
                new RunRecord.MeasureRecord("peak", 0, 0, 2 * SECOND),
                List.of(),
                new ReportRecord(SECOND, 60 * SECOND, 0, false),
                new TreeMap<>(Map.of("java", "OpenJDK 17.0.13", "os", "Linux 6.1 amd64", "cores", "8")),
                List.of(
                        new RunRecord.Event(-2 * SECOND, "all testers ready"),
                        new RunRecord.Event(0, "started"),
                        new RunRecord.Event(41 * SECOND, "something happened")),
                List.of(),
                null,
                List.of(),
                null,
                null,
                null);
    }

    private static Summary summary(
            RunRecord run,
            @Nullable SaturationSummary knee,
            double duration,
            Summary.LoadSummary load,
            int lost,
            CallCounts calls,
            Throughput throughput,
            @Nullable Statistics response,
            @Nullable Statistics service,
            @Nullable Window measured,
            @Nullable Window peak,
            List<Summary.ThresholdResult> thresholds,
            String verdict,
            List<String> warnings) {
        int testers = run.testers().size();
        return new Summary(
                Summary.FORMAT,
                run.experiment(),
                run.startedAt(),
                duration,
                run.targets(),
                load,
                new Summary.TesterCounts(testers, testers, lost, 0),
                numbers(calls, throughput, response, service, times(0.02, 0.02, 0.05, 0.1, 0.3, 4)),
                null,
                measured,
                peak,
                load.model().equals("closed") ? new Summary.Fairness(0.00023, 0.9998, 64) : null,
                new Summary.ClockSummary(12, 9, testers, 1.5, new Summary.StartSkew(56, 35), 0),
                null,
                null,
                knee,
                null,
                thresholds,
                verdict,
                warnings.stream()
                        .map(text -> Warning.note(Warning.Subject.RUN, text))
                        .toList(),
                run.labels(),
                null,
                null,
                null,
                null,
                null,
                null,
                null);
    }

    private static CallStatistics numbers(
            CallCounts calls,
            @Nullable Throughput throughput,
            @Nullable Statistics response,
            @Nullable Statistics service,
            @Nullable Statistics lag) {
        return new CallStatistics(calls, null, throughput, response, null, service, lag);
    }

    /** Makes a series of which only some statistics of response times are given. */
    private static Series series(
            double quantumSeconds,
            double durationSeconds,
            double[] active,
            double[] inFlight,
            double[] throughput,
            double[] mean,
            double[] p50,
            double[] p99,
            double[] max,
            double[] failed,
            double[] dropped,
            double[] lag,
            double[] network,
            double[] bytes) {
        Map<Statistic, double[]> given =
                Map.of(Statistic.MEAN, mean, Statistic.P50, p50, Statistic.P99, p99, Statistic.MAX, max);
        double[][] responses = Statistic.listed().stream()
                .map(statistic -> given.getOrDefault(statistic, filled(mean.length, Double.NaN)))
                .toArray(double[][]::new);
        return new Series(
                quantumSeconds,
                durationSeconds,
                active,
                inFlight,
                throughput,
                responses,
                failed,
                dropped,
                lag,
                network,
                bytes);
    }

    private static RequestSummary request(long ok, long failed, double perSecond, @Nullable Statistics times) {
        return new RequestSummary(new RequestCounts(ok + failed, ok, failed), new RequestRate(perSecond), times);
    }

    private static Statistics times(double mean, double p50, double p95, double p99, double p999, double max) {
        return Statistics.read(
                Map.of("count", 1000.0, "mean", mean, "p50", p50, "p95", p95, "p99", p99, "p999", p999, "max", max));
    }

    private static Statistics times(Distribution d) {
        return Objects.requireNonNull(Statistics.of(new ValueSet() {

            @Override
            public long count() {
                return d.count();
            }

            @Override
            public double min() {
                return d.min();
            }

            @Override
            public double mean() {
                return d.mean();
            }

            @Override
            public double stddev() {
                return d.stddev();
            }

            @Override
            public double max() {
                return d.max();
            }

            @Override
            public double quantile(double fraction) {
                return at(d, fraction);
            }
        }));
    }

    private static double at(Distribution d, double quantile) {
        return d.values()[
                Math.min(
                        d.values().length - 1,
                        Arrays.binarySearch(d.quantiles(), quantile) < 0
                                ? -Arrays.binarySearch(d.quantiles(), quantile) - 1
                                : Arrays.binarySearch(d.quantiles(), quantile))];
    }

    private static Distribution lags(Random random) {
        List<Double> values = new ArrayList<>();
        for (int i = 0; i < 5000; i++) {
            values.add(0.02 * Math.exp(0.8 * random.nextGaussian()));
        }
        return distribution(values, 1);
    }

    private static Distribution distribution(List<Double> unsorted, double factor) {
        double[] sorted =
                unsorted.stream().mapToDouble(v -> v * factor).sorted().toArray();
        List<Double> quantiles = new ArrayList<>(List.of(0.0));
        for (double rest = 1; rest > 1e-6; rest *= 0.93) {
            quantiles.add(1 - rest * 0.93);
        }
        quantiles.add(1.0);
        double[] values = quantiles.stream()
                .mapToDouble(q -> sorted[(int) Math.min(sorted.length - 1, Math.floor(q * sorted.length))])
                .toArray();
        double low = Math.floor(Math.log10(sorted[0]) * 40) / 40;
        int buckets = (int) Math.floor((Math.log10(sorted[sorted.length - 1]) - low) * 40) + 1;
        double[] from = new double[buckets];
        double[] to = new double[buckets];
        long[] counts = new long[buckets];
        for (int i = 0; i < buckets; i++) {
            from[i] = Math.pow(10, low + i / 40.0);
            to[i] = Math.pow(10, low + (i + 1) / 40.0);
        }
        double sum = 0;
        double squares = 0;
        for (double value : sorted) {
            counts[(int) Math.max(0, Math.min(buckets - 1, (Math.log10(value) - low) * 40))]++;
            sum += value;
            squares += value * value;
        }
        double mean = sum / sorted.length;
        return new Distribution(
                sorted.length,
                sorted[0],
                mean,
                Math.sqrt(Math.max(0, squares / sorted.length - mean * mean)),
                sorted[sorted.length - 1],
                quantiles.stream().mapToDouble(q -> q).toArray(),
                values,
                from,
                to,
                counts);
    }

    private static Distribution noValues() {
        double nan = Double.NaN;
        return new Distribution(0, nan, nan, nan, nan, NONE, NONE, NONE, NONE, new long[0]);
    }

    private static Dots dots(List<Double> seconds, List<Double> values) {
        return new Dots(
                seconds.stream().mapToDouble(v -> v).toArray(),
                values.stream().mapToDouble(v -> v).toArray());
    }

    private static Series nothing(int quanta, double duration) {
        double[] nan = filled(quanta, Double.NaN);
        return series(1, duration, nan, nan, nan, nan, nan, nan, nan, nan, nan, nan, nan, nan);
    }

    private static double[] filled(int length, double value) {
        double[] values = new double[length];
        Arrays.fill(values, value);
        return values;
    }
}
