package org.diperf.controller.collect;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.diperf.core.clock.NanoClock;
import org.diperf.core.experiment.LoopSettings;
import org.diperf.core.experiment.Script;
import org.diperf.core.plan.ClosedLoad;
import org.diperf.core.plan.Plan;
import org.diperf.core.plan.Rank;
import org.diperf.core.plan.Stage;
import org.diperf.core.plan.Targets;
import org.diperf.core.plan.ThinkTime;
import org.diperf.core.sample.Block;
import org.diperf.core.sample.SampleReader;
import org.diperf.core.spi.Url;
import org.diperf.core.wire.Assignment;
import org.diperf.core.wire.PluginJar;
import org.diperf.core.wire.TesterFacts;
import org.diperf.core.wire.Ticket;
import org.diperf.tester.link.Tester;

/** A collector and testers in one process: real sockets, real TLS, fake engines. */
final class MiniCluster implements AutoCloseable {

    static final long LEASE = TimeUnit.SECONDS.toNanos(10);
    static final TesterFacts FACTS = new TesterFacts("node,1", 2, 1L << 30, "17", List.of(), "Linux", false);

    final Path folder;
    private final NanoClock clock;
    final Events events = new Events();
    final Collector collector;
    private final List<AutoCloseable> parts = new ArrayList<>();

    /** A clock that goes when the test says so. */
    static final class ManualClock implements NanoClock {
        private final AtomicLong nanos = new AtomicLong(1_000_000_000_000L);

        @Override
        public long nanoTime() {
            // Each reading is later than the one before, as on a real machine.
            return nanos.addAndGet(1_000);
        }

        void advance(long byNanos) {
            nanos.addAndGet(byNanos);
        }
    }

    /** A tester at work on a thread of its own. */
    record Running(Tester tester, FakeEngine engine, CompletableFuture<Integer> exitCode) {}

    MiniCluster(Path folder, int testers, NanoClock clock) throws IOException {
        this(folder, testers, clock, Collector.Limits.DEFAULT);
    }

    /** Makes one whose testers come by sealed datagrams. */
    static MiniCluster byDatagrams(Path folder, int testers, NanoClock clock) throws IOException {
        CollectorConfig config = config(folder, testers, 0, true);
        return new MiniCluster(folder, clock, config);
    }

    private MiniCluster(Path folder, NanoClock clock, CollectorConfig config) throws IOException {
        this.folder = folder;
        this.clock = clock;
        this.collector = new Collector(config, clock, events);
    }

    MiniCluster(Path folder, int testers, NanoClock clock, Collector.Limits limits) throws IOException {
        this.folder = folder;
        this.clock = clock;
        CollectorConfig config = config(folder, testers, 0, false);
        this.collector = new Collector(config, clock, events, limits, Collector.files(config, limits));
    }

    /**
     * @param disk takes the blocks
     * @param memoryBytes of blocks held in memory
     */
    MiniCluster(Path folder, int testers, NanoClock clock, Disk disk, long queueBytes, long memoryBytes)
            throws IOException {
        this.folder = folder;
        this.clock = clock;
        this.collector = new Collector(
                config(folder, testers, memoryBytes, false),
                clock,
                events,
                new Collector.Limits(queueBytes, 1 << 20),
                disk);
    }

    private static CollectorConfig config(Path folder, int testers, long memoryBytes, boolean datagrams) {
        return new CollectorConfig(
                CollectorConfig.Listen.any("127.0.0.1"),
                new CollectorConfig.Files(folder.resolve("samples"), folder.resolve("clock.csv"), null, false),
                testers,
                LEASE,
                0,
                memoryBytes,
                datagrams);
    }

    /** Starts the run so much later; gives the instant. */
    long start(long leadNanos) {
        long atNanos = clock.nanoTime() + leadNanos;
        collector.start(atNanos);
        return atNanos;
    }

    /** Makes an assignment whose plugin has this as its only parameter. */
    static Assignment assignmentOf(String parameter) {
        Assignment plain = assignment(1);
        return new Assignment(
                plain.plan(),
                plain.slot(),
                plain.rank(),
                plain.plugin(),
                Map.of("long", parameter),
                plain.jars(),
                plain.loops(),
                plain.leaseNanos(),
                plain.lingerNanos(),
                plain.debug(),
                plain.script());
    }

    static Assignment assignment(int testers, PluginJar... jars) {
        Plan plan = new Plan(
                1,
                testers,
                Targets.one(Url.of("fake://host")),
                List.of(new Stage(0, new ClosedLoad(1, 0, 1_000_000_000, ThinkTime.NONE, 1_000_000), 0)));
        return new Assignment(
                plan,
                1,
                Rank.ONLY,
                "fake",
                Map.of("depth", List.of(1L, "two")),
                List.of(jars),
                LoopSettings.DEFAULT,
                LEASE,
                TimeUnit.MINUTES.toNanos(10),
                false,
                Script.NONE);
    }

    Running tester(int number, NanoClock clock) throws IOException {
        return tester(Ticket.parse(collector.tickets().tester(number)), new FakeEngine(), clock, List.of());
    }

    Running tester(Ticket ticket, FakeEngine engine, NanoClock clock, List<Path> jars) throws IOException {
        return tester(ticket, engine, clock, jars, Tester.Setup.SPOOL_BYTES);
    }

    Running tester(Ticket ticket, FakeEngine engine, NanoClock clock, List<Path> jars, long spoolBytes)
            throws IOException {
        Tester tester = new Tester(
                ticket,
                new Tester.Setup(
                        id -> id.equals("fake") ? Optional.of(FakeEngine.PLUGIN) : Optional.empty(),
                        jars,
                        engine::create,
                        FACTS,
                        folder,
                        spoolBytes,
                        Tester.Setup.JOIN_NANOS),
                clock);
        CompletableFuture<Integer> exitCode = new CompletableFuture<>();
        Thread thread = new Thread(
                () -> {
                    try {
                        exitCode.complete(tester.run());
                    } catch (Throwable e) {
                        exitCode.completeExceptionally(e);
                    }
                },
                "tester-main-" + ticket.tester());
        thread.setDaemon(true);
        thread.start();
        parts.add(tester);
        return new Running(tester, engine, exitCode);
    }

    RawPeer peer(int number) throws Exception {
        return peer(Ticket.parse(collector.tickets().tester(number)));
    }

    RawPeer peer(Ticket ticket) throws Exception {
        RawPeer peer = new RawPeer(ticket);
        parts.add(peer);
        return peer;
    }

    /** Lists tester and number of every block in the files. */
    List<String> blocks() throws IOException {
        return blocks(folder);
    }

    /** Lists tester and number of every block in the files of a run. */
    static List<String> blocks(Path folder) throws IOException {
        List<String> found = new ArrayList<>();
        SampleReader.read(folder.resolve("samples"), new SampleReader.Visitor() {
            @Override
            public void block(Block header, ByteBuffer data) {
                found.add(header.tester() + "/" + header.number());
            }

            @Override
            public void damaged(Path file, long offset, String reason) {
                found.add("damaged: " + reason);
            }
        });
        return found;
    }

    @Override
    public void close() throws Exception {
        collector.bye();
        for (AutoCloseable part : parts) {
            part.close();
        }
        collector.close();
    }
}
