package org.diperf.controller.run;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Semaphore;
import java.util.function.IntConsumer;
import java.util.stream.Collectors;
import org.diperf.controller.collect.ImportedSpool;
import org.diperf.controller.collect.Testers;
import org.diperf.controller.course.LoadSchedule;
import org.diperf.controller.experiment.ExperimentFile;
import org.diperf.controller.fleet.Fleet;
import org.diperf.controller.fleet.FleetBuilder;
import org.diperf.controller.fleet.Roster;
import org.diperf.controller.monitor.Monitors;
import org.diperf.controller.progress.LiveStatus;
import org.diperf.controller.progress.Progress;
import org.diperf.controller.progress.RunObserver;
import org.diperf.controller.run.directory.RunDirectory;
import org.diperf.controller.run.directory.RunOutput;
import org.diperf.controller.run.directory.RunProblems;
import org.diperf.controller.run.live.LiveView;
import org.diperf.controller.run.live.TesterReports;
import org.diperf.controller.service.RunService;
import org.diperf.core.clock.WallClock;
import org.diperf.core.experiment.Experiment;
import org.diperf.core.plan.Stage;
import org.diperf.core.plugin.Plugins;
import org.diperf.core.run.RunRecord;
import org.diperf.core.spi.Place;
import org.diperf.core.spi.SpoolLocation;
import org.diperf.core.spi.Testbed;
import org.diperf.core.spi.TestbedPlugin;
import org.diperf.core.wire.Assignment;
import org.diperf.core.wire.TesterFacts;
import org.diperf.core.wire.TesterTotals;
import org.diperf.tester.link.SpoolException;
import org.jspecify.annotations.Nullable;

/**
 * A run whose clock, testers and testbed are its test's: time passes when the run waits for its roster, and what is to
 * happen at an instant happens then, on the run's thread.
 */
final class HandDrivenRun implements AutoCloseable {

    static final long S = 1_000_000_000L;
    static final TesterFacts FACTS = new TesterFacts("here", 2, 1 << 30, "17", List.of(), "Linux", false);
    static final TesterTotals TOTALS = new TesterTotals(10, 0, 0, 0, Map.of(), 5);
    private static final String SECRET = "s3cr3t-value";

    final List<String> told = new ArrayList<>();
    final List<String> shown = new ArrayList<>();

    final ScriptedTesters testers = new ScriptedTesters();
    /** Has a permit for each tester that was placed while the load was under way. */
    private final Semaphore placed = new Semaphore(0);

    final Path folder;
    final RunScope scope;
    final RunDirectory directory;
    final TesterReports reports;
    private final TreeMap<Long, List<Runnable>> later = new TreeMap<>();
    private long now = 100 * S;

    /** @param yaml of the experiment, but for its target */
    HandDrivenRun(Path folder, String yaml) throws Exception {
        this(folder, yaml, null);
    }

    /** @param testbed where its testers run; {@code null}: the local one, which is not asked for any */
    HandDrivenRun(Path folder, String yaml, @Nullable TestbedPlugin testbed) throws Exception {
        this(folder, yaml, testbed, folder.resolve("run"));
    }

    /** @param run its folder, which may be on another disk */
    HandDrivenRun(Path folder, String yaml, @Nullable TestbedPlugin testbed, Path run) throws Exception {
        this.folder = run;
        Path secret = Files.writeString(folder.resolve("secret"), SECRET);
        Path file = Files.writeString(
                folder.resolve("e.yml"),
                "target: tcp://127.0.0.1:1\nseed: 1\nclient: { plugin: tcp, with: { send: '${secret:file:" + secret
                        + "}' } }\n" + yaml);
        Plugins plugins = Plugins.bundled();
        ExperimentFile.Resolved resolved = ExperimentFile.read(file, List.of(), plugins);
        Experiment experiment = resolved.experiment();
        ExperimentRun.Options options = new ExperimentRun.Options(
                this.folder,
                plugins,
                List.of(),
                false,
                "test",
                new Shown(),
                new ExperimentRun.Extras(Calibrations.NONE, RunObserver.NONE));
        LiveView live = new LiveView(now);
        this.directory = new RunDirectory(this.folder, resolved.yaml());
        this.scope = new RunScope(
                experiment,
                plugins.clients().plugin("tcp").orElseThrow(),
                testbed == null ? plugins.testbeds().plugin("local").orElseThrow() : testbed,
                options,
                () -> now,
                false,
                LoadSchedule.of(experiment.load(), live),
                new Roster(() -> now, this::pass),
                live,
                new RunOutput(() -> now, experiment.script().secrets(), options.progress()),
                new RunProblems());
        this.scope.output().writeTo(directory);
        this.reports = new TesterReports(this.folder, scope.roster(), live, scope.output(), scope.troubles());
    }

    static String secret() {
        return SECRET;
    }

    long now() {
        return now;
    }

    /** Does something so long from now. */
    void in(long nanos, Runnable what) {
        later.computeIfAbsent(now + nanos, none -> new ArrayList<>()).add(what);
    }

    /** Lets time pass up to the next thing that is to happen, or by so much. */
    void pass(Roster roster, long nanos) {
        long end = now + nanos;
        if (!later.isEmpty() && later.firstKey() <= end) {
            now = Math.max(now, later.firstKey());
            later.pollFirstEntry().getValue().forEach(Runnable::run);
        } else {
            now = end;
        }
    }

    /** Waits, at an instant of {@link #in}, until a tester was placed: by another thread, which needs the roster meanwhile. */
    void awaitPlaced() {
        try {
            while (!placed.tryAcquire()) {
                scope.roster().wait(1);
            }
        } catch (InterruptedException e) {
            throw new AssertionError("no tester was placed", e);
        }
    }

    /** Places testers; those of these numbers join after a second. */
    Fleet fleet(int... joining) throws Exception {
        Fleet fleet = FleetBuilder.of(new Bed(), scope.experiment());
        for (int tester = 1; tester <= fleet.testers(); tester++) {
            scope.roster().expect(tester);
        }
        for (int tester : joining) {
            in(S, () -> reports.joined(tester, FACTS));
        }
        return fleet;
    }

    /** Waits for the testers and makes the load that they are ready for. */
    RunningLoad assembled(Fleet fleet) throws Exception {
        Assignments assignments = new Assignments(scope, List.of());
        PlanShares division = TesterStartup.assemble(scope, testers, fleet, assignments, 60 * S);
        Monitors monitors = Monitors.start(
                List.of(),
                new Bed(),
                new Monitors.Config(
                        scope.options().plugins(),
                        List.of(),
                        1,
                        directory.monitors(),
                        scope.clock(),
                        WallClock.SYSTEM,
                        line -> {}));
        return new RunningLoad(
                scope,
                directory,
                new RunningLoad.Ready(testers, new Bed(), fleet, assignments, division),
                RunService.NONE,
                monitors);
    }

    RunRecord recorded() throws IOException {
        return RunDirectory.read(folder);
    }

    private boolean isRecorded() {
        try {
            return recorded().endNanos() != null;
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    String log() throws IOException {
        return Files.readString(folder.resolve("run.log"));
    }

    @Override
    public void close() throws IOException {
        directory.close();
    }

    private final class Shown implements Progress {
        @Override
        public void phase(String text) {
            shown.add(text);
        }

        @Override
        public void live(LiveStatus status) {
            shown.add(status.phase());
        }

        @Override
        public void log(String line) {
            shown.add(line);
        }
    }

    /** Has no nodes and starts nothing, but knows where the testers that it should have started would leave samples. */
    private final class Bed implements Testbed {
        private final List<SpoolLocation> spools = new CopyOnWriteArrayList<>();

        @Override
        public void start(List<Place> places) {
            places.forEach(place -> {
                told.add("place " + place.tester());
                String file = "/spool/tester-" + place.tester() + ".spool";
                spools.add(new SpoolLocation(place.tester(), "node", file, "scp " + file));
            });
            placed.release(places.size());
        }

        @Override
        public List<SpoolLocation> spools() {
            return spools;
        }

        @Override
        public Map<Integer, String> bring(List<SpoolLocation> places, Path into) {
            return places.stream().collect(Collectors.toMap(SpoolLocation::tester, place -> "connection refused"));
        }

        @Override
        public void close() {}
    }

    /** Notes what testers are told. They are ready a tenth of a second after their assignment and do as they are told. */
    final class ScriptedTesters implements Testers {

        boolean durable = true;
        Runnable whenReleased = () -> {};
        /** What a tester's spool says. */
        IntConsumer whenTaken = tester -> {};

        IntConsumer whenAssigned = tester -> {};

        boolean growing;
        /** Whether they end when they are told to stop. */
        boolean obedient = true;

        @Override
        public void assign(int tester, Assignment assignment) {
            whenAssigned.accept(tester);
            told.add("assign " + tester + " slot " + assignment.slot());
            in(S / 10, () -> reports.ready(tester, now));
        }

        @Override
        public void start(long atNanos) {
            told.add("start");
            scope.roster().inPhase(Roster.Phase.READY).forEach(tester -> reports.started(tester, atNanos));
        }

        @Override
        public void append(Stage stage) {
            told.add("append " + stage.number());
        }

        @Override
        public void join(int tester, long joinNanos) {
            told.add("join " + tester);
        }

        @Override
        public void stop(int tester, long graceNanos) {
            told.add("stop " + tester);
        }

        @Override
        public void stop(long graceNanos) {
            told.add("stop all within " + graceNanos);
            if (obedient) {
                scope.roster().inPhase(Roster.Phase.STARTED).forEach(tester -> reports.finished(tester, TOTALS));
            }
        }

        @Override
        public void bye() {
            told.add(isRecorded() ? "bye" : "bye before the last record");
            whenReleased.run();
        }

        @Override
        public boolean awaitDurable(long timeoutNanos) {
            now += durable ? 0 : timeoutNanos;
            return durable;
        }

        @Override
        public long waitingBytes() {
            return 0;
        }

        @Override
        public long silentNanos() {
            return 0;
        }

        @Override
        public boolean planGrew() {
            return growing;
        }

        @Override
        public ImportedSpool take(Path spool, int from) throws IOException {
            told.add("take " + spool.getFileName());
            String content = Files.readString(spool);
            if (content.startsWith("damaged")) {
                throw new SpoolException(spool + ": damaged");
            }
            String whose = content.startsWith("of ") ? content : String.valueOf(spool.getFileName());
            int tester = Integer.parseInt(whose.replaceAll("[^0-9]", ""));
            if (from != 0 && from != tester) {
                throw new SpoolException(spool + ": that of another tester");
            }
            whenTaken.accept(tester);
            return new ImportedSpool(tester, 46, 31);
        }

        @Override
        public void close() {
            told.add("close");
        }
    }
}
