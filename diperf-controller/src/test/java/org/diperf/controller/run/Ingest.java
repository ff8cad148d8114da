package org.diperf.controller.run;

import static org.diperf.controller.run.MeasuredCollector.SECOND;

import com.sun.management.OperatingSystemMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.diperf.controller.run.MeasuredCollector.Tally;
import org.diperf.core.clock.NanoClock;
import org.diperf.core.sample.SampleReader;

/**
 * How many samples a second one controller takes in, end to end: made up and encoded by real testers of a second JVM
 * ({@link Swarm}), sent over TLS on the loopback, looked at by the live view, made durable and acknowledged; and then
 * all read back and compared with what was sent. Run by {@code benchmarks/ingest}.
 */
final class Ingest {

    private Ingest() {}

    /** @param args folder, seconds, testers, {@code closed} or {@code open}, flags of the senders' JVM */
    public static void main(String[] args) throws Exception {
        Path folder = Path.of(args[0]);
        long seconds = Long.parseLong(args[1]);
        int testers = Integer.parseInt(args[2]);
        Path output = folder.resolve("swarm.txt");
        OperatingSystemMXBean system = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
        try (MeasuredCollector measured = new MeasuredCollector(folder, testers, 10 * SECOND, false, false)) {
            Process swarm = measured.swarm(
                    List.of(args).subList(4, args.length),
                    args[3],
                    measured.collector().address().getPort(),
                    output);
            measured.awaitReady();
            long cpuMine = system.getProcessCpuTime();
            Duration cpuTheirs = swarm.info().totalCpuDuration().orElse(Duration.ZERO);
            long begin = measured.begin(SECOND / 5);
            measured.awaitFinished(seconds);
            measured.stop();
            double elapsed = (NanoClock.SYSTEM.nanoTime() - begin) / 1e9;
            double mine = (system.getProcessCpuTime() - cpuMine) / 1e9;
            double theirs = swarm.info()
                            .totalCpuDuration()
                            .orElse(Duration.ZERO)
                            .minus(cpuTheirs)
                            .toNanos()
                    / 1e9;
            measured.collector().bye();
            swarm.waitFor();
            measured.close();
            report(measured, folder, output, elapsed, mine, theirs);
        }
    }

    private static void report(
            MeasuredCollector measured, Path folder, Path output, double elapsed, double mine, double theirs)
            throws IOException {
        Map<Integer, Tally> sent = MeasuredCollector.sent(output);
        Map<Integer, Tally> found = measured.readBack(true);
        long samples = MeasuredCollector.samples(sent);
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
                measured.live().seenShare() * 100);
        if (!found.equals(sent) || !measured.troubles().isEmpty()) {
            throw new IllegalStateException("Expected " + sent + ", got " + found + " " + measured.troubles());
        }
        System.out.println("read back: exactly what was sent, no block missing, double or damaged");
    }
}
