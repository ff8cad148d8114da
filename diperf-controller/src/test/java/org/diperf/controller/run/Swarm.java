package org.diperf.controller.run;

import static java.util.Objects.requireNonNull;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.diperf.core.clock.NanoClock;
import org.diperf.core.plan.Stage;
import org.diperf.core.sample.CallWriter;
import org.diperf.core.sample.Workload;
import org.diperf.core.spi.ClientPlugin;
import org.diperf.core.spi.Session;
import org.diperf.core.spi.SessionContext;
import org.diperf.core.wire.Assignment;
import org.diperf.core.wire.TesterFacts;
import org.diperf.core.wire.TesterStatus;
import org.diperf.core.wire.TesterTotals;
import org.diperf.core.wire.Ticket;
import org.diperf.tester.engine.RunningEngine;
import org.diperf.tester.engine.TesterPlugins;
import org.diperf.tester.engine.call.BlockSink;
import org.diperf.tester.engine.call.EngineListener;
import org.diperf.tester.link.ExitCode;
import org.diperf.tester.link.Tester;
import org.jspecify.annotations.Nullable;

/**
 * The senders of {@link Ingest}: testers of one JVM with real links and spools, whose engines make up calls instead of
 * making them, as fast as the spool takes them.
 */
final class Swarm {

    static final String PLUGIN = "swarm";

    private static final int BLOCK_CALLS = 1_000;
    private static final int CLIENTS = 64;
    private static final int DRAWN = 1 << 17;
    private static final double SERVICE_NANOS = 1e6;
    /** From one block of a tester to the next; 0: as fast as the spool takes them. */
    private static final long EVERY_NANOS = Long.getLong("swarm.every-nanos", 0);

    private Swarm() {}

    /**
     * Runs the testers of these tickets until the controller says goodbye, then prints a line for each.
     *
     * @param args {@code closed} or {@code open}, then the files of the tickets
     */
    public static void main(String[] args) throws Exception {
        boolean open = args[0].equals("open");
        Path folder = Files.createTempDirectory("diperf-swarm");
        List<MadeUp> engines = new ArrayList<>();
        List<CompletableFuture<Integer>> ends = new ArrayList<>();
        for (int i = 1; i < args.length; i++) {
            Ticket ticket = Ticket.parse(Files.readString(Path.of(args[i]), StandardCharsets.UTF_8));
            MadeUp engine = new MadeUp(ticket.tester(), args.length - 1, open);
            engines.add(engine);
            Tester tester = new Tester(
                    ticket,
                    new Tester.Setup(
                            id -> id.equals(PLUGIN) ? Optional.of(new NoPlugin()) : Optional.empty(),
                            List.of(),
                            engine::create,
                            new TesterFacts("swarm", 1, 0, "17", List.of(), "Linux", false),
                            folder,
                            Tester.Setup.SPOOL_BYTES,
                            Tester.Setup.JOIN_NANOS),
                    NanoClock.SYSTEM);
            CompletableFuture<Integer> end = new CompletableFuture<>();
            ends.add(end);
            new Thread(
                            () -> {
                                try {
                                    end.complete(tester.run());
                                } catch (Exception e) {
                                    end.completeExceptionally(e);
                                }
                            },
                            "swarm-" + ticket.tester())
                    .start();
        }
        for (CompletableFuture<Integer> end : ends) {
            if (end.get() != ExitCode.DONE) {
                throw new IllegalStateException("Expected testers that end well, got exit code " + end.get());
            }
        }
        engines.forEach(
                engine -> System.out.println(engine.tester + " " + engine.sent + " " + engine.workload.checksum()));
    }

    private static final class NoPlugin implements ClientPlugin {
        @Override
        public String id() {
            return PLUGIN;
        }

        @Override
        public String summary() {
            return "makes no calls";
        }

        @Override
        public Session open(SessionContext context) {
            throw new IllegalStateException("no sessions");
        }
    }

    /** Makes up calls on a thread of its own. */
    private static final class MadeUp implements RunningEngine {

        private final int tester;
        private final int stride;
        private final Workload workload;
        private final CompletableFuture<TesterTotals> done = new CompletableFuture<>();
        private final AtomicLong status = new AtomicLong();
        private volatile boolean stopped;
        private volatile @Nullable BlockSink sink;
        private long sent;

        MadeUp(int tester, int stride, boolean open) {
            this.tester = tester;
            this.stride = stride;
            this.workload = open
                    ? Workload.open(tester, DRAWN, 50_000, 5 * SERVICE_NANOS)
                    : Workload.closed(tester, DRAWN, CLIENTS, SERVICE_NANOS, 0);
        }

        RunningEngine create(
                Assignment assignment,
                int number,
                TesterPlugins plugins,
                Path folder,
                BlockSink to,
                NanoClock clock,
                EngineListener listener) {
            sink = to;
            return this;
        }

        @Override
        public void append(Stage stage) {
            throw new IllegalStateException("This plan does not grow");
        }

        @Override
        public void prepare() {}

        @Override
        public void start(long startNanos, long joinNanos) {
            new Thread(() -> send(startNanos), "swarm-engine-" + tester).start();
        }

        private void send(long startNanos) {
            try {
                BlockSink to = requireNonNull(sink, "sink");
                CallWriter writer = new CallWriter(tester, BLOCK_CALLS, 0);
                long everyNanos = EVERY_NANOS;
                long dueNanos = NanoClock.SYSTEM.nanoTime();
                while (!stopped) {
                    while (everyNanos > 0 && NanoClock.SYSTEM.nanoTime() - dueNanos < 0 && !stopped) {
                        LockSupport.parkNanos(Math.min(10_000_000, dueNanos - NanoClock.SYSTEM.nanoTime()));
                    }
                    dueNanos += everyNanos;
                    while (!writer.isFull()) {
                        workload.addTo(writer, stride, tester - 1, startNanos);
                    }
                    sent += BLOCK_CALLS;
                    to.write(writer);
                    status.set(sent);
                }
                done.complete(new TesterTotals(sent, 0, 0, 0, Map.of(), startNanos));
            } catch (RuntimeException e) {
                done.completeExceptionally(e);
            }
        }

        @Override
        public void stop(long graceNanos) {
            stopped = true;
        }

        @Override
        public TesterStatus status() {
            return new TesterStatus(CLIENTS, 0, status.get(), 0, 0, 0);
        }

        @Override
        public CompletableFuture<TesterTotals> done() {
            return done;
        }

        @Override
        public void close() {
            stopped = true;
        }
    }
}
