package org.diperf.tester.engine;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Supplier;
import org.diperf.core.clock.NanoClock;
import org.diperf.core.experiment.LoopSettings;
import org.diperf.core.plan.Load;
import org.diperf.core.plan.Plan;
import org.diperf.core.plan.Stage;
import org.diperf.core.plan.Targets;
import org.diperf.core.sample.Block;
import org.diperf.core.sample.BlockWriter;
import org.diperf.core.sample.CallWriter;
import org.diperf.core.sample.Calls;
import org.diperf.core.sample.SampleColumn;
import org.diperf.core.spi.AsyncClient;
import org.diperf.core.spi.Client;
import org.diperf.core.spi.Context;
import org.diperf.core.spi.Loop;
import org.diperf.core.spi.Metric;
import org.diperf.core.spi.Parameters;
import org.diperf.core.spi.Recorder;
import org.diperf.core.spi.Url;
import org.diperf.tester.engine.bounds.ReceiveTimes;
import org.diperf.tester.engine.call.BlockSink;
import org.diperf.tester.engine.call.CallScript;
import org.diperf.tester.engine.call.RunSetup;
import org.diperf.tester.engine.call.SampleStream;
import org.diperf.tester.engine.loop.CallLoop;
import org.diperf.tester.engine.loop.ClientFactory;
import org.diperf.tester.engine.loop.LoopLock;
import org.diperf.tester.engine.loop.LoopRunner;
import org.diperf.tester.engine.loop.LoopShare;
import org.diperf.tester.engine.loop.ThreadedClients;
import org.jspecify.annotations.Nullable;

/** A loop turned by hand, and the threads of its blocking clients: time passes only when the test says so. */
final class HandLoop implements LoopRunner, BlockSink, ClientFactory {

    /** A call as it was recorded. */
    record Sample(int client, long intendedNanos, long lagNanos, long latencyNanos, String outcome) {}

    /** A metric that calls may have. */
    static final Metric FIRST_BYTE = new Metric("first-byte", "ms", "time to the first byte");

    final List<Sample> samples = new ArrayList<>();
    /** The metric of each of the samples, {@code NaN} of those without. */
    final List<Double> firstBytes = new ArrayList<>();

    /**
     * Bounds on the errors of a sample's instants.
     *
     * @param in {@link CallWriter#UNKNOWN} where there is none, as {@code out}
     */
    record Bounds(long in, long out) {}

    /** Those of each of the samples. */
    final List<Bounds> bounds = new ArrayList<>();

    /** The stage of each of the samples. */
    final List<Integer> stages = new ArrayList<>();

    final List<String> log = new ArrayList<>();
    /** Those of other threads too. */
    final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();

    final RunSetup setup;
    /** A test says when the loop looks, and reads. */
    final ReceiveTimes looks;

    final CallLoop loop;
    final HandThreads threads = new HandThreads(() -> this.now);
    private final Records records;
    private final @Nullable LoopLock lock;
    private final Supplier<? extends Client> clients;
    private final Thread owner = Thread.currentThread();
    private final PriorityQueue<Event> events =
            new PriorityQueue<>(Comparator.comparingLong(Event::atNanos).thenComparingLong(Event::number));
    private long eventNumber;
    private long block;
    long now;
    boolean done;

    private record Event(long atNanos, long number, Runnable task) {}

    HandLoop(Load load, Supplier<? extends AsyncClient> clients) {
        this(load, clients, false);
    }

    HandLoop(Load load, Supplier<? extends AsyncClient> clients, boolean debug) {
        this(plan(false, new Stage(0, load, 0)), clients, debug);
    }

    HandLoop(Plan plan, Supplier<? extends AsyncClient> clients, boolean debug) {
        this(plan, clients, debug, false, CallScript.NONE);
    }

    /** @param threaded whether the clients are blocking ones, whose threads are turned by hand too */
    HandLoop(Plan plan, Supplier<? extends Client> clients, boolean debug, boolean threaded, CallScript script) {
        this.clients = clients;
        setup = new RunSetup(1, 1, 0, plan, List.of(FIRST_BYTE), LoopSettings.DEFAULT.orLoops(1), debug, log::add);
        setup.script(script);
        NanoClock clock = () -> now;
        records = new Records(setup, this, clock, () -> 0);
        lock = threaded ? new LoopLock(threads, clock) : null;
        ClientFactory maker = lock == null ? this : new ThreadedClients(lock, this);
        looks = new ReceiveTimes(clock, () -> now / 1e9);
        loop = new CallLoop(
                setup,
                new LoopShare(0, 1),
                clock,
                this,
                new PlanRules(setup),
                maker,
                new SampleStream(1, 1, this),
                () -> done = true);
        setup.whenRetired(client -> execute(() -> loop.retire(client)));
        inLoop(() -> loop.openFirst(Engine.OPEN_FIRST));
        threads.run();
    }

    private void inLoop(Runnable task) {
        if (lock == null) {
            task.run();
            return;
        }
        lock.lock();
        try {
            task.run();
        } finally {
            lock.unlock();
        }
    }

    /** Starts the run at instant 0. */
    void start() {
        records.start(0);
        inLoop(() -> loop.start(0));
    }

    void stop(long graceNanos) {
        inLoop(() -> loop.stop(graceNanos));
    }

    /** Does something later. */
    void in(long nanos, Runnable task) {
        events.add(new Event(now + nanos, eventNumber++, task));
    }

    static Plan plan(boolean grows, Stage... stages) {
        return new Plan(1, 1, Targets.one(Url.of("test:a")), List.of(stages), grows);
    }

    /** Appends a stage as the engine does. */
    void append(Stage stage) {
        if (setup.append(stage)) {
            tasks.add(loop::grown);
        }
    }

    int active() {
        return loop.counters().status().activeClients();
    }

    /** Lets time pass until an instant, turning whenever something is due. */
    void runUntil(long nanos) {
        while (true) {
            turn();
            long wait = turnLoop();
            boolean again = threads.run() || !tasks.isEmpty();
            long next = Math.min(now + (again ? 0 : wait), threads.nextWake());
            Event event = events.peek();
            next = event == null ? next : Math.min(next, event.atNanos());
            if (next > nanos) {
                now = nanos;
                records.flush();
                return;
            }
            now = Math.max(now, next);
        }
    }

    /** Turns once, after time went by without a turn. */
    void turn() {
        for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
            inLoop(task);
        }
        for (Event event = events.peek(); event != null && event.atNanos() <= now; event = events.peek()) {
            events.remove();
            event.task().run();
        }
        threads.run();
        turnLoop();
        threads.run();
    }

    private long turnLoop() {
        long[] wait = new long[1];
        inLoop(() -> wait[0] = loop.runDue());
        return wait[0];
    }

    @Override
    public boolean inLoop() {
        return lock == null ? Thread.currentThread() == owner : lock.isHeld();
    }

    @Override
    public void execute(Runnable task) {
        tasks.add(task);
    }

    @Override
    public ReceiveTimes looks() {
        return looks;
    }

    @Override
    public <T> Optional<T> unwrap(Class<T> type) {
        return Optional.empty();
    }

    @Override
    public void write(BlockWriter writer) {
        if (!(writer instanceof CallWriter calls)) {
            throw new AssertionError("no observations come from the core");
        }
        ByteBuffer data = ByteBuffer.allocate(calls.maxEncodedLength());
        calls.encode(data, ++block);
        data.flip();
        try {
            Calls decoded = new Calls(SampleColumn.ERROR_IN, SampleColumn.ERROR_OUT);
            decoded.decode(data, Block.read(data));
            for (int i = 0; i < decoded.rows(); i++) {
                stages.add(decoded.stage(i));
                firstBytes.add(decoded.metric(0, i));
                boolean bounded = decoded.has(SampleColumn.ERROR_IN);
                bounds.add(new Bounds(
                        bounded ? decoded.value(SampleColumn.ERROR_IN, i) : CallWriter.UNKNOWN,
                        bounded ? decoded.value(SampleColumn.ERROR_OUT, i) : CallWriter.UNKNOWN));
                samples.add(new Sample(
                        decoded.client(i),
                        decoded.intendedNanos(i),
                        decoded.lagNanos(i),
                        decoded.latencyNanos(i),
                        decoded.outcome(i)));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public Client newClient() {
        return clients.get();
    }

    @Override
    public Context context(int client, @Nullable Loop owner) {
        return new Context() {
            @Override
            public int client() {
                return client;
            }

            @Override
            public Url target() {
                return Url.of("test:a");
            }

            @Override
            public Duration timeout() {
                return Duration.ofSeconds(1);
            }

            @Override
            public Parameters with() {
                return Parameters.read(List.of(), java.util.Map.of(), 1);
            }

            @Override
            public Recorder recorder() {
                return records.recorder(client);
            }

            @Override
            public Loop loop() {
                return loop;
            }
        };
    }
}
