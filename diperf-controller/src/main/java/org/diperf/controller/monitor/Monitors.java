package org.diperf.controller.monitor;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.diperf.core.clock.NanoClock;
import org.diperf.core.clock.WallClock;
import org.diperf.core.experiment.MonitorSettings;
import org.diperf.core.plugin.Plugins;
import org.diperf.core.run.AnnexRecord;
import org.diperf.core.run.MonitorRecord;
import org.diperf.core.run.Warning;
import org.diperf.core.run.Warning.Subject;
import org.diperf.core.spi.Monitor;
import org.diperf.core.spi.MonitorContext;
import org.diperf.core.spi.Parameters;
import org.diperf.core.spi.Testbed;
import org.diperf.core.spi.Url;
import org.jspecify.annotations.Nullable;

/**
 * The monitors of a run, from before its first call until after its last. Confined to the run's thread; the monitors have
 * threads of their own.
 */
public final class Monitors implements AutoCloseable {

    private static final long SECOND = 1_000_000_000L;
    private static final long OPEN_NANOS = 10 * SECOND;
    private static final long END_NANOS = 60 * SECOND;

    private final List<MonitorTask> watches = new ArrayList<>();
    private final List<Thread> threads = new ArrayList<>();
    private final List<Warning> warnings = new ArrayList<>();
    private final NanoClock clock;
    private final @Nullable MonitorFile file;

    private record Settings(Parameters with, String name, Duration period, List<Url> targets, Testbed testbed)
            implements MonitorContext {

        @Override
        public <T> T within(String host, Callable<T> action) throws Exception {
            return testbed.within(host, action);
        }
    }

    private Monitors(NanoClock clock, @Nullable MonitorFile file) {
        this.clock = clock;
        this.file = file;
    }

    /**
     * What a run's monitors need.
     *
     * @param plugins found before
     * @param targets the services under test
     * @param seed of the experiment
     * @param folder for their samples; made when there are any monitors
     * @param say is told of failures, from any thread
     */
    public record Config(
            Plugins plugins,
            List<Url> targets,
            long seed,
            Path folder,
            NanoClock clock,
            WallClock wallClock,
            Consumer<String> say) {}

    /**
     * Starts the monitors; returns at once.
     *
     * @param testbed has started its testers
     */
    public static Monitors start(List<MonitorSettings> choices, Testbed testbed, Config config) throws IOException {
        Monitor own = testbed.monitor().orElse(null);
        MonitorFile file = choices.isEmpty() && own == null ? null : new MonitorFile(config.folder());
        Monitors monitors = new Monitors(config.clock(), file);
        WallClockMap walls = new WallClockMap(config.clock(), config.wallClock());
        for (MonitorSettings choice : choices) {
            var found = config.plugins().monitors().find(choice.kind());
            if (file == null || found.isEmpty()) {
                monitors.warnings.add(Warning.note(
                        Subject.SERVICE, "there is no monitor of kind '" + choice.kind() + "'; see: diperf plugins"));
                continue;
            }
            var plugin = found.get().plugin();
            Settings settings = new Settings(
                    Parameters.read(plugin.parameters(), choice.with(), config.seed()),
                    choice.name(),
                    Objects.requireNonNullElseGet(
                            choice.period(), () -> plugin.usualPeriod(testbed.shortestRoundTrip())),
                    config.targets(),
                    testbed);
            monitors.add(plugin.id(), false, plugin::open, settings, new MetricNames(choice.metrics()), walls, config);
        }
        if (own != null) {
            Settings settings = new Settings(
                    Parameters.read(List.of(), Map.of(), config.seed()),
                    unused(testbed.monitorName(), choices),
                    Duration.ofNanos(SECOND),
                    config.targets(),
                    testbed);
            MetricNames all = new MetricNames(List.of());
            monitors.add(testbed.monitorName(), true, context -> own, settings, all, walls, config);
        }
        monitors.threads.forEach(Thread::start);
        return monitors;
    }

    /** Returns a name, with a number where a monitor of the file has it. */
    private static String unused(String name, List<MonitorSettings> choices) {
        Set<String> used = choices.stream().map(MonitorSettings::name).collect(Collectors.toSet());
        String unused = name;
        for (int i = 2; used.contains(unused); i++) {
            unused = name + "-" + i;
        }
        return unused;
    }

    private void add(
            String kind,
            boolean isOfTestbed,
            MonitorTask.Source source,
            Settings settings,
            MetricNames wanted,
            WallClockMap walls,
            Config config) {
        int number = watches.size() + 1;
        MonitorSamples samples =
                new MonitorSamples(number, isOfTestbed, clock, walls, Objects.requireNonNull(file, "file"), wanted);
        MonitorTask watch = new MonitorTask(number, kind, source, settings, samples, walls, config.say());
        Thread thread = new Thread(watch, "diperf-monitor-" + settings.name());
        thread.setDaemon(true);
        thread.setPriority(Thread.MIN_PRIORITY);
        watches.add(watch);
        threads.add(thread);
    }

    /** Waits until each has given its first sample or cannot, at most 10 s in all: what is late begins late. */
    public void awaitOpen() throws InterruptedException {
        long deadline = clock.nanoTime() + OPEN_NANOS;
        for (MonitorTask watch : watches) {
            if (!watch.awaitOpen(deadline - clock.nanoTime())) {
                warnings.add(Warning.note(
                        Subject.SERVICE,
                        "monitor '" + watch.record().name() + "' delivered no sample before the load started"));
            }
        }
    }

    /** Takes the last samples and what monitors report at the end; waits for at most a minute. */
    public void stop() throws InterruptedException {
        watches.forEach(MonitorTask::stop);
        long deadline = clock.nanoTime() + END_NANOS;
        for (Thread thread : threads) {
            thread.join(Math.max(1, (deadline - clock.nanoTime()) / 1_000_000));
            if (thread.isAlive()) {
                thread.interrupt();
                thread.join(1_000);
            }
        }
    }

    /** Lists them, for the record of the run; {@code null}: there are none. */
    public @Nullable List<MonitorRecord> records() {
        return watches.isEmpty()
                ? null
                : watches.stream().map(MonitorTask::record).toList();
    }

    /** Lists what monitors have left, after {@link #stop}. */
    public List<AnnexRecord> annexes() {
        return watches.stream().map(MonitorTask::annex).filter(Objects::nonNull).toList();
    }

    /** Returns the name of the testbed's own monitor; empty: it has none. */
    public String ofTestbed() {
        return watches.stream()
                .map(MonitorTask::record)
                .filter(MonitorRecord::isOfTestbed)
                .map(MonitorRecord::name)
                .findFirst()
                .orElse("");
    }

    /** Lists what is missing. */
    public List<Warning> warnings() {
        List<Warning> all = new ArrayList<>(warnings);
        watches.stream()
                .map(MonitorTask::complaint)
                .filter(Objects::nonNull)
                .forEach(complaint -> all.add(Warning.note(Subject.SERVICE, complaint)));
        return List.copyOf(all);
    }

    /** Ends the monitors without waiting for what they might still tell, where they were not stopped before. */
    @Override
    public void close() throws IOException {
        watches.forEach(MonitorTask::stop);
        threads.forEach(Thread::interrupt);
        if (file != null) {
            file.close();
        }
    }
}
