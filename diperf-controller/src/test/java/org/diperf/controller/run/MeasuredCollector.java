package org.diperf.controller.run;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.diperf.controller.collect.Collector;
import org.diperf.controller.collect.CollectorConfig;
import org.diperf.controller.collect.TesterEvents;
import org.diperf.controller.run.live.LiveView;
import org.diperf.core.clock.NanoClock;
import org.diperf.core.experiment.LoopSettings;
import org.diperf.core.experiment.Script;
import org.diperf.core.plan.ClosedLoad;
import org.diperf.core.plan.Plan;
import org.diperf.core.plan.Rank;
import org.diperf.core.plan.Stage;
import org.diperf.core.plan.Targets;
import org.diperf.core.plan.ThinkTime;
import org.diperf.core.ports.FreePorts;
import org.diperf.core.sample.Block;
import org.diperf.core.sample.Calls;
import org.diperf.core.sample.CorruptBlockException;
import org.diperf.core.sample.SampleReader;
import org.diperf.core.sample.Workload;
import org.diperf.core.spi.Url;
import org.diperf.core.wire.Assignment;
import org.diperf.core.wire.TesterFacts;
import org.diperf.core.wire.TesterStatus;
import org.diperf.core.wire.TesterTotals;

/**
 * A real collector with the live view, as a run has it, whose testers are in other processes: what {@link Ingest},
 * {@link ManyTesters} and {@link Soak} have in common. Whatever goes wrong is kept in {@link #troubles}.
 */
final class MeasuredCollector implements TesterEvents, AutoCloseable {

    static final long SECOND = 1_000_000_000;
    /** More than any of these testers makes up calls of. */
    private static final int MAX_CLIENTS = 1 << 20;

    private static final List<String> HERE = List.of("127.0.0.1");

    private final Path folder;
    private final int testers;
    private final boolean mayComeBack;
    private final CountDownLatch ready;
    private final CountDownLatch finished;
    private final ConcurrentLinkedQueue<String> troubles = new ConcurrentLinkedQueue<>();
    private final LiveView live = new LiveView(NanoClock.SYSTEM.nanoTime());
    private final List<Process> processes = new ArrayList<>();
    private final Collector collector;
    private final long leaseNanos;

    /**
     * Listens.
     *
     * @param folder of the samples and of what the processes write
     * @param mayComeBack whether connections are cut on purpose
     */
    MeasuredCollector(Path folder, int testers, long leaseNanos, boolean datagrams, boolean mayComeBack)
            throws IOException {
        this.folder = folder;
        this.testers = testers;
        this.leaseNanos = leaseNanos;
        this.mayComeBack = mayComeBack;
        this.ready = new CountDownLatch(testers);
        this.finished = new CountDownLatch(testers);
        this.collector = new Collector(
                new CollectorConfig(
                        CollectorConfig.Listen.any(HERE.get(0)),
                        new CollectorConfig.Files(folder.resolve("samples"), folder.resolve("clock.csv"), null, false),
                        testers,
                        leaseNanos,
                        0,
                        0,
                        datagrams),
                NanoClock.SYSTEM,
                this);
        live.open();
    }

    Collector collector() {
        return collector;
    }

    LiveView live() {
        return live;
    }

    Collection<String> troubles() {
        return troubles;
    }

    /** Names the program that runs another process of these benchmarks. */
    static String java() {
        return Path.of(System.getProperty("java.home"), "bin", "java").toString();
    }

    /** Starts a process that ends with this object at the latest; its errors are shown. */
    Process start(List<String> command, ProcessBuilder.Redirect output) throws IOException {
        Process process = new ProcessBuilder(command)
                .redirectOutput(output)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        processes.add(process);
        return process;
    }

    /** One relay that leads here. */
    record RelayProcess(Process process, int port) {}

    /**
     * Starts a relay and waits until it is there.
     *
     * @param command that starts one but for its arguments
     */
    RelayProcess relay(int number, List<String> command) throws Exception {
        int port = FreePorts.take();
        Path ticket = folder.resolve("relay-" + number);
        Files.writeString(ticket, collector.tickets().relay(number, port));
        List<String> whole = new ArrayList<>(command);
        whole.addAll(List.of("relay", "--ticket", ticket.toString(), "--listen", HERE.get(0) + ":" + port));
        Process process = new ProcessBuilder(whole)
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("relay-" + number + ".log").toFile())
                .start();
        processes.add(process);
        collector.relay(number).get(30, TimeUnit.SECONDS);
        return new RelayProcess(process, port);
    }

    /**
     * Starts a process of real testers ({@link Swarm}) that make up calls.
     *
     * @param flags of its JVM
     * @param kind {@code closed} or {@code open}
     * @param port that leads here
     * @param output takes what they say that they sent
     */
    Process swarm(List<String> flags, String kind, int port, Path output) throws IOException {
        List<String> command = new ArrayList<>(List.of(java()));
        command.addAll(flags);
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), Swarm.class.getName(), kind));
        Plan plan = new Plan(
                1,
                testers,
                Targets.one(Url.of("swarm://nowhere")),
                List.of(new Stage(0, new ClosedLoad(MAX_CLIENTS, 0, 90_000 * SECOND, ThinkTime.NONE, SECOND), 0)));
        for (int tester = 1; tester <= testers; tester++) {
            Path ticket = folder.resolve("ticket-" + tester);
            Files.writeString(ticket, collector.tickets().tester(tester, HERE, port), StandardCharsets.UTF_8);
            command.add(ticket.toString());
            collector.assign(
                    tester,
                    new Assignment(
                            plan,
                            tester,
                            Rank.ONLY,
                            Swarm.PLUGIN,
                            Map.of(),
                            List.of(),
                            LoopSettings.DEFAULT,
                            leaseNanos,
                            60 * SECOND,
                            false,
                            Script.NONE));
        }
        return start(command, ProcessBuilder.Redirect.to(output.toFile()));
    }

    /** Waits until all testers are ready. */
    void awaitReady() throws InterruptedException {
        if (!ready.await(60, TimeUnit.SECONDS)) {
            throw new IllegalStateException(
                    "Expected " + testers + " testers ready, got " + ready.getCount() + " that are not " + troubles);
        }
    }

    /** Starts the load so much later; gives the instant. */
    long begin(long leadNanos) {
        long begin = NanoClock.SYSTEM.nanoTime() + leadNanos;
        collector.start(begin);
        live.begin(begin);
        return begin;
    }

    /** Returns whether all testers have ended their load. */
    boolean awaitFinished(long seconds) throws InterruptedException {
        return finished.await(seconds, TimeUnit.SECONDS);
    }

    /** Ends the load and waits until all that was measured is durable. */
    void stop() throws InterruptedException {
        collector.stop(0);
        if (!awaitFinished(120) || !collector.awaitDurable(60 * SECOND)) {
            throw new IllegalStateException("Expected all samples durable, got " + troubles);
        }
    }

    /** Returns the heap in use after collections, in bytes. */
    static long liveHeapBytes() {
        for (int i = 0; i < 3; i++) {
            System.gc();
        }
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    }

    /** What was sent or found of one tester. */
    record Tally(long samples, long checksum) {}

    /** Reads what the testers of a {@link #swarm} say that they sent. */
    static Map<Integer, Tally> sent(Path output) throws IOException {
        Map<Integer, Tally> sent = new HashMap<>();
        for (String line : Files.readAllLines(output)) {
            String[] fields = line.split(" ");
            sent.put(Integer.parseInt(fields[0]), new Tally(Long.parseLong(fields[1]), Long.parseLong(fields[2])));
        }
        return sent;
    }

    /**
     * Reads what was kept, decoding each call or none; what is wrong with it becomes a trouble.
     *
     * @param decodes whether checksums are wanted
     */
    Map<Integer, Tally> readBack(boolean decodes) throws IOException {
        Map<Integer, Tally> found = new HashMap<>();
        Map<Integer, Long> numbers = new HashMap<>();
        Calls calls = new Calls();
        SampleReader.read(folder.resolve("samples"), new SampleReader.Visitor() {
            @Override
            public void block(Block header, ByteBuffer data) throws CorruptBlockException {
                long number = numbers.merge(header.tester(), 1L, Long::sum);
                if (number != header.number()) {
                    troubles.add("block " + header.number() + " where " + number + " was due");
                }
                long checksum = 0;
                if (decodes) {
                    calls.decode(data, header);
                    for (int i = 0; i < calls.rows(); i++) {
                        checksum += Workload.checksumOf(
                                calls.client(i), calls.intendedNanos(i), calls.lagNanos(i), calls.latencyNanos(i));
                    }
                }
                found.merge(
                        header.tester(),
                        new Tally(header.rows(), checksum),
                        (a, b) -> new Tally(a.samples + b.samples, a.checksum + b.checksum));
            }

            @Override
            public void damaged(Path file, long offset, String reason) {
                troubles.add(file + "@" + offset + ": " + reason);
            }
        });
        return found;
    }

    /** Counts the samples of all testers. */
    static long samples(Map<Integer, Tally> of) {
        return of.values().stream().mapToLong(Tally::samples).sum();
    }

    /** Ends the collector and all processes; idempotent. */
    @Override
    public void close() throws IOException {
        live.close();
        // Those that are held still do not end when they are asked.
        processes.forEach(Process::destroyForcibly);
        collector.close();
    }

    @Override
    public void joined(int tester, TesterFacts facts) {}

    @Override
    public void ready(int tester, long testerNanos) {
        ready.countDown();
    }

    @Override
    public void refused(int tester, String reason) {
        troubles.add("tester " + tester + " refused: " + reason);
    }

    @Override
    public void started(int tester, long localStartNanos) {
        live.localStart(tester, localStartNanos);
    }

    @Override
    public void clock(int tester, long errorNanos) {}

    @Override
    public void status(int tester, TesterStatus status) {}

    @Override
    public void finished(int tester, TesterTotals totals) {
        finished.countDown();
    }

    @Override
    public void lost(int tester, String reason, long heardNanos) {
        troubles.add("tester " + tester + " lost: " + reason);
    }

    @Override
    public void dropped(int tester, String reason, long atNanos) {
        lost(tester, reason, atNanos);
    }

    @Override
    public void back(int tester) {
        if (!mayComeBack) {
            troubles.add("tester " + tester + " back");
        }
    }

    @Override
    public void crowded(String reason) {
        troubles.add(reason);
    }

    @Override
    public void log(int tester, String line) {
        if (!mayComeBack) {
            System.out.println("tester " + tester + ": " + line);
        }
    }

    @Override
    public void block(int tester, ByteBuffer block) {
        live.offer(block);
    }

    @Override
    public void overflowed(String reason) {
        troubles.add(reason);
    }

    @Override
    public void waitsForDisk(String reason) {
        troubles.add(reason);
    }

    @Override
    public void failed(String reason) {
        troubles.add(reason);
    }
}
