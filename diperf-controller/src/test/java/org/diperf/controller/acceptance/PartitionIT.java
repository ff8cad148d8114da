package org.diperf.controller.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.diperf.core.folder.FolderTree;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Two testers in network namespaces, whose way to the controller is cut while their way to the target is not. The target
 * knows every call and when it came.
 */
@Timeout(value = 3, unit = TimeUnit.MINUTES)
class PartitionIT {

    private static final int LEASE_SECONDS = 2;
    private static final int TIMEOUT_SECONDS = 1;
    private static final int CUTS = 5;
    /** Four clients on two testers, one after another: these are tester 1's. */
    private static final Set<String> OF_TESTER_1 = Set.of("0", "2");

    @TempDir
    Path work;

    private Namespaces machines;
    private CallLog target;
    private final List<Command> testers = new ArrayList<>();

    @BeforeEach
    void twoMachines() throws Exception {
        String missing = Namespaces.missing(work);
        assumeTrue(missing.isEmpty(), missing);
        machines = Namespaces.open(work, 2);
        target = new CallLog(InetAddress.getByName(machines.target()));
    }

    @AfterEach
    void removeMachines() throws Exception {
        testers.forEach(Command::close);
        if (target != null) {
            target.close();
        }
        if (machines != null) {
            machines.close();
        }
    }

    @Test
    void aTesterThatIsCutOffStopsWithinTheLeaseAndLosesNoSample() throws Exception {
        try (Command diperf = run("clients: 4, run-for: 18s, think: 20ms")) {
            diperf.awaitOutput(output -> output.contains("0:05/"));
            machines.cut(1);
            long cutNanos = System.nanoTime();
            TimeUnit.SECONDS.sleep(LEASE_SECONDS + 3);
            machines.heal(1);
            assertThat(diperf.exitCode()).as(diperf.output()).isZero();

            Map<String, Long> seen = target.seen();
            long lastOfTester1 = seen.entrySet().stream()
                    .filter(call -> OF_TESTER_1.contains(client(call.getKey())))
                    .mapToLong(Map.Entry::getValue)
                    .max()
                    .orElseThrow();
            assertThat((lastOfTester1 - cutNanos) / 1e9)
                    .as("seconds from the cut to the last call of the tester that was cut off")
                    .isBetween(LEASE_SECONDS - 1.5, LEASE_SECONDS + TIMEOUT_SECONDS + 0.5);
            everyCallWasRecordedOnce();
            assertThat(seen.keySet().stream().filter(call -> !OF_TESTER_1.contains(client(call))))
                    .as("calls of the other tester, at up to 2 clients x 50 a second for 18 s")
                    .hasSizeGreaterThan(900);

            JsonNode tester1 = tester(1);
            double lostSeconds = tester1.get("lostNanos").asDouble() / 1e9;
            double sawFirst = (lastOfTester1
                            - seen.values().stream().mapToLong(at -> at).min().orElseThrow())
                    / 1e9;
            assertThat(lostSeconds)
                    .as("it counts as offering load until its lease ran out, which the target saw at " + sawFirst)
                    .isBetween(sawFirst - 1, sawFirst + 1);
            assertThat(diperf.output()).contains("tester 1 was lost");
            assertThat(new RunFolder(work.resolve("run"))
                            .summary()
                            .get("verdict")
                            .asString())
                    .isEqualTo("suspect");
        }
    }

    @Test
    void aTesterThatIsKilledCostsItsOwnLastCallsAlone() throws Exception {
        try (Command diperf = run("clients: 4, run-for: 9s, think: 20ms")) {
            diperf.awaitOutput(output -> output.contains("0:05/"));
            testers.get(0).close();
            assertThat(diperf.exitCode()).as(diperf.output()).isZero();

            Set<String> recorded =
                    new RunFolder(work.resolve("run")).outcomesByCall().keySet();
            Set<String> unrecorded = new TreeSet<>(target.seen().keySet());
            unrecorded.removeAll(recorded);
            assertThat(unrecorded.stream().map(PartitionIT::client)).isSubsetOf(OF_TESTER_1);
            assertThat(unrecorded)
                    .as("at most what was not shipped of two clients")
                    .hasSizeLessThan(150);
            assertThat(target.seen().keySet()).containsAll(recorded);
            assertThat(tester(1).hasNonNull("lostNanos")).isTrue();
            assertThat(tester(2).hasNonNull("lostNanos")).isFalse();
        }
    }

    @Test
    @EnabledIfSystemProperty(named = "diperf.long", matches = "true")
    void aMachineThatBootsAgainCannotContinueWhatDiedWithIt() throws Exception {
        try (Command diperf = run("clients: 4, run-for: 15s, think: 20ms")) {
            diperf.awaitOutput(output -> output.contains("0:05/"));
            testers.get(0).close();
            machines.reboot(1);
            startTester(1);
            assertThat(diperf.exitCode()).as(diperf.output()).isZero();
            assertThat(testers.get(2).exitCode()).as(testers.get(2).output()).isEqualTo(4);
            assertThat(testers.get(2).output()).contains("cannot continue the old one's work");
            assertThat(tester(1).hasNonNull("lostNanos")).isTrue();
            assertThat(target.seen().keySet())
                    .containsAll(
                            new RunFolder(work.resolve("run")).outcomesByCall().keySet());
        }
    }

    @Test
    @EnabledIfSystemProperty(named = "diperf.long", matches = "true")
    void aLinkThatIsSlowerThanTheSamplesDelaysTheEndAndLosesNothing() throws Exception {
        machines.slow(1, "64kbit");
        machines.slow(2, "1mbit");
        try (Command diperf = run("clients: 4, run-for: 10s, think: 200us")) {
            assertThat(diperf.exitCode()).as(diperf.output()).isZero();
            everyCallWasRecordedOnce();
            assertThat(target.seen()).hasSizeGreaterThan(10_000);
            assertThat(tester(1).hasNonNull("lostNanos")).isFalse();
        }
    }

    /** From a second to three leases, of one or both, at any instant; {@code -Ddiperf.cuts=N} tries so many instead of {@value #CUTS}. */
    @Test
    @Timeout(value = 3, unit = TimeUnit.HOURS)
    @EnabledIfSystemProperty(named = "diperf.long", matches = "true")
    void aCutOfAnyLengthAtAnyInstantLosesNoSample() throws Exception {
        long first = Long.getLong("diperf.cuts.seed", 1);
        for (long seed = first; seed < first + Integer.getInteger("diperf.cuts", CUTS); seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            String transport = random.nextBoolean() ? "tcp" : "udp";
            Set<Integer> of = List.of(Set.of(1), Set.of(2), Set.of(1, 2)).get(random.nextInt(3));
            long afterMillis = random.nextInt(8_500);
            long lengthMillis = random.nextInt(1_000, 3_000 * LEASE_SECONDS);
            System.err.printf(
                    Locale.ROOT,
                    "seed %d: %s, testers %s cut for %d ms, %d ms after the start%n",
                    seed,
                    transport,
                    of,
                    lengthMillis,
                    afterMillis);
            try (Command diperf = run("clients: 4, run-for: 8s, think: 20ms", ", transport: " + transport)) {
                diperf.awaitOutput(output -> output.contains("0:00/"));
                TimeUnit.MILLISECONDS.sleep(afterMillis);
                for (int tester : of) {
                    machines.cut(tester);
                }
                TimeUnit.MILLISECONDS.sleep(lengthMillis);
                for (int tester : of) {
                    machines.heal(tester);
                }
                // Without any tester left a run ends before its time.
                assertThat(diperf.exitCode())
                        .as("seed %d: %s", seed, diperf.output())
                        .isIn(0, 3);
                everyCallWasRecordedOnce();
            }
            testers.forEach(Command::close);
            testers.clear();
            target.close();
            target = new CallLog(InetAddress.getByName(machines.target()));
            FolderTree.delete(work.resolve("run"));
        }
    }

    private static String client(String call) {
        return call.substring(0, call.indexOf('-'));
    }

    /** Compares the record with the target's own, call by call; what was in flight when the load stopped has its name. */
    private void everyCallWasRecordedOnce() throws IOException {
        Map<String, String> recorded = new RunFolder(work.resolve("run")).outcomesByCall();
        Set<String> seen = target.seen().keySet();
        Set<String> missing = new HashSet<>(seen);
        missing.removeAll(recorded.keySet());
        assertThat(missing).isEmpty();
        assertThat(target.doubles()).isZero();
        Map<String, String> unseen = recorded.entrySet().stream()
                .filter(call -> !seen.contains(call.getKey()))
                .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
        assertThat(unseen)
                .hasSizeLessThanOrEqualTo(4)
                .allSatisfy((call, outcome) -> assertThat(outcome).isEqualTo("unfinished"));
    }

    private JsonNode tester(int number) throws IOException {
        return JsonMapper.shared()
                .readTree(Files.readAllBytes(work.resolve("run/run.json")))
                .get("testers")
                .get(number - 1);
    }

    private Command run(String load) throws IOException, InterruptedException {
        return run(load, "");
    }

    private Command run(String load, String testbed) throws IOException, InterruptedException {
        Path file = Files.writeString(work.resolve("partition.yml"), """
                target: tcp://%s:%d
                client: { plugin: tcp, with: { send: "${client}-${call}\\n" } }
                testbed: { kind: manual, testers: 2%s }
                load: { %s, timeout: %ds }
                measure: { window: whole }
                controller: { listen: 0.0.0.0, advertise: %s, lease: %ds }
                """.formatted(
                        machines.target(),
                        target.port(),
                        testbed,
                        load,
                        TIMEOUT_SECONDS,
                        machines.controller(),
                        LEASE_SECONDS));
        Command diperf = Command.diperf(work, "run", "--no-report", file.toString(), "--out", "run");
        diperf.awaitOutput(output -> output.contains("tester-2.ticket"));
        startTester(1);
        startTester(2);
        return diperf;
    }

    private void startTester(int number) throws IOException, InterruptedException {
        Path ticket = work.resolve("run/control/tester-" + number + ".ticket");
        List<String> command =
                new ArrayList<>(Command.commandLine(Command.controllerJar(), "tester", "--ticket", ticket.toString()));
        command.addAll(1, List.of("-Xmx64m", "-XX:+UseSerialGC"));
        testers.add(Command.start(work, machines.on(number, command)));
    }
}
