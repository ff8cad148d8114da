package org.diperf.controller.run;

import static org.diperf.controller.run.MeasuredCollector.SECOND;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.diperf.controller.run.MeasuredCollector.RelayProcess;
import org.diperf.controller.run.MeasuredCollector.Tally;

/**
 * Real testers ({@link Swarm}) behind a real relay, which is held still now and then: what they measure meanwhile waits in
 * their spools. Everything must arrive once, and memory must stay flat. Run by {@code benchmarks/soak} and {@link SoakIT}.
 */
final class Soak {

    private static final int TESTERS = 10;
    private static final int BLOCK_CALLS = 1_000;
    /** Longer than the network is away, so that the load continues. */
    private static final long LEASE = 60 * SECOND;

    private Soak() {}

    /**
     * How long and how hard.
     *
     * @param cuts how often the network goes away, each time at the end of a span
     * @param spanSeconds from the begin of one span to that of the next
     * @param cutSeconds within a span
     * @param perSecond samples a second of all testers
     */
    record SoakPlan(int cuts, int spanSeconds, int cutSeconds, long perSecond) {}

    /**
     * What came of it.
     *
     * @param sent by each tester
     * @param found of each in the files
     * @param troubles whatever else went wrong
     * @param heapMegabytes in use after collections, before each cut, of the controller
     */
    record Outcome(
            Map<Integer, Tally> sent, Map<Integer, Tally> found, List<String> troubles, List<Double> heapMegabytes) {}

    /** @param args folder, minutes, samples a second, then the command that starts a relay but for its ticket */
    public static void main(String[] args) throws Exception {
        int minutes = Integer.parseInt(args[1]);
        Outcome outcome = run(
                Path.of(args[0]),
                new SoakPlan(minutes, 60, 20, Long.parseLong(args[2])),
                List.of(args).subList(3, args.length));
        if (!outcome.found().equals(outcome.sent()) || !outcome.troubles().isEmpty()) {
            throw new IllegalStateException(
                    "Expected " + outcome.sent() + ", got " + outcome.found() + " " + outcome.troubles());
        }
        System.out.printf(
                Locale.ROOT,
                "%d samples in %d minutes, each there once%n",
                MeasuredCollector.samples(outcome.found()),
                minutes);
    }

    /** Carries out a soak; samples and logs go to a folder. */
    static Outcome run(Path folder, SoakPlan course, List<String> relayCommand) throws Exception {
        Path output = folder.resolve("swarm.txt");
        List<Double> heap = new ArrayList<>();
        try (MeasuredCollector measured = new MeasuredCollector(folder, TESTERS, LEASE, false, true)) {
            RelayProcess relay = measured.relay(1, relayCommand);
            long everyNanos = SECOND * TESTERS * BLOCK_CALLS / course.perSecond();
            Process swarm = measured.swarm(
                    List.of("-Xmx900m", "-XX:+UseSerialGC", "-Dswarm.every-nanos=" + everyNanos),
                    "closed",
                    relay.port(),
                    output);
            measured.awaitReady();
            measured.begin(SECOND / 2);
            for (int span = 1; span <= course.cuts(); span++) {
                TimeUnit.SECONDS.sleep(course.spanSeconds() - course.cutSeconds());
                heap.add(MeasuredCollector.liveHeapBytes() / 1e6);
                signal(relay.process(), "STOP");
                TimeUnit.SECONDS.sleep(course.cutSeconds());
                signal(relay.process(), "CONT");
                System.out.printf(
                        Locale.ROOT,
                        "cut %d: controller: heap %.2f MB after collections, resident %.0f MB; testers: resident %.0f"
                                + " MB; relay: resident %.0f MB%n",
                        span,
                        heap.get(span - 1),
                        residentMegabytes(ProcessHandle.current().pid()),
                        residentMegabytes(swarm.pid()),
                        residentMegabytes(relay.process().pid()));
            }
            measured.stop();
            measured.collector().bye();
            swarm.waitFor();
            return new Outcome(
                    MeasuredCollector.sent(output),
                    measured.readBack(true),
                    List.copyOf(measured.troubles()),
                    List.copyOf(heap));
        }
    }

    private static void signal(Process process, String name) throws Exception {
        new ProcessBuilder("kill", "-" + name, String.valueOf(process.pid()))
                .start()
                .waitFor();
    }

    private static double residentMegabytes(long pid) throws Exception {
        for (String line : Files.readAllLines(Path.of("/proc/" + pid + "/status"))) {
            if (line.startsWith("VmRSS:")) {
                return Double.parseDouble(line.replaceAll("[^0-9]", "")) / 1e3;
            }
        }
        return Double.NaN;
    }
}
