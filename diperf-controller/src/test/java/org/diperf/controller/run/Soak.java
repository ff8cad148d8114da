package org.diperf.controller.run;

import java.lang.management.ManagementFactory;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;
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
import org.diperf.core.wire.Assignment;
import org.diperf.core.wire.TesterFacts;
import org.diperf.core.wire.TesterStatus;
import org.diperf.core.wire.TesterTotals;

/**
 * Real testers ({@link Swarm}) behind a real relay, which is held still for twenty seconds of each minute: what they measure
 * meanwhile waits in their spools. Everything must arrive once, and memory must stay flat. Run by {@code benchmarks/soak}.
 */
final class Soak implements Collector.Listener {

    private static final long SECOND = 1_000_000_000;
    private static final int TESTERS = 10;
    private static final int BLOCK_CALLS = 1_000;
    private static final int CUT_SECONDS = 20;
    /** Longer than the network is away, so that the load goes on. */
    private static final long LEASE = 60 * SECOND;

    private final CountDownLatch ready = new CountDownLatch(TESTERS);
    private final CountDownLatch finished = new CountDownLatch(TESTERS);
    private final ConcurrentLinkedQueue<String> troubles = new ConcurrentLinkedQueue<>();
    private final LiveView live = new LiveView(NanoClock.SYSTEM.nanoTime());

    private Soak() {}

    /** @param args folder, minutes, samples a second, then the command that starts a relay but for its ticket */
    public static void main(String[] args) throws Exception {
        new Soak()
                .run(
                        Path.of(args[0]),
                        Integer.parseInt(args[1]),
                        Long.parseLong(args[2]),
                        List.of(args).subList(3, args.length));
    }

    private void run(Path folder, int minutes, long perSecond, List<String> relayCommand) throws Exception {
        Collector.Config config = new Collector.Config(
                "127.0.0.1",
                "",
                0,
                0,
                TESTERS,
                LEASE,
                0,
                folder.resolve("samples"),
                folder.resolve("clock.csv"),
                0,
                null,
                false,
                false);
        live.open();
        Path output = folder.resolve("swarm.txt");
        Process relay = null;
        Process swarm = null;
        try (Collector collector = new Collector(config, NanoClock.SYSTEM, this)) {
            int port = 23_600;
            Path ticket = folder.resolve("relay");
            Files.writeString(ticket, collector.relayTicket(1, port));
            List<String> command = new ArrayList<>(relayCommand);
            command.addAll(List.of("relay", "--ticket", ticket.toString(), "--listen", "127.0.0.1:" + port));
            relay = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(folder.resolve("relay.log").toFile())
                    .start();
            collector.relay(1).get(30, TimeUnit.SECONDS);
            swarm = swarm(collector, folder, output, perSecond, port);
            ready.await();
            long begin = NanoClock.SYSTEM.nanoTime() + SECOND / 2;
            collector.start(begin);
            live.begin(begin);
            for (int minute = 1; minute <= minutes; minute++) {
                TimeUnit.SECONDS.sleep(60 - CUT_SECONDS);
                signal(relay, "STOP");
                TimeUnit.SECONDS.sleep(CUT_SECONDS);
                signal(relay, "CONT");
                System.gc();
                System.out.printf(
                        Locale.ROOT,
                        "minute %d: heap %.1f MB after a collection, resident %.0f MB%n",
                        minute,
                        ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed() / 1e6,
                        residentKilobytes() / 1e3);
            }
            collector.stop(0);
            if (!finished.await(120, TimeUnit.SECONDS) || !collector.awaitDurable(60 * SECOND)) {
                throw new IllegalStateException("Wanted all samples durable, found " + troubles);
            }
            collector.bye();
            swarm.waitFor();
        } finally {
            live.close();
            if (relay != null) {
                relay.destroyForcibly();
            }
            if (swarm != null) {
                swarm.destroy();
            }
        }
        Map<Integer, Ingest.Tally> sent = Ingest.sent(output);
        List<String> wrong = new ArrayList<>();
        Map<Integer, Ingest.Tally> found = Ingest.readBack(folder, wrong);
        wrong.addAll(troubles);
        if (!found.equals(sent) || !wrong.isEmpty()) {
            throw new IllegalStateException("Wanted " + sent + ", found " + found + " " + wrong);
        }
        System.out.printf(
                Locale.ROOT,
                "%d samples in %d minutes, each there once%n",
                found.values().stream().mapToLong(Ingest.Tally::samples).sum(),
                minutes);
    }

    private static void signal(Process process, String name) throws Exception {
        new ProcessBuilder("kill", "-" + name, String.valueOf(process.pid()))
                .start()
                .waitFor();
    }

    private static double residentKilobytes() throws Exception {
        for (String line : Files.readAllLines(Path.of("/proc/self/status"))) {
            if (line.startsWith("VmRSS:")) {
                return Double.parseDouble(line.replaceAll("[^0-9]", ""));
            }
        }
        return Double.NaN;
    }

    private static Process swarm(Collector collector, Path folder, Path output, long perSecond, int port)
            throws Exception {
        long everyNanos = SECOND * TESTERS * BLOCK_CALLS / perSecond;
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx900m",
                "-XX:+UseSerialGC",
                "-Dswarm.every-nanos=" + everyNanos,
                "-cp",
                System.getProperty("java.class.path"),
                Swarm.class.getName(),
                "closed"));
        Plan plan = new Plan(
                1,
                TESTERS,
                Targets.one(URI.create("swarm://nowhere")),
                List.of(new Stage(0, new ClosedLoad(TESTERS, 0, 90_000 * SECOND, Think.NONE, SECOND), 0)));
        for (int tester = 1; tester <= TESTERS; tester++) {
            Path ticket = folder.resolve("ticket-" + tester);
            Files.writeString(ticket, collector.ticket(tester, List.of("127.0.0.1"), port), StandardCharsets.UTF_8);
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
                            LEASE,
                            60 * SECOND,
                            false,
                            Script.NONE));
        }
        return new ProcessBuilder(command)
                .redirectOutput(output.toFile())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
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
    public void back(int tester) {}

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
