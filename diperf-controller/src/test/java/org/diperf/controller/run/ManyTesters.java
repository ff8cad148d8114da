package org.diperf.controller.run;

import static org.diperf.controller.run.MeasuredCollector.SECOND;

import com.sun.management.OperatingSystemMXBean;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.diperf.controller.collect.Collector;
import org.diperf.core.clock.NanoClock;

/**
 * How many testers one controller serves, by each transport: testers of other processes ({@link TesterSwarm}) join a real
 * collector, with TLS and the live view, and send blocks that are made durable and acknowledged; then all are read back
 * and counted. Run by {@code benchmarks/swarm}.
 */
final class ManyTesters {

    private static final int FIRST_RELAY = 100;

    private ManyTesters() {}

    /** One process of testers. */
    private record Senders(Process process, BufferedReader out) {

        /** Returns the number in its next line. */
        double number() throws IOException {
            String line = out.readLine();
            if (line == null) {
                throw new IllegalStateException("Expected more of the testers' process, got its end");
            }
            return Double.parseDouble(line.split(" ")[1]);
        }

        void go() throws IOException {
            process.getOutputStream().write('\n');
            process.getOutputStream().flush();
        }
    }

    /**
     * What to measure.
     *
     * @param transport {@code tcp}, {@code relay} or {@code udp}
     * @param perLink testers on one connection or way
     * @param rows of a block
     * @param perSecond blocks of a tester; 0: as fast as it can
     */
    private record Wanted(
            String transport, int testers, int perLink, int processes, int rows, String perSecond, int seconds) {}

    /**
     * @param args folder, transport, testers, testers a link, processes of testers, rows of a block, blocks a second of a
     *     tester, seconds, then for {@code relay} the command that starts one but for its ticket
     */
    public static void main(String[] args) throws Exception {
        Wanted wanted = new Wanted(
                args[1],
                Integer.parseInt(args[2]),
                Integer.parseInt(args[3]),
                Integer.parseInt(args[4]),
                Integer.parseInt(args[5]),
                args[6],
                Integer.parseInt(args[7]));
        boolean datagrams = wanted.transport.equals("udp");
        try (MeasuredCollector measured =
                new MeasuredCollector(Path.of(args[0]), wanted.testers, 30 * SECOND, datagrams, false)) {
            measure(measured, Path.of(args[0]), wanted, List.of(args).subList(8, args.length));
        }
    }

    private static void measure(MeasuredCollector measured, Path folder, Wanted wanted, List<String> relayCommand)
            throws Exception {
        OperatingSystemMXBean system = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
        Collector collector = measured.collector();
        long heapBefore = MeasuredCollector.liveHeapBytes();
        List<Senders> senders = new ArrayList<>();
        for (int i = 0; i < wanted.processes; i++) {
            int port = wanted.transport.equals("relay")
                    ? measured.relay(FIRST_RELAY + i, relayCommand).port()
                    : collector.address().getPort();
            senders.add(start(measured, folder, i, wanted, port));
        }
        double joined = 0;
        for (Senders each : senders) {
            joined = Math.max(joined, each.number());
        }
        double joinUsed = system.getProcessCpuTime() / 1e9;
        double joinTheirs = cpuSeconds(senders);
        long heap = MeasuredCollector.liveHeapBytes() - heapBefore;
        long cpu = system.getProcessCpuTime();
        long begin = NanoClock.SYSTEM.nanoTime();
        measured.live().begin(begin);
        for (Senders each : senders) {
            each.go();
        }
        TimeUnit.SECONDS.sleep(wanted.seconds);
        for (Senders each : senders) {
            each.go();
        }
        long acknowledged = 0;
        for (Senders each : senders) {
            acknowledged += (long) each.number();
        }
        double elapsed = (NanoClock.SYSTEM.nanoTime() - begin) / 1e9;
        double used = (system.getProcessCpuTime() - cpu) / 1e9;
        double theirs = cpuSeconds(senders) - joinTheirs;
        long heapAfter = MeasuredCollector.liveHeapBytes() - heapBefore;
        collector.bye();
        for (Senders each : senders) {
            each.process().waitFor(20, TimeUnit.SECONDS);
        }
        long found = MeasuredCollector.samples(measured.readBack(false));
        System.out.printf(
                Locale.ROOT,
                "%s, %d testers: joined in %.1f s (CPU s: controller %.1f, senders %.1f); %.0f samples/s in %.0f reports/s,"
                        + " durable and acknowledged, over %.1f s; controller %.2f cores, senders %.2f; heap %.2f KB a"
                        + " tester (%.2f at the end)%n",
                wanted.transport,
                wanted.testers,
                joined,
                joinUsed,
                joinTheirs,
                acknowledged / elapsed,
                acknowledged / elapsed / wanted.rows,
                elapsed,
                used / elapsed,
                theirs / elapsed,
                heap / 1e3 / wanted.testers,
                heapAfter / 1e3 / wanted.testers);
        if (found != acknowledged || !measured.troubles().isEmpty()) {
            throw new IllegalStateException("Expected " + acknowledged + " samples, got " + found + " "
                    + measured.troubles().size() + " troubles: "
                    + measured.troubles().stream().limit(5).toList());
        }
        System.out.println("read back: every acknowledged sample once, no block missing or damaged");
    }

    private static double cpuSeconds(List<Senders> senders) {
        double seconds = 0;
        for (Senders each : senders) {
            seconds += each.process().info().totalCpuDuration().orElseThrow().toNanos() / 1e9;
        }
        return seconds;
    }

    private static Senders start(MeasuredCollector measured, Path folder, int index, Wanted wanted, int port)
            throws IOException {
        Collector collector = measured.collector();
        int testers = wanted.testers / wanted.processes;
        int first = index * testers + 1;
        Path tickets = folder.resolve("tickets-" + index);
        List<String> here = List.of("127.0.0.1");
        boolean udp = wanted.transport.equals("udp");
        try (BufferedWriter file = Files.newBufferedWriter(tickets)) {
            for (int i = 0; i < testers / wanted.perLink; i++) {
                String ticket = wanted.perLink > 1
                        ? collector.tickets().relay(1 + i, here, port, 1)
                        : udp
                                ? collector.tickets().tester(first + i)
                                : collector.tickets().tester(first + i, here, port);
                file.write(udp && wanted.perLink > 1 ? ticket.replace("-----END", "transport: udp\n-----END") : ticket);
            }
        }
        Process process = measured.start(
                List.of(
                        MeasuredCollector.java(),
                        "-Xms1g",
                        "-Xmx1500m",
                        "-XX:+UseSerialGC",
                        "-cp",
                        System.getProperty("java.class.path"),
                        TesterSwarm.class.getName(),
                        tickets.toString(),
                        String.valueOf(first),
                        String.valueOf(wanted.perLink),
                        String.valueOf(wanted.rows),
                        wanted.perSecond),
                ProcessBuilder.Redirect.PIPE);
        return new Senders(
                process, new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8)));
    }
}
