package org.diperf.controller.calibrate;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.diperf.analyzer.Analyzer;
import org.diperf.analyzer.result.Analysis;
import org.diperf.analyzer.result.Summary.Throughput;
import org.diperf.analyzer.result.Summary.Window;
import org.diperf.analyzer.result.TesterHealth;
import org.diperf.analyzer.stats.Statistics;
import org.diperf.controller.calibrate.Calibration.FullSpeed;
import org.diperf.controller.calibrate.Calibration.Idle;
import org.diperf.controller.calibrate.Calibration.Open;
import org.diperf.controller.calibrate.Calibration.Spread;
import org.diperf.controller.calibrate.Calibration.TooMany;
import org.diperf.controller.experiment.ExperimentException;
import org.diperf.controller.experiment.ExperimentFile;
import org.diperf.controller.progress.Progress;
import org.diperf.controller.progress.RunFailedException;
import org.diperf.controller.run.ExperimentRun;
import org.diperf.core.clock.NanoClock;
import org.diperf.core.folder.ScratchFolder;
import org.diperf.core.plugin.Plugins;
import org.diperf.core.run.RunRecord;
import org.diperf.core.run.RunRecord.MeasureRecord;
import org.diperf.core.spi.Url;
import org.jspecify.annotations.Nullable;

/**
 * Measures what one tester on this machine can do, by ordinary runs with one local tester each: at full speed; in open load at half the
 * rate of that, then idle; and, as long as that is more than the tester sends, at less. Confined to one thread, but for
 * {@link #interrupt}.
 */
public final class Calibrator {

    /** Less would leave no time to warm up, and no second in which an idle tester watched itself. */
    public static final Duration SHORTEST = Duration.ofSeconds(9);

    private static final int CLIENTS = 64;
    /** Where the machine is busy, more calls at once would only make it slower. */
    private static final int MAX_IN_FLIGHT = 256;

    /** Of the highest rate, in open load: a call costs more there, because few are served at a time. */
    private static final double FIRST_SHARE = 0.5;

    /** Of the rate before, where that was more than the tester sends. */
    private static final double LESS = 2.0 / 3;

    private static final int MAX_RATES = 5;

    private static final Duration MIN_OPEN = Duration.ofMillis(2_600);
    /** The first second does not count, and after the last one a tester may be late to say what it saw. */
    private static final Duration MIN_IDLE = Duration.ofMillis(3_600);

    private static final double IDLE_SHARE = 0.2;
    private static final double OPEN_SHARE = 0.3;
    /** Of a load, before its numbers count: the JVM compiles still. */
    private static final double WARM_UP = 0.3;
    /** What a tester said of itself in a second that was not idle from its begin does not count. */
    private static final long SECOND_MILLIS = 1_000;

    private static final long CHANGE_MILLIS = 10;
    private static final Path PROC = Path.of("/proc");

    /**
     * What to calibrate.
     *
     * @param client id of a client plugin
     * @param length of all load together, at least {@link #SHORTEST}; where a rate is more than a tester sends, others are tried
     *     beyond it
     */
    public record Wanted(String client, Duration length) {

        private Duration idle() {
            return share(IDLE_SHARE, MIN_IDLE);
        }

        private Duration open() {
            return share(OPEN_SHARE, MIN_OPEN);
        }

        private Duration share(double of, Duration least) {
            Duration share = Duration.ofMillis(Math.round(of * length.toMillis()));
            return share.compareTo(least) < 0 ? least : share;
        }

        private Duration full() {
            return length.minus(idle()).minus(open());
        }
    }

    private final Plugins plugins;
    private final List<Path> jars;
    private final Machine machine;
    private final String diperfVersion;
    private final Progress progress;
    private volatile boolean interrupted;
    private volatile @Nullable ExperimentRun underWay;

    /**
     * @param plugins found before
     * @param jars those of plugins that are not bundled
     * @param machine this one
     * @param progress is told how each run goes
     */
    public Calibrator(Plugins plugins, List<Path> jars, Machine machine, String diperfVersion, Progress progress) {
        this.plugins = plugins;
        this.jars = List.copyOf(jars);
        this.machine = machine;
        this.diperfVersion = diperfVersion;
        this.progress = progress;
    }

    /** Stops the load soon; {@link #calibrate} then gives nothing. From any thread. */
    public void interrupt() {
        interrupted = true;
        ExperimentRun run = underWay;
        if (run != null) {
            run.interrupt("by the user");
        }
    }

    /**
     * Calibrates; nothing of it is left but the result.
     *
     * @return {@code null} when it was interrupted
     * @throws NoStandInException when the client has no stand-in for its service
     * @throws RunFailedException when it could not be carried out
     */
    public @Nullable Calibration calibrate(Wanted wanted)
            throws RunFailedException, NoStandInException, IOException, InterruptedException {
        try (ScratchFolder scratch = ScratchFolder.temporary()) {
            HostCpuTime before = hostLoad();
            progress.phase("starting a service that does nothing");
            try (NullProcess service = NullProcess.start(wanted.client(), jars, scratch.path())) {
                Measured measured = measure(wanted, service.targets(), scratch.path());
                HostCpuTime after = hostLoad();
                return measured == null
                        ? null
                        : new Calibration(
                                Calibration.FORMAT,
                                wanted.client(),
                                Instant.now().truncatedTo(ChronoUnit.SECONDS).toString(),
                                diperfVersion,
                                machine,
                                measured.full(),
                                measured.open(),
                                measured.idle(),
                                before == null || after == null ? null : after.since(before));
            } catch (RunFailedException e) {
                if (interrupted) {
                    return null;
                }
                throw e;
            }
        }
    }

    private static @Nullable HostCpuTime hostLoad() {
        return HostCpuTime.read(PROC, ProcessHandle.current().descendants().mapToLong(ProcessHandle::pid));
    }

    private record Measured(FullSpeed full, Open open, Idle idle) {}

    private @Nullable Measured measure(Wanted wanted, List<Url> targets, Path scratch)
            throws RunFailedException, IOException, InterruptedException {
        long full = wanted.full().toMillis();
        Path first = scratch.resolve("full");
        String closed = "clients: " + CLIENTS + ", run-for: " + full + "ms";
        if (carryOut("full", wanted.client(), targets, closed, first) == null) {
            return null;
        }
        progress.phase("analysing");
        FullSpeed fullSpeed = fullSpeed(analysis(first, warmUp(full), full));
        if (interrupted) {
            return null;
        }
        double rate = fullSpeed.callsPerSecond() * FIRST_SHARE;
        long idle = wanted.idle().toMillis();
        Path second = scratch.resolve("open-1");
        Open open = open(wanted, targets, rate, idle, second, List.of());
        if (open == null) {
            return null;
        }
        long idleFrom = wanted.open().toMillis() + CHANGE_MILLIS;
        Idle idling = idle(watch(analysis(second, idleFrom + SECOND_MILLIS, idleFrom + idle)));
        List<TooMany> tooMany = new ArrayList<>();
        while (!open.keptUp() && tooMany.size() < MAX_RATES - 1) {
            tooMany.add(new TooMany(open.ratePerSecond(), open.droppedPercent()));
            rate *= LESS;
            open = open(wanted, targets, rate, 0, scratch.resolve("open-" + (tooMany.size() + 1)), tooMany);
            if (open == null) {
                return null;
            }
        }
        return new Measured(fullSpeed, open, idling);
    }

    /** Carries out open load at a rate, and then a time without any; {@code null} when it was interrupted. */
    private @Nullable Open open(
            Wanted wanted, List<Url> targets, double rate, long idleMillis, Path folder, List<TooMany> before)
            throws RunFailedException, IOException, InterruptedException {
        long length = wanted.open().toMillis();
        long due = Math.max(1, Math.round(rate));
        String idle = idleMillis == 0 ? "" : ", " + stage(CHANGE_MILLIS, ", rate: 1/s") + ", " + stage(idleMillis, "");
        String load = "stages: [" + stage(warmUp(length), ", rate: " + due + "/s") + ", "
                + stage(length - warmUp(length), "") + idle + "], max-in-flight: " + MAX_IN_FLIGHT;
        RunRecord record = carryOut("open", wanted.client(), targets, load, folder);
        if (record == null) {
            return null;
        }
        progress.phase("analysing");
        Analysis analysis = analysis(folder, warmUp(length), length);
        Window measured = analysis.summary().measured();
        // Where the machine is so busy that no call succeeds, the rate is 0 and nothing else is known.
        double ok = okPerSecond(analysis);
        Statistics lag = measured == null ? null : measured.sendLag();
        return new Open(
                due,
                ok,
                dropped(measured),
                cpuMicros(watch(analysis), ok),
                lag == null ? null : new Spread(lag.p50(), lag.p99()),
                bounds(folder, record, warmUp(length), length),
                before);
    }

    private static long warmUp(long millis) {
        return Math.round(WARM_UP * millis);
    }

    private static String stage(long millis, String then) {
        return "{ for: " + millis + "ms" + then + " }";
    }

    /** Carries out a run; {@code null} when it was interrupted. */
    private @Nullable RunRecord carryOut(String name, String client, List<Url> targets, String load, Path folder)
            throws RunFailedException, InterruptedException {
        String each = targets.stream().map(target -> "\"" + target + "\"").collect(Collectors.joining(", "));
        String yaml = String.format(Locale.ROOT, """
                name: calibrate-%s
                target: { each: [ %s ], assign: round-robin }
                client: { plugin: %s }
                testbed: { kind: local }
                load: { %s, timeout: 5s }
                """, name, each, client, load);
        ExperimentRun run;
        try {
            run = new ExperimentRun(
                    ExperimentFile.parse(yaml, name, List.of(), plugins),
                    new ExperimentRun.Options(
                            folder, plugins, jars, false, diperfVersion, progress, ExperimentRun.Extras.NONE),
                    NanoClock.SYSTEM);
        } catch (ExperimentException e) {
            throw new RunFailedException(
                    "Could not run client '" + client + "' against its stand-in: " + e.getMessage(), e);
        }
        underWay = run;
        try {
            if (interrupted) {
                run.interrupt("by the user");
            }
            RunRecord record = run.carryOut();
            return interrupted ? null : record;
        } finally {
            underWay = null;
        }
    }

    private static Analysis analysis(Path run, long fromMillis, long toMillis) throws IOException {
        return Analyzer.analyze(
                run,
                new Analyzer.Options(
                        null, null, 0, new MeasureRecord("range", fromMillis * 1_000_000, toMillis * 1_000_000, 0)));
    }

    private static FullSpeed fullSpeed(Analysis analysis) throws RunFailedException {
        TesterHealth watch = watch(analysis);
        double rate = rate(analysis);
        return new FullSpeed(rate, CLIENTS, known(watch.hostCpu()), cpuMicros(watch, rate));
    }

    private static double dropped(@Nullable Window measured) {
        if (measured == null) {
            return 0;
        }
        double due = (double) measured.calls().total() + measured.calls().dropped();
        return due == 0 ? 0 : 100 * measured.calls().dropped() / due;
    }

    private static Idle idle(TesterHealth watch) {
        return new Idle(known(watch.hiccupMaxMillis()), known(watch.starvedPercent()));
    }

    private static @Nullable Spread bounds(Path run, RunRecord record, long fromMillis, long toMillis)
            throws IOException {
        Long start = record.testers().get(0).startNanos();
        return start == null
                ? null
                : ErrorBounds.read(run, start + fromMillis * 1_000_000, start + toMillis * 1_000_000);
    }

    private static TesterHealth watch(Analysis analysis) {
        return analysis.testers().get(0).watch();
    }

    private static double okPerSecond(Analysis analysis) {
        Window measured = analysis.summary().measured();
        Throughput throughput = measured == null ? null : measured.throughput();
        return throughput == null ? 0 : throughput.mean();
    }

    private static double rate(Analysis analysis) throws RunFailedException {
        double rate = okPerSecond(analysis);
        if (rate <= 0) {
            String causes = analysis.failures().stream()
                    .map(Analysis.FailureCause::outcome)
                    .limit(3)
                    .collect(Collectors.joining(", "));
            throw new RunFailedException("Expected successful calls to a service that does nothing, got: "
                    + (causes.isEmpty() ? "no call completed" : "all failed: " + causes)
                    + ". Try again with a longer --for, or when the machine is less busy");
        }
        return rate;
    }

    private static @Nullable Double cpuMicros(TesterHealth watch, double rate) {
        return known(watch.cpuPercent() / 100 * 1e6 / rate);
    }

    private static @Nullable Double known(double value) {
        return Double.isFinite(value) ? value : null;
    }
}
