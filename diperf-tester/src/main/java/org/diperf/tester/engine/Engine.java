package org.diperf.tester.engine;

import static java.util.Objects.requireNonNull;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.diperf.core.clock.NanoClock;
import org.diperf.core.clock.WallClock;
import org.diperf.core.experiment.LoopSettings;
import org.diperf.core.experiment.RequestSettings;
import org.diperf.core.experiment.Script;
import org.diperf.core.plan.Plan;
import org.diperf.core.plan.Rank;
import org.diperf.core.plan.Stage;
import org.diperf.core.spi.AsyncClient;
import org.diperf.core.spi.BlockingClient;
import org.diperf.core.spi.ClientPlugin;
import org.diperf.core.spi.JavaJourney;
import org.diperf.core.spi.Memory;
import org.diperf.core.spi.Metric;
import org.diperf.core.spi.Parameters;
import org.diperf.core.spi.Recorder;
import org.diperf.core.spi.Session;
import org.diperf.core.spi.SessionContext;
import org.diperf.core.spi.Url;
import org.diperf.core.wire.TesterStatus;
import org.diperf.core.wire.TesterTotals;
import org.diperf.tester.engine.call.AnswerObserver;
import org.diperf.tester.engine.call.BlockSink;
import org.diperf.tester.engine.call.CallScript;
import org.diperf.tester.engine.call.DetailedCalls;
import org.diperf.tester.engine.call.EngineListener;
import org.diperf.tester.engine.call.Failures;
import org.diperf.tester.engine.call.RunSetup;
import org.diperf.tester.engine.loop.ClientFactory;
import org.diperf.tester.engine.loop.SystemThreads;
import org.diperf.tester.machine.ProcFiles;
import org.jspecify.annotations.Nullable;

/**
 * Runs one tester's share of a plan. Used once: {@link #prepare}, {@link #start}, then {@link #done} completes by itself
 * or after {@link #stop}. Methods may be called from any thread, {@code prepare} and {@code start} one after another.
 */
public final class Engine implements RunningEngine {

    /** Clients of open load that are opened before the start. */
    static final int OPEN_FIRST = 256;

    private static final long FINISH_MILLIS = 400;

    /** From the end of a stop's grace until the engine has ended, whatever blocks. */
    private static final long LONGEST_END_NANOS = 1_900_000_000L;

    private static final long LONGEST_GRACE_NANOS = Long.MAX_VALUE / 4;

    /**
     * What to run.
     *
     * @param tester from 1, as its samples name it
     * @param slot of the plan that is its share
     * @param rank of the tester in the whole run
     * @param plan of the whole run
     * @param plugin that makes the clients
     * @param others plugins of single requests, by their ids
     * @param journeys makers of journeys in Java, by the names of their classes
     * @param with its parameters as written in the file
     * @param folder empty, of this run alone; the caller removes it
     * @param loops how its event loops work, at least one
     * @param debug whether timeouts stand still
     * @param script what clients do at a call beyond the plugin's parameters
     */
    public record Config(
            int tester,
            int slot,
            Rank rank,
            Plan plan,
            ClientPlugin plugin,
            Map<String, ClientPlugin> others,
            Map<String, Supplier<JavaJourney>> journeys,
            Map<String, Object> with,
            Path folder,
            LoopSettings loops,
            boolean debug,
            Script script) {

        /** Makes one whose calls are all made by one plugin. */
        public Config(
                int tester,
                int slot,
                Rank rank,
                Plan plan,
                ClientPlugin plugin,
                Map<String, Object> with,
                Path folder,
                LoopSettings loops,
                boolean debug,
                Script script) {
            this(tester, slot, rank, plan, plugin, Map.of(), Map.of(), with, folder, loops, debug, script);
        }

        /** Makes one whose calls are all alike, for the only tester of a run. */
        public Config(
                int tester,
                int slot,
                Plan plan,
                ClientPlugin plugin,
                Map<String, Object> with,
                Path folder,
                LoopSettings loops,
                boolean debug) {
            this(tester, slot, Rank.ONLY, plan, plugin, with, folder, loops, debug, Script.NONE);
        }

        public Config {
            others = Map.copyOf(others);
            journeys = Map.copyOf(journeys);
            with = Map.copyOf(with);
            if (tester < 1 || slot < 1 || slot > plan.testers() || loops.loops() < 1) {
                throw new IllegalArgumentException("Engine: expected a tester from 1, a slot from 1 to "
                        + plan.testers()
                        + " and at least one loop, got tester " + tester + ", slot " + slot + " and " + loops.loops()
                        + " loops");
            }
        }

        /** Returns the plugin of an id. */
        private ClientPlugin plugin(String id) {
            ClientPlugin other = others.get(id);
            if (other == null && !id.equals(plugin.id())) {
                throw new IllegalArgumentException("Expected the client plugin '" + id + "', got only '" + plugin.id()
                        + "' and " + others.keySet());
            }
            return other == null ? plugin : other;
        }

        private ClientPlugin plugin(RequestSettings call) {
            return call.plugin().isEmpty() ? plugin : plugin(call.plugin());
        }

        /** Returns the maker of a journey in Java. */
        private Supplier<JavaJourney> journey(String type) {
            Supplier<JavaJourney> maker = journeys.get(type);
            if (maker == null) {
                throw new IllegalArgumentException("Expected the journey " + type + ", got only " + journeys.keySet());
            }
            return maker;
        }

        private List<Metric> metrics() {
            List<String> ids = script.plugins(plugin.id());
            if (ids.size() == 1) {
                // To compare records a JVM makes code first, while somebody waits for the first call.
                return List.copyOf(plugin(ids.get(0)).metrics());
            }
            return ids.stream()
                    .flatMap(id -> plugin(id).metrics().stream())
                    .distinct()
                    .toList();
        }
    }

    private final Config config;
    private final GuardedSink sink;
    private final NanoClock clock;
    private final RunSetup setup;
    private final Records records;
    private final SelfMonitor watch;
    /** Of what calls may be, by its number. */
    private final List<Parameters> requests;

    private final CompletableFuture<TesterTotals> done = new CompletableFuture<>();
    private @Nullable Session session;
    private volatile @Nullable Driver driver;
    private @Nullable Thread bound;
    private volatile long latestEndNanos;

    /** Makes engines with this many event loops each, unless their assignments say otherwise. */
    public static EngineFactory factory(int loops) {
        return (assignment, tester, plugins, folder, sink, clock, listener) -> new Engine(
                new Config(
                        tester,
                        assignment.slot(),
                        assignment.rank(),
                        assignment.plan(),
                        requireNonNull(plugins.clients().get(assignment.plugin()), "the assignment's plugin"),
                        plugins.clients(),
                        plugins.journeys(),
                        assignment.with(),
                        folder,
                        assignment.loops().orLoops(loops),
                        assignment.debug(),
                        assignment.script()),
                sink,
                clock,
                listener);
    }

    /**
     * @param sink takes the samples
     * @param clock the tester's monotonic clock, {@link NanoClock#SYSTEM} but in tests
     * @throws Parameters.Unusable when the parameters are not those of the plugin
     */
    public Engine(Config config, BlockSink sink, NanoClock clock, EngineListener listener) {
        this.config = config;
        this.clock = clock;
        this.requests = config.script()
                .parameters(
                        config.plugin().id(),
                        id -> config.plugin(id).parameters(),
                        config.with(),
                        config.plan().seed());
        this.setup = new RunSetup(
                config.tester(),
                config.slot(),
                config.rank().host(),
                config.plan(),
                config.metrics(),
                config.loops(),
                config.debug(),
                listener);
        setup.whenAborted(this::stop);
        this.sink = new GuardedSink(sink, setup, clock);
        this.records = new Records(setup, this.sink, clock, WallClock.SYSTEM);
        this.watch = new SelfMonitor(
                records, clock, this.sink, new ProcFiles(Path.of("/proc")), SelfMonitor.Jvm.own(), setup::log);
    }

    /** Shows what is said in all calls, failed ones too; before {@link #prepare}. */
    public void showAnswers(AnswerObserver watch) {
        setup.showAnswers(watch);
    }

    /**
     * Opens the session and the clients.
     *
     * @throws Exception when this tester cannot run such clients, with the plugin's reason
     */
    @Override
    public void prepare() throws Exception {
        setup.script(CallScript.open(
                config.script(), requests, config.rank(), config.plan().seed(), config::journey));
        if (!config.script().code().isEmpty()) {
            SystemThreads.check(setup.mostClients());
        }
        if (config.script().capture().isOn() || setup.answers() != null) {
            setup.show(new DetailedCalls(
                    config.script().capture(),
                    request -> config.plugin(config.script().calls().get(request)),
                    setup,
                    records::show));
        }
        if (config.script().trace().sent()) {
            setup.trace();
        }
        rehearse();
        Session opened = openSession();
        session = opened;
        ClientFactory maker = new ClientContexts(opened, setup, requests.get(0), records);
        Driver made;
        if (AsyncClient.class.isAssignableFrom(opened.kind())) {
            made = LoopDriver.asynchronous(setup, clock, maker, sink);
        } else if (BlockingClient.class.isAssignableFrom(opened.kind())) {
            made = LoopDriver.blocking(setup, clock, maker, sink);
        } else {
            throw new IllegalStateException("Session.kind: expected AsyncClient or BlockingClient, got "
                    + opened.kind().getName());
        }
        driver = made;
        setup.whenRetired(made::retire);
        made.whenDone(this::finishOnItsOwnThread);
        try {
            made.prepare(OPEN_FIRST);
        } catch (Throwable thrown) {
            driver = null;
            made.whenDone(() -> {});
            made.stop(0);
            made.terminate(FINISH_MILLIS);
            closeSession(opened);
            throw thrown;
        }
        watch.start(made);
    }

    private void rehearse() throws InterruptedException {
        int first = config.script().firstOwn();
        if (first >= 0) {
            EngineWarmup.hold(config, requests.get(first), clock);
        }
    }

    private Session openSession() throws Exception {
        List<RequestSettings> calls = config.script().calls();
        List<Sharing> sharing = new ArrayList<>();
        Map<List<String>, List<Integer>> alike = new LinkedHashMap<>();
        for (int i = 0; i < calls.size(); i++) {
            String id = config.plugin(calls.get(i)).id();
            alike.computeIfAbsent(List.of(id, calls.get(i).target()), key -> new ArrayList<>())
                    .add(i);
        }
        alike.forEach((key, numbers) -> sharing.addAll(sharing(key.get(0), key.get(1), numbers)));
        int[] places = new int[calls.size()];
        int[] sessionOf = new int[calls.size()];
        for (int i = 0; i < sharing.size(); i++) {
            for (int p = 0; p < sharing.get(i).numbers().size(); p++) {
                int number = sharing.get(i).numbers().get(p);
                places[number] = sharing.get(i).numbers().size() == 1 ? number : p;
                sessionOf[number] = i;
            }
        }
        setup.places(places);
        List<CompositeSession.Opened> sessions = new ArrayList<>();
        try {
            for (Sharing each : sharing) {
                List<Parameters> own =
                        each.numbers().stream().map(requests::get).toList();
                sessions.add(new CompositeSession.Opened(
                        each.plugin().open(new OpenedSession(own, each.target())), own.get(0), each.target()));
            }
        } catch (Throwable thrown) {
            sessions.forEach(opened -> closeSession(opened.session()));
            throw thrown;
        }
        boolean coded = !config.script().code().isEmpty();
        boolean needsLoop = coded
                && sessions.stream()
                        .anyMatch(each -> BlockingClient.class.isAssignableFrom(
                                each.session().kind()));
        return sessions.size() == 1 && sessions.get(0).target() == null && !needsLoop
                ? sessions.get(0).session()
                : new CompositeSession(sessions, sessionOf, coded);
    }

    /**
     * Requests that one session makes.
     *
     * @param target that they go to; {@code null}: those of the plan
     */
    private record Sharing(ClientPlugin plugin, @Nullable Url target, List<Integer> numbers) {}

    /** Divides requests of one plugin and target among sessions: one makes them all, where the plugin mixes them. */
    private List<Sharing> sharing(String id, String target, List<Integer> numbers) {
        ClientPlugin plugin = config.plugin(id);
        Url own = target.isEmpty() ? null : Url.of(target);
        if (numbers.size() == 1
                || plugin.mixes(numbers.stream().map(requests::get).toList())) {
            return List.of(new Sharing(plugin, own, numbers));
        }
        return numbers.stream()
                .map(number -> new Sharing(plugin, own, List.of(number)))
                .toList();
    }

    /**
     * Starts the run; returns at once.
     *
     * @param startNanos instant of the run's start on this engine's clock; the plan's times count from it
     * @param joinNanos after the start, from when on calls begin
     * @throws IllegalStateException before {@link #prepare}
     */
    @Override
    public void start(long startNanos, long joinNanos) {
        Driver prepared = driver;
        if (prepared == null) {
            throw new IllegalStateException("Engine.start: expected a prepared engine; call prepare first");
        }
        setup.joinAt(joinNanos);
        records.start(startNanos);
        prepared.start(startNanos);
    }

    @Override
    public void append(Stage stage) {
        if (setup.append(stage)) {
            Driver prepared = driver;
            if (prepared != null) {
                prepared.grown();
            }
        }
    }

    /**
     * Begins no more calls from now. What is still in flight after the grace is recorded as {@code unfinished}; a later
     * stop can shorten the grace, not lengthen it. Returns at once.
     */
    @Override
    public void stop(long graceNanos) {
        long grace = Math.min(Math.max(0, graceNanos), LONGEST_GRACE_NANOS);
        Driver prepared = driver;
        if (prepared == null) {
            done.complete(new TesterTotals(0, 0, 0, 0, Map.of(), 0, setup.aborted(), false));
        } else {
            prepared.stop(grace);
            endBy(clock.nanoTime() + grace + LONGEST_END_NANOS);
        }
    }

    /** Bounds the end of a stopped load, even when a loop is blocked in a plugin or in the sink. */
    private synchronized void endBy(long atNanos) {
        if (bound != null) {
            if (atNanos - latestEndNanos < 0) {
                latestEndNanos = atNanos;
            }
            return;
        }
        latestEndNanos = atNanos;
        Thread thread = new Thread(this::boundEnd, "diperf-end");
        thread.setDaemon(true);
        bound = thread;
        thread.start();
    }

    private void boundEnd() {
        while (!done.isDone()) {
            long left = latestEndNanos - clock.nanoTime();
            if (left > 0) {
                LockSupport.parkNanos(this, Math.min(left, 50_000_000L));
            } else if (done.complete(totals(requireNonNull(driver, "set by prepare()")))) {
                setup.log("The load did not end in time after it was stopped; calls not yet recorded are lost");
            }
        }
    }

    private TesterTotals totals(Driver ran) {
        TesterStatus last = status();
        return new TesterTotals(
                last.sent(),
                last.dropped(),
                ran.lateEnds(),
                setup.stuckClients(),
                records.rejected(),
                ran.firstCallNanos(),
                setup.aborted(),
                false);
    }

    /** Returns the engine's state; cheap. */
    @Override
    public TesterStatus status() {
        Driver prepared = driver;
        TesterStatus calls = prepared == null ? new TesterStatus(0, 0, 0, 0, 0, 0) : prepared.status();
        return new TesterStatus(
                calls.activeClients(),
                calls.inFlight(),
                calls.sent() + records.recordedOk() + records.recordedFailed(),
                calls.ok() + records.recordedOk(),
                calls.failed() + records.recordedFailed(),
                calls.dropped());
    }

    /**
     * Completes when the plan is over or was stopped, everything is recorded and flushed to the sink, and clients and
     * session are closed.
     */
    @Override
    public CompletableFuture<TesterTotals> done() {
        return done;
    }

    private void finishOnItsOwnThread() {
        Thread finisher = new Thread(this::finish, "diperf-finish");
        finisher.setDaemon(true);
        finisher.start();
    }

    private void finish() {
        Driver ran = requireNonNull(driver, "set by prepare()");
        Session opened = requireNonNull(session, "set by prepare()");
        try {
            Thread closer = new Thread(() -> closeSession(opened), "diperf-close");
            closer.setDaemon(true);
            closer.start();
            closer.join(FINISH_MILLIS);
            if (closer.isAlive()) {
                setup.log("The plugin's session took too long to close and was abandoned");
            }
            ran.terminate(FINISH_MILLIS);
            watch.stop(FINISH_MILLIS);
            records.flushAll();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            done.complete(totals(ran));
        }
    }

    private void closeSession(Session opened) {
        try {
            opened.close();
        } catch (Throwable thrown) {
            setup.log("The plugin's session could not be closed: " + Failures.describe(thrown));
        }
    }

    /** Stops at once and waits, at most 5 s. */
    @Override
    public void close() {
        stop(0);
        try {
            done.get(5, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (java.util.concurrent.ExecutionException | TimeoutException e) {
            setup.log("The engine did not finish: " + e);
        }
    }

    private final class OpenedSession implements SessionContext {

        private final List<Parameters> own;
        private final @Nullable Url target;

        OpenedSession(List<Parameters> own, @Nullable Url target) {
            this.own = own;
            this.target = target;
        }

        @Override
        public int tester() {
            return config.tester();
        }

        @Override
        public int slot() {
            return config.plan().numbering().firstSlot() + config.slot();
        }

        @Override
        public int host() {
            return config.rank().host();
        }

        @Override
        public List<Url> targets() {
            return target == null ? config.plan().targets().each() : List.of(target);
        }

        @Override
        public Parameters with() {
            return own.get(0);
        }

        @Override
        public List<Parameters> requests() {
            return own;
        }

        @Override
        public Duration timeout() {
            return setup.longestTimeout();
        }

        @Override
        public Path folder() {
            return config.folder();
        }

        @Override
        public Recorder recorder() {
            return records.recorder(Records.NO_CLIENT);
        }

        @Override
        public Memory memory() {
            return setup.memory();
        }

        @Override
        public int clients() {
            return setup.mostClients();
        }
    }
}
