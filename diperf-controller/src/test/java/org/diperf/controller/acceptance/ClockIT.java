package org.diperf.controller.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.diperf.core.clock.NanoClock;
import org.diperf.core.ports.FreePorts;
import org.diperf.tester.clock.SkewedClock;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Clocks that are wrong in a known way are put right: the packaged jar with local testers, whose clocks are functions of
 * this machine's, against a server that records by it. Short here; in the long check for a minute each, and more cases.
 */
@Timeout(value = 15, unit = TimeUnit.MINUTES)
class ClockIT {

    private static final boolean LONG = Boolean.getBoolean("diperf.long");
    private static final int SECONDS = LONG ? 60 : 11;
    private static final long SEED = 20_041;

    @TempDir
    private Path work;

    @Tag("quick")
    @Test
    @NeedsCalmMachine
    void clocksThatDriftAreRightToMicrosecondsAndOneThatIsSetStaysWithinItsBound() throws Exception {
        String clocks =
                skews("offset=3h,ppm=100", "offset=-2h,ppm=-100", "ppm=50,slew=20ppm@8s..12s", "offset=1h,step=5ms@9s");
        List<ClockTruth.Errors> errors = measured(4, clocks, "", "");
        errors.subList(0, 3).forEach(ClockIT::areOfMicroseconds);
        ClockTruth.Errors set = errors.get(3);
        assertThat(set.outside()).as(set.toString()).isZero();
        assertThat(set.percentile(0.5)).as(set.toString()).isLessThan(LONG ? 20 : 100);
    }

    @Test
    @NeedsCalmMachine
    void soTheyAreWhereProcessorsAreBusy() throws Exception {
        assumeTrue(LONG, "a long check: ./check --long");
        List<Command> hogs = new ArrayList<>();
        try {
            for (int hog = 0; hog < Runtime.getRuntime().availableProcessors(); hog++) {
                hogs.add(Command.start(work, List.of("sh", "-c", "while :; do :; done")));
            }
            run(2, skews("offset=3h,ppm=100", "offset=-2h,ppm=-100"), "", "");
        } finally {
            hogs.forEach(Command::close);
        }
    }

    @Test
    @NeedsCalmMachine
    void clocksAcrossAWideAreaAreRightToATenthOfAMillisecond() throws Exception {
        for (ClockTruth.Errors errors : relayed(40, 40)) {
            assertThat(errors.outside()).as(errors.toString()).isZero();
            // Short runs have a few bursts alone, of which each finds a way without jitter by luck.
            assertThat(errors.mean()).as(errors.toString()).isLessThan(LONG ? 100 : 500);
            assertThat(errors.percentile(0.99)).as(errors.toString()).isLessThan(LONG ? 300 : 1_000);
        }
    }

    @Test
    @NeedsCalmMachine
    void anUnevenWayIsAnErrorOfHalfTheDifferenceWithinTheBound() throws Exception {
        assumeTrue(LONG, "a long check: ./check --long");
        for (ClockTruth.Errors errors : relayed(45, 35)) {
            assertThat(errors.outside()).as(errors.toString()).isZero();
            assertThat(errors.percentile(0.5)).as(errors.toString()).isBetween(4_800.0, 5_200.0);
        }
    }

    @Test
    @NeedsCalmMachine
    void aWallClockThatIsWrongChangesNothing() throws Exception {
        assumeTrue(Command.installed("cc"), "cc is not installed: apt-get install gcc libc6-dev");
        Path source = work.resolve("skew.c");
        try (InputStream packed = ClockIT.class.getResourceAsStream("/skew.c")) {
            Files.copy(Objects.requireNonNull(packed), source);
        }
        Path library = work.resolve("skew.so");
        try (Command cc = Command.start(
                work, List.of("cc", "-shared", "-fPIC", "-o", library.toString(), source.toString(), "-ldl"))) {
            assertThat(cc.exitCode()).as(cc.output()).isZero();
        }
        Path java = java("SKEW='-86400 300' LD_PRELOAD='" + library + "'");
        long before = System.currentTimeMillis();
        run(2, "", "java: " + java, "");
        ClockTruth truth = ClockTruth.read(work.resolve("run"));
        assertThat(truth.wallMillis()).isNotEmpty().allMatch(wall -> wall < before - 80_000_000L);
    }

    @Test
    void aWholeProcessUnderFaketimeIsReconciled() throws Exception {
        Path library;
        try (Stream<Path> found = Files.isDirectory(Path.of("/usr/lib"))
                ? Files.find(Path.of("/usr/lib"), 4, (path, about) -> path.endsWith("libfaketime.so.1"))
                : Stream.empty()) {
            library = found.findFirst().orElse(null);
        }
        assumeTrue(library != null, "libfaketime is not installed: apt-get install faketime");
        Path java = java("FAKETIME='+3h x1.0001' LD_PRELOAD='" + library + "'");
        try (RecordingServer server = new RecordingServer()) {
            ClockTruth truth = carryOut(1, "", "java: " + java, "", server);
            assertThat(truth.contradictions(server.served())).isZero();
            assertThat(truth.rows()).containsKey("udp");
        }
    }

    private void run(int testers, String clocks, String testbed, String more) throws Exception {
        measured(testers, clocks, testbed, more).forEach(ClockIT::areOfMicroseconds);
    }

    private static void areOfMicroseconds(ClockTruth.Errors errors) {
        assertThat(errors.outside()).as(errors.toString()).isZero();
        assertThat(errors.mean()).as(errors.toString()).isLessThan(LONG ? 5 : 50);
        assertThat(errors.percentile(0.99)).as(errors.toString()).isLessThan(LONG ? 20 : 200);
        assertThat(errors.percentile(1)).as(errors.toString()).isLessThan(LONG ? 100 : 1_000);
    }

    private List<ClockTruth.Errors> relayed(double there, double back) throws Exception {
        int port = FreePorts.take();
        InetSocketAddress near = new InetSocketAddress("127.0.0.2", port);
        InetSocketAddress far = new InetSocketAddress("127.0.0.1", port);
        try (DelayRelay relay = new DelayRelay(
                near, far, DelayRelay.Way.ofMillis(there, 2, 0.01), DelayRelay.Way.ofMillis(back, 2, 0.01), SEED)) {
            String controller =
                    "controller: { listen: 127.0.0.1, advertise: 127.0.0.2, ports: %d-%d }".formatted(port, port);
            return measured(2, skews("offset=3h,ppm=100", "offset=-2h,ppm=-100"), "", controller);
        }
    }

    private List<ClockTruth.Errors> measured(int testers, String clocks, String testbed, String more) throws Exception {
        try (RecordingServer server = new RecordingServer()) {
            ClockTruth truth = carryOut(testers, clocks, testbed, more, server);
            assertThat(truth.contradictions(server.served())).isZero();
            assertThat(truth.rows()).containsKey("udp");
            List<ClockTruth.Errors> errors = truth.errors(tester -> {
                NanoClock clock = SkewedClock.parse(clocks, tester, NanoClock.SYSTEM);
                return clock instanceof SkewedClock skewed ? skewed::trueNanos : local -> local;
            });
            assertThat(errors).hasSize(testers);
            errors.forEach(System.out::println);
            return errors;
        }
    }

    private ClockTruth carryOut(int testers, String clocks, String testbed, String more, RecordingServer server)
            throws Exception {
        List<String> flags = new ArrayList<>(List.of("'-XX:+UseSerialGC'", "'-Xmx256m'"));
        if (!clocks.isEmpty()) {
            flags.add("'-D" + SkewedClock.PROPERTY + "=" + clocks + "'");
        }
        Path file = Files.writeString(work.resolve("clock.yml"), """
                seed: %d
                target: %s
                client: { plugin: tcp, with: { send: "${client}.${call}" } }
                testbed: { kind: local, testers: %d, jvm: [%s]%s }
                load: { clients: %d, run-for: %ds, think: 5ms, timeout: 10s }
                %s
                """.formatted(
                        SEED,
                        server.url(),
                        testers,
                        String.join(", ", flags),
                        testbed.isEmpty() ? "" : ", " + testbed,
                        testers,
                        SECONDS,
                        more));
        Path run = work.resolve("run");
        try (Command diperf = Command.diperf(work, "run", "--no-report", file.toString(), "--out", run.toString())) {
            assertThat(diperf.exitCode()).as(diperf.output()).isZero();
        }
        return ClockTruth.read(run);
    }

    /** Returns each tester, in their order, a clock whose instants count from now. */
    private static String skews(String... clocks) {
        StringBuilder all = new StringBuilder();
        long base = NanoClock.SYSTEM.nanoTime();
        for (int i = 0; i < clocks.length; i++) {
            all.append(i == 0 ? "" : ";").append("tester=" + (i + 1) + ":base=" + base + "," + clocks[i]);
        }
        return all.toString();
    }

    private Path java(String environment) throws IOException {
        Path script = Files.writeString(
                work.resolve("java-elsewhen"), "#!/bin/sh\n" + environment + " exec '" + Command.java() + "' \"$@\"\n");
        return Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwxr-xr-x"));
    }
}
