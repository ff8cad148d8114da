package org.diperf.controller.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.diperf.controller.acceptance.PacketStamps.Seen;
import org.diperf.controller.acceptance.RunFolder.RecordedCall;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What a call took between the packets lies within what is recorded of it, whatever else happens on the machine. */
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class ErrorBoundsIT {

    private static final boolean LONG = Boolean.getBoolean("diperf.long");

    /** Calls that may lie outside: one in ten thousand, and in a short run a few. */
    private static final double OUTSIDE = LONG ? 1e-4 : 2e-3;

    /** Of calls by their intervals alone: where all is on one machine, an interrupt may come before the kernel stamps an answer. */
    private static final double OUTSIDE_ALONE = LONG ? 1e-3 : 4e-3;

    /** What such an interrupt takes at most, as a rule; every run says that this is not in its intervals. */
    private static final long INTERRUPT_NANOS = 60_000;

    /** How far apart the bounds of half of the calls may be where nothing else goes on. */
    private static final long IDLE_NANOS = 30_000;

    @TempDir
    Path work;

    /** A kind of disturbance while the load runs. */
    @FunctionalInterface
    private interface Disturbance {
        /** Returns what is to be ended with the load. */
        List<Command> begin(Command diperf) throws Exception;
    }

    /**
     * What is run.
     *
     * @param device on which the packets are seen
     * @param port of the service
     * @param requests what they are, in the experiment; their paths are the calls' names
     * @param testbed what else is said of it
     */
    private record Case(Path folder, String device, int port, String requests, String load, String testbed) {}

    /**
     * Of the calls' intervals, ns.
     *
     * @param median width
     * @param added median of what was recorded beyond the truth: no interval that holds can be narrower
     * @param out the median on the way out
     * @param spare by how much the truth is above an interval's lower end: at least, in all but one of 10,000, 1,000, 100 calls, and median
     */
    private record Widths(long median, long added, long out, long p99, List<Long> spare) {}

    @BeforeEach
    void tools() {
        assumeTrue(Command.installed("nginx"), "nginx is not installed: apt-get install nginx-light");
        assumeTrue(PacketStamps.possible(), "expected root, tcpdump and chrt: apt-get install tcpdump util-linux");
    }

    private static String closed() {
        return "{ clients: 20, run-for: %ds, think: 2ms }".formatted(LONG ? 15 : 4);
    }

    private static String open() {
        return "{ open: { rate: %s, for: %ds } }".formatted(LONG ? "4000/s" : "1500/s", LONG ? 15 : 4);
    }

    private static String fullSpeed() {
        return "{ clients: 64, run-for: %ds }".formatted(LONG ? 10 : 3);
    }

    @Test
    @NeedsCalmMachine
    void whileNothingElseHappensHalfOfTheCallsAreKnownToFewMicroseconds() throws Exception {
        assumeTrue(LONG, "a long check: ./check --long");
        Map<String, Long> medians = new TreeMap<>();
        for (String load : List.of(closed(), open())) {
            // As it is by default, and where loops do not sleep, so that no processor is to be woken.
            for (String testbed : List.of("", "spin: 5ms")) {
                Widths idle = holds(load, testbed, diperf -> List.of());
                medians.put(load + " " + testbed, idle.median());
            }
        }
        assertThat(medians.values())
                .as("median widths, ns: %s", medians)
                .allSatisfy(median -> assertThat(median).isLessThanOrEqualTo(IDLE_NANOS));
    }

    @Test
    void atFullSpeedOnOneLoopAndOnSeveral() throws Exception {
        for (String testbed : either("loops: 3", "")) {
            holds(fullSpeed(), testbed, diperf -> List.of());
        }
    }

    /** Returns the first alone, but in the long check both. */
    private static <T> List<T> either(T first, T other) {
        return LONG ? List.of(first, other) : List.of(first);
    }

    @Test
    void besideProcessesThatTakeTheProcessors() throws Exception {
        for (String load : either(open(), closed())) {
            holds(load, "", diperf -> hogs(List.of()));
        }
        if (LONG) {
            // A third of the time for those that go before everything else.
            holds(closed(), "", diperf -> hogs(List.of("chrt", "-f", "10")));
        }
    }

    private List<Command> hogs(List<String> before) throws Exception {
        List<Command> hogs = new ArrayList<>();
        for (int i = 0; i < Runtime.getRuntime().availableProcessors(); i++) {
            String busy = before.isEmpty()
                    ? "while :; do :; done"
                    : "while :; do e=$(($(date +%s%N) + 20000000)); while [ $(date +%s%N) -lt $e ]; do :; done; sleep 0.04; done";
            hogs.add(Command.busy(work, before, busy));
        }
        return hogs;
    }

    @Test
    void whileTheTesterIsStoppedAgainAndAgain() throws Exception {
        for (String load : either(closed(), open())) {
            holds(load, "", diperf -> {
                long pid = diperf.process()
                        .descendants()
                        .filter(each -> each.info().commandLine().orElse("").contains("TesterMain"))
                        .findFirst()
                        .orElseThrow()
                        .pid();
                String line = "for i in 1 2 3 4 5; do kill -STOP %1$d; sleep 0.1; kill -CONT %1$d; sleep 0.2; done"
                        .formatted(pid);
                return List.of(Command.start(work, List.of("sh", "-c", line)));
            });
        }
    }

    @Test
    void whileGarbageIsCollectedAllTheTime() throws Exception {
        holds(closed(), "jvm: ['-XX:+UseSerialGC', '-Xmx24m', '-Xmn1m']", diperf -> List.of());
    }

    /** Each call has a thread that waits for its answer; those of more than 256 clients are not looked at. */
    @Test
    void ofClientsWithThreadsOfTheirOwn() throws Exception {
        for (String load : either(closed(), open().replace("for:", "max-in-flight: 200, for:"))) {
            for (Disturbance each : ErrorBoundsIT.<Disturbance>either(diperf -> hogs(List.of()), diperf -> List.of())) {
                Path folder = Files.createTempDirectory(work, "run");
                EchoPlugin.copyTo(folder);
                try (EchoServer server = new EchoServer()) {
                    String requests = "target: %s%nclient: { with: { text: \"GET /${client}-${call} \" } }"
                            .formatted(server.url());
                    holds(new Case(folder, "lo", server.port(), requests, load, ""), each);
                }
            }
        }
    }

    /**
     * Packets come over a cable, and wait below the socket: what handles them when there are many at a time is a thread that others go
     * before.
     */
    @Test
    void overACableOfWhichThePacketsWaitToBeHandled() throws Exception {
        assumeTrue(LONG, "a long check: ./check --long");
        String missing = Namespaces.missing(work);
        assumeTrue(missing.isEmpty(), missing);
        assumeTrue(Command.installed("perl"), "perl is not installed: apt-get install perl-base");
        for (String load : List.of(closed(), open())) {
            overACable(load, machines -> diperf -> List.of());
            overACable(load, machines -> diperf -> hogs(List.of()));
            overACable(load, machines -> diperf -> flooded(machines, hogs(List.of("chrt", "-f", "10"))));
        }
    }

    private void overACable(String load, Function<Namespaces, Disturbance> disturbance) throws Exception {
        Path folder = Files.createTempDirectory(work, "run");
        try (Namespaces machines = Namespaces.open(folder, 1);
                Nginx nginx = Nginx.start(folder, machines, 1)) {
            holds(
                    new Case(folder, machines.bridgeOfTarget(), nginx.port(), requests(nginx), load, ""),
                    disturbance.apply(machines));
        }
    }

    /** Sends so many datagrams to the machine at the other end that the kernel leaves their handling to its thread. */
    private List<Command> flooded(Namespaces machines, List<Command> hogs) throws Exception {
        String sending = """
                socket(S, PF_INET, SOCK_DGRAM, 0); $to = sockaddr_in(9, inet_aton("%s")); while (1) { send(S, "x", 0, $to) }
                """.formatted(machines.address(1));
        List<Command> all = new ArrayList<>(hogs);
        all.add(Command.start(work, List.of("perl", "-MSocket", "-e", sending)));
        return all;
    }

    /** Runs a load, and holds each call against its packets. */
    private Widths holds(String load, String testbed, Disturbance disturbance) throws Exception {
        Path folder = Files.createTempDirectory(work, "run");
        try (Nginx nginx = Nginx.start(folder)) {
            return holds(new Case(folder, "lo", nginx.port(), requests(nginx), load, testbed), disturbance);
        }
    }

    private static String requests(Nginx nginx) {
        return "target: %s%nclient: { with: { path: \"/${client}-${call}\" } }".formatted(nginx.url("/"));
    }

    private Widths holds(Case of, Disturbance disturbance) throws Exception {
        Path out = of.folder.resolve("out");
        Map<String, Seen> truth;
        try (PacketStamps packets = PacketStamps.start(of.folder, of.device, of.port)) {
            Path file = Files.writeString(of.folder.resolve("bounds.yml"), """
                    name: bounds
                    %s
                    testbed: { kind: local, testers: 1%s }
                    load: %s
                    """.formatted(
                            of.requests, of.testbed.isEmpty() ? "" : ", " + of.testbed, of.load));
            List<Command> disturbing = List.of();
            try (Command diperf = Command.diperf(
                    of.folder,
                    "run",
                    "--no-report",
                    file.toString(),
                    "--plugins",
                    of.folder.toString(),
                    "--out",
                    out.toString())) {
                diperf.awaitOutput(output -> output.contains(" measuring "));
                disturbing = disturbance.begin(diperf);
                assertThat(diperf.exitCode()).as(diperf.output()).isZero();
            } finally {
                disturbing.forEach(Command::close);
            }
            truth = packets.stop();
        }
        return compare(new RunFolder(out).callsByName(), truth, of);
    }

    private Widths compare(Map<String, RecordedCall> calls, Map<String, Seen> truth, Case of) {
        List<String> outside = new ArrayList<>();
        int interrupted = 0;
        long[] widths = new long[calls.size()];
        long[] outs = new long[calls.size()];
        long[] added = new long[calls.size()];
        long[] spare = new long[calls.size()];
        int compared = 0;
        for (Map.Entry<String, RecordedCall> each : calls.entrySet()) {
            RecordedCall call = each.getValue();
            Seen seen = truth.get(each.getKey());
            // The last ones may have been cut off.
            if (!call.outcome().equals("ok") || seen == null || seen.lastNanos() == 0) {
                continue;
            }
            assertThat(call.isBounded()).as(each.getKey()).isTrue();
            long took = seen.tookNanos();
            long width = call.errorIn() + call.errorOut();
            if (took < call.serviceNanos() - width && took >= call.serviceNanos() - width - INTERRUPT_NANOS) {
                interrupted++;
            } else if (took > call.serviceNanos() || took < call.serviceNanos() - width) {
                outside.add(each.getKey() + " took " + took + " ns, recorded " + call);
            }
            outs[compared] = call.errorOut();
            added[compared] = call.serviceNanos() - took;
            spare[compared] = took - (call.serviceNanos() - width);
            widths[compared++] = width;
        }
        Arrays.sort(widths, 0, compared);
        Arrays.sort(added, 0, compared);
        Arrays.sort(outs, 0, compared);
        Arrays.sort(spare, 0, compared);
        Widths found = new Widths(
                widths[compared / 2],
                added[compared / 2],
                outs[compared / 2],
                widths[compared * 99 / 100],
                List.of(
                        spare[0],
                        spare[compared / 10_000],
                        spare[compared / 1_000],
                        spare[compared / 100],
                        spare[compared / 2]));
        String name = of.load + " " + of.testbed + " on " + of.device + ":" + of.port;
        System.err.println(name + ": " + compared + " calls, " + outside.size() + " outside, " + interrupted
                + " by an interrupt, " + found);
        assertThat(compared).isGreaterThan(500);
        assertThat(outside).as("of %d calls of %s", compared, name).hasSizeLessThanOrEqualTo((int)
                Math.ceil(OUTSIDE * compared));
        assertThat(outside.size() + interrupted)
                .as("of %d calls of %s, interrupts among them", compared, name)
                .isLessThanOrEqualTo((int) Math.ceil(OUTSIDE_ALONE * compared));
        return found;
    }
}
