package org.diperf.controller.run;

import com.sun.management.OperatingSystemMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.diperf.controller.collect.Collector;
import org.diperf.core.clock.NanoClock;
import org.diperf.core.experiment.LoopChoice;
import org.diperf.core.experiment.Script;
import org.diperf.core.plan.ClosedLoad;
import org.diperf.core.plan.Plan;
import org.diperf.core.plan.Stage;
import org.diperf.core.plan.Targets;
import org.diperf.core.plan.Think;
import org.diperf.core.sample.Block;
import org.diperf.core.sample.Calls;
import org.diperf.core.sample.CorruptBlockException;
import org.diperf.core.sample.SampleReader;
import org.diperf.core.sample.Workload;
import org.diperf.core.wire.Assignment;
import org.diperf.core.wire.TesterFacts;
import org.diperf.core.wire.TesterStatus;
import org.diperf.core.wire.TesterTotals;

/**
 * How many samples a second one controller takes in, end to end: made up and encoded by real testers of a second JVM
 * ({@link Swarm}), sent over TLS on the loopback, looked at by the live view, made durable and acknowledged; and then
 * all read back and compared with what was sent. Run by {@code benchmarks/ingest}.
 */
final class Ingest implements Collector.Listener {

    private static final long SECOND = 1_000_000_000;

    private final CountDownLatch ready;
    private final CountDownLatch finished;
    private final LiveView live = new LiveView(NanoClock.SYSTEM.nanoTime());
    private final List<String> troubles = new ArrayList<>();

    private Ingest(int testers) {
        ready = new CountDownLatch(testers);
        finished = new CountDownLatch(testers);
    }

    /** What was sent or found of one tester. */
    record Tally(long samples, long checksum) {}

    /** @param args folder, seconds, testers, {@code closed} or {@code open}, flags of the senders' JVM */
    public static void main(String[] args) throws Exception {
        Path folder = Path.of(args[0]);
        long seconds = Long.parseLong(args[1]);
        int testers = Integer.parseInt(args[2]);
        Ingest ingest = new Ingest(testers);
        Path output = folder.resolve("swarm.txt");
        Collector.Config config = new Collector.Config(
                "127.0.0.1",
                "",
                0,
                0,
                testers,
                10 * SECOND,
                0,
                folder.resolve("samples"),
                folder.resolve("clock.csv"),
                0,
                null,
                false,
                false);
        OperatingSystemMXBean system = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
        double elapsed;
        double mine;
        double theirs;
        try (Collector collector = new Collector(config, NanoClock.SYSTEM, ingest)) {
            Process swarm = ingest.swarm(collector, folder, output, args, testers);
            ingest.ready.await();
            long cpuMine = system.getProcessCpuTime();
            Duration cpuTheirs = swarm.info().totalCpuDuration().orElse(Duration.ZERO);
            long begin = NanoClock.SYSTEM.nanoTime() + SECOND / 5;
            collector.start(begin);
            ingest.live.begin(begin);
            ingest.finished.await(seconds, TimeUnit.SECONDS);
            collector.stop(0);
            if (!ingest.finished.await(120, TimeUnit.SECONDS) || !collector.awaitDurable(60 * SECOND)) {
                throw new IllegalStateException("Wanted all samples durable, found " + ingest.troubles);
            }
            elapsed = (NanoClock.SYSTEM.nanoTime() - begin) / 1e9;
            mine = (system.getProcessCpuTime() - cpuMine) / 1e9;
            theirs = swarm.info()
                            .totalCpuDuration()
                            .orElse(Duration.ZERO)
                            .minus(cpuTheirs)
                            .toNanos()
                    / 1e9;
            collector.bye();
            swarm.waitFor();
        }
        ingest.live.close();
        ingest.report(folder, output, elapsed, mine, theirs);
    }

    private Process swarm(Collector collector, Path folder, Path output, String[] args, int testers)
            throws IOException {
        List<String> command = new ArrayList<>(
                List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString()));
        command.addAll(List.of(args).subList(4, args.length));
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), Swarm.class.getName(), args[3]));
        Plan plan = new Plan(
                1,
                testers,
                Targets.one(URI.create("swarm://nowhere")),
                List.of(new Stage(0, new ClosedLoad(testers, 0, 3_600 * SECOND, Think.NONE, SECOND), 0)));
        for (int tester = 1; tester <= testers; tester++) {
            Path ticket = folder.resolve("ticket-" + tester);
            Files.writeString(ticket, collector.ticket(tester), StandardCharsets.UTF_8);
            command.add(ticket.toString());
            collector.assign(
                    tester,
                    new Assignment(
                            plan,
                            tester,
                            Swarm.PLUGIN,
                            Map.of(),
                            List.of(),
                            LoopChoice.USUAL,
                            10 * SECOND,
                            60 * SECOND,
                            false,
                            Script.NONE));
        }
        return new ProcessBuilder(command)
                .redirectOutput(output.toFile())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
    }

    /** Reads what the senders say that they sent. */
    static Map<Integer, Tally> sent(Path output) throws IOException {
        Map<Integer, Tally> sent = new HashMap<>();
        for (String line : Files.readAllLines(output)) {
            String[] fields = line.split(" ");
            sent.put(Integer.parseInt(fields[0]), new Tally(Long.parseLong(fields[1]), Long.parseLong(fields[2])));
        }
        return sent;
    }

    private void report(Path folder, Path output, double elapsed, double mine, double theirs) throws IOException {
        Map<Integer, Tally> sent = sent(output);
        Map<Integer, Tally> found = readBack(folder, troubles);
        long samples = sent.values().stream().mapToLong(Tally::samples).sum();
        long bytes = 0;
        for (Path file : SampleReader.files(folder.resolve("samples"))) {
            bytes += Files.size(file);
        }
        System.out.printf(
                Locale.ROOT,
                "%.2f M samples/s: %d in %.1f s, durable; %.2f bytes a sample; CPU s: controller %.1f, senders %.1f"
                        + " (of %.1f); live view saw %.0f %%%n",
                samples / elapsed / 1e6,
                samples,
                elapsed,
                (double) bytes / samples,
                mine,
                theirs,
                elapsed * Runtime.getRuntime().availableProcessors(),
                live.seenShare() * 100);
        if (!found.equals(sent) || !troubles.isEmpty()) {
            throw new IllegalStateException("Wanted " + sent + ", found " + found + " " + troubles);
        }
        System.out.println("read back: exactly what was sent, no block missing, double or damaged");
    }

    /** Reads what was kept; what is wrong with it goes into {@code troubles}. */
    static Map<Integer, Tally> readBack(Path folder, List<String> troubles) throws IOException {
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
                calls.decode(data, header);
                long checksum = 0;
                for (int i = 0; i < calls.rows(); i++) {
                    checksum += Workload.checksumOf(
                            calls.client(i), calls.intendedNanos(i), calls.lagNanos(i), calls.latencyNanos(i));
                }
                found.merge(
                        header.tester(),
                        new Tally(calls.rows(), checksum),
                        (a, b) -> new Tally(a.samples + b.samples, a.checksum + b.checksum));
            }

            @Override
            public void damaged(Path file, long offset, String reason) {
                troubles.add(file + "@" + offset + ": " + reason);
            }
        });
        return found;
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
    public void back(int tester) {
        troubles.add("tester " + tester + " back");
    }

    @Override
    public void crowded(String reason) {
        troubles.add(reason);
    }

    @Override
    public void log(int tester, String line) {
        System.out.println("tester " + tester + ": " + line);
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
    public void failed(String reason) {
        troubles.add(reason);
    }
}
