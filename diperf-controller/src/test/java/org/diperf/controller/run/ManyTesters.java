package org.diperf.controller.run;

import com.sun.management.OperatingSystemMXBean;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import org.diperf.controller.collect.Collector;
import org.diperf.core.clock.NanoClock;
import org.diperf.core.sample.Block;
import org.diperf.core.sample.SampleReader;
import org.diperf.core.wire.TesterFacts;
import org.diperf.core.wire.TesterStatus;
import org.diperf.core.wire.TesterTotals;

/**
 * How many testers one controller serves, by each transport: testers of other processes ({@link TesterSwarm}) join a real
 * collector, with TLS and the live view, and send blocks that are made durable and acknowledged; then all are read back
 * and counted. Run by {@code benchmarks/swarm}.
 */
final class ManyTesters implements Collector.Listener {

    private static final long SECOND = 1_000_000_000;

    private final LiveView live = new LiveView(NanoClock.SYSTEM.nanoTime());
    private final ConcurrentLinkedQueue<String> troubles = new ConcurrentLinkedQueue<>();

    /** One process of testers. */
    private record Senders(Process process, BufferedReader out) {

        String line() throws IOException {
            String line = out.readLine();
            if (line == null) {
                throw new IllegalStateException("Wanted more of the testers' process, found its end");
            }
            return line;
        }

        void go() throws IOException {
            process.getOutputStream().write('\n');
            process.getOutputStream().flush();
        }
    }

    private ManyTesters() {}

    /**
     * @param args folder, transport ({@code tcp}, {@code relay} or {@code udp}), testers, testers a link, processes of testers,
     *     rows of a block, blocks a second of a tester (0: as fast as it can), seconds, then for {@code relay} the command
     *     that starts one but for its ticket
     */
    public static void main(String[] args) throws Exception {
        new ManyTesters().measure(args);
    }

    private void measure(String[] args) throws Exception {
        Path folder = Path.of(args[0]);
        String transport = args[1];
        int testers = Integer.parseInt(args[2]);
        int perLink = Integer.parseInt(args[3]);
        int processes = Integer.parseInt(args[4]);
        int rows = Integer.parseInt(args[5]);
        String perSecond = args[6];
        int seconds = Integer.parseInt(args[7]);
        OperatingSystemMXBean system = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
        Collector.Config config = new Collector.Config(
                "127.0.0.1",
                "",
                0,
                0,
                testers,
                30 * SECOND,
                0,
                folder.resolve("samples"),
                folder.resolve("clock.csv"),
                0,
                null,
                false,
                transport.equals("udp"));
        List<Process> relays = new ArrayList<>();
        try (Collector collector = new Collector(config, NanoClock.SYSTEM, this)) {
            live.open();
            long heapBefore = heapBytes();
            List<Senders> senders = new ArrayList<>();
            for (int i = 0; i < processes; i++) {
                int port = collector.address().getPort();
                if (transport.equals("relay")) {
                    port = startRelay(
                            collector, folder, i, relays, List.of(args).subList(8, args.length));
                }
                senders.add(start(collector, folder, i, testers / processes, perLink, rows, perSecond, port));
            }
            double joined = 0;
            for (Senders each : senders) {
                joined = Math.max(joined, Double.parseDouble(each.line().split(" ")[1]));
            }
            long heap = heapBytes() - heapBefore;
            long cpu = system.getProcessCpuTime();
            long begin = NanoClock.SYSTEM.nanoTime();
            live.begin(begin);
            for (Senders each : senders) {
                each.go();
            }
            TimeUnit.SECONDS.sleep(seconds);
            long acknowledged = 0;
            for (Senders each : senders) {
                each.go();
            }
            for (Senders each : senders) {
                acknowledged += Long.parseLong(each.line().split(" ")[1]);
            }
            double elapsed = (NanoClock.SYSTEM.nanoTime() - begin) / 1e9;
            double used = (system.getProcessCpuTime() - cpu) / 1e9;
            double theirs = 0;
            for (Senders each : senders) {
                theirs += each.process().info().totalCpuDuration().orElseThrow().toNanos() / 1e9;
            }
            collector.bye();
            for (Senders each : senders) {
                each.process().waitFor(20, TimeUnit.SECONDS);
            }
            long found = readBack(folder);
            System.out.printf(
                    Locale.ROOT,
                    "%s, %d testers: joined in %.1f s; %.0f samples/s in %.0f reports/s, durable and acknowledged, over"
                            + " %.1f s; controller %.2f cores, senders %.1f CPU s in all, heap %.2f KB a tester%n",
                    transport,
                    testers,
                    joined,
                    acknowledged / elapsed,
                    acknowledged / elapsed / rows,
                    elapsed,
                    used / elapsed,
                    theirs,
                    heap / 1e3 / testers);
            if (found != acknowledged || !troubles.isEmpty()) {
                throw new IllegalStateException("Wanted " + acknowledged + " samples, found " + found + " "
                        + troubles.stream().limit(5).toList());
            }
            System.out.println("read back: every acknowledged sample once, no block missing or damaged");
        } finally {
            relays.forEach(Process::destroy);
            live.close();
        }
    }

    private static long heapBytes() {
        for (int i = 0; i < 3; i++) {
            System.gc();
        }
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    }

    private static int startRelay(
            Collector collector, Path folder, int index, List<Process> relays, List<String> command) throws Exception {
        int port = 23_500 + index;
        Path ticket = folder.resolve("relay-" + index);
        Files.writeString(ticket, collector.relayTicket(100 + index, port));
        List<String> whole = new ArrayList<>(command);
        whole.addAll(List.of("relay", "--ticket", ticket.toString(), "--listen", "127.0.0.1:" + port));
        relays.add(new ProcessBuilder(whole)
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("relay-" + index + ".log").toFile())
                .start());
        collector.relay(100 + index).get(30, TimeUnit.SECONDS);
        return port;
    }

    private static Senders start(
            Collector collector, Path folder, int index, int testers, int perLink, int rows, String perSecond, int port)
            throws IOException {
        int first = index * testers + 1;
        Path tickets = folder.resolve("tickets-" + index);
        List<String> here = List.of("127.0.0.1");
        try (BufferedWriter file = Files.newBufferedWriter(tickets)) {
            for (int i = 0; i < testers / perLink; i++) {
                String ticket = perLink == 1
                        ? collector.ticket(first + i, here, port)
                        : collector.relayTicket(1 + i, here, port, 1);
                boolean udp = perLink > 1 && collector.ticket(1).contains("transport: udp");
                file.write(udp ? ticket.replace("-----END", "transport: udp\n-----END") : ticket);
            }
        }
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xms1g",
                        "-Xmx1500m",
                        "-XX:+UseSerialGC",
                        "-cp",
                        System.getProperty("java.class.path"),
                        TesterSwarm.class.getName(),
                        tickets.toString(),
                        String.valueOf(first),
                        String.valueOf(perLink),
                        String.valueOf(rows),
                        perSecond)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        return new Senders(
                process, new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8)));
    }

    private long readBack(Path folder) throws IOException {
        Map<Integer, Long> numbers = new HashMap<>();
        long[] rows = {0};
        SampleReader.read(folder.resolve("samples"), new SampleReader.Visitor() {
            @Override
            public void block(Block header, ByteBuffer data) {
                long number = numbers.merge(header.tester(), 1L, Long::sum);
                if (number != header.number()) {
                    troubles.add("block " + header.number() + " where " + number + " was due");
                }
                rows[0] += header.rows();
            }

            @Override
            public void damaged(Path file, long offset, String reason) {
                troubles.add(file + "@" + offset + ": " + reason);
            }
        });
        return rows[0];
    }

    @Override
    public void joined(int tester, TesterFacts facts) {}

    @Override
    public void ready(int tester, long testerNanos) {}

    @Override
    public void refused(int tester, String reason) {
        troubles.add("tester " + tester + " refused: " + reason);
    }

    @Override
    public void started(int tester, long localStartNanos) {}

    @Override
    public void status(int tester, TesterStatus status) {}

    @Override
    public void finished(int tester, TesterTotals totals) {}

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
    public void log(int tester, String line) {}

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
