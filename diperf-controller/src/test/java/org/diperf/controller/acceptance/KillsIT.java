package org.diperf.controller.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Somebody is killed at a random instant. No sample that was safe is lost, and none is there twice. {@link ManyKillsIT} does it for long. */
class KillsIT {

    private static final int QUICK = 3;
    /** What a tester measured so long before its death was acknowledged: blocks wait 100 ms, commits 200 ms. */
    private static final long SAFE_NANOS = TimeUnit.SECONDS.toNanos(2);

    @TempDir
    Path work;

    private CallLog target;
    private int trials;

    @BeforeEach
    void start() throws IOException {
        target = CallLog.onLoopback();
    }

    @AfterEach
    void stop() throws IOException {
        target.close();
    }

    private enum Victim {
        CONTROLLER,
        TESTER,
        RELAY
    }

    @Test
    @Timeout(value = 3, unit = TimeUnit.MINUTES)
    void aFewKills() throws Exception {
        kills(new Random(7), QUICK);
    }

    private void kills(Random random, int count) throws Exception {
        for (int i = 0; i < count; i++) {
            target.close();
            target = CallLog.onLoopback();
            Victim victim = Victim.values()[i % Victim.values().length];
            int calls = 20 + random.nextInt(400);
            String trial = "trial " + i + ": " + victim + " at call " + calls;
            Path folder = work.resolve("run-" + ++trials);
            switch (victim) {
                case CONTROLLER -> killController(folder, calls, random, trial);
                case TESTER -> killTester(folder, calls, trial);
                case RELAY -> killRelay(folder, calls, random, trial);
            }
        }
    }

    private Command run(Path folder, String lease, String more) throws IOException {
        Path file = Files.writeString(work.resolve("kills.yml"), """
                target: tcp://127.0.0.1:%d
                client: { plugin: tcp, with: { send: "${client}-${call}\\n" } }
                testbed: { kind: local, testers: 2, linger: 1m }
                load: { clients: 4, run-for: 2500ms, think: 4ms, timeout: 1s }
                measure: { window: whole }
                controller: { lease: %s%s }
                """.formatted(target.port(), lease, more));
        return Command.diperf(work, "run", file.toString(), "--out", folder.toString());
    }

    private void killController(Path folder, int calls, Random random, String trial) throws Exception {
        try (Command first = run(folder, "30s", "")) {
            first.awaitOutput(output -> target.seen().size() >= calls);
            first.process().destroyForcibly().waitFor();
            if (random.nextInt(3) == 0) {
                try (Command second = Command.diperf(work, "run", "--resume", folder.toString())) {
                    TimeUnit.MILLISECONDS.sleep(random.nextInt(1_500));
                    second.process().destroyForcibly().waitFor();
                }
            }
            try (Command last = Command.diperf(work, "run", "--resume", folder.toString())) {
                boolean hadEnded = last.exitCode() == 2 && last.output().contains("has ended");
                assertThat(last.exitCode() == 0 || hadEnded)
                        .as(trial + last.output())
                        .isTrue();
                everyCallIsThereOnce(folder, trial);
            }
        }
    }

    private void killTester(Path folder, int calls, String trial) throws Exception {
        try (Command diperf = run(folder, "30s", "")) {
            diperf.awaitOutput(output -> target.seen().size() >= calls);
            List<ProcessHandle> testers = diperf.process()
                    .descendants()
                    .filter(child -> child.info().commandLine().orElse("").contains("diperf-tester"))
                    .toList();
            testers.get(0).destroyForcibly();
            long killedNanos = System.nanoTime();
            int code = diperf.exitCode();
            assertThat(code).as(trial + diperf.output()).isZero();
            Set<String> recorded = new RunFolder(folder).outcomesByCall().keySet();
            Map<String, Long> missing = target.seen();
            missing.keySet().removeAll(recorded);
            assertThat(missing.values())
                    .as(trial + ": calls that are missing were made right before the kill")
                    .allMatch(atNanos -> killedNanos - atNanos < SAFE_NANOS);
            assertThat(missing.keySet().stream()
                            .map(call -> Integer.parseInt(call.substring(0, call.indexOf('-'))) % 2)
                            .distinct())
                    .as(trial + ": they are of one tester")
                    .hasSizeLessThanOrEqualTo(1);
            assertThat(diperf.output()).as(trial).containsPattern("tester [12] was lost");
            assertThat(target.doubles()).isZero();
        }
    }

    private void killRelay(Path folder, int calls, Random random, String trial) throws Exception {
        int port;
        try (ServerSocket free = new ServerSocket(0)) {
            port = free.getLocalPort();
        }
        try (Command diperf = run(folder, "30s", ", relays: [127.0.0.1:" + port + "]")) {
            Path ticket = folder.resolve("control/relay-1.ticket");
            diperf.awaitOutput(output -> output.contains(ticket.getFileName().toString()));
            try (Command first = relay(ticket)) {
                diperf.awaitOutput(output -> target.seen().size() >= calls);
                first.process().destroyForcibly().waitFor();
            }
            TimeUnit.MILLISECONDS.sleep(random.nextInt(500));
            try (Command second = relay(ticket)) {
                assertThat(diperf.exitCode()).as(trial + diperf.output()).isZero();
                everyCallIsThereOnce(folder, trial);
                assertThat(second.process().isAlive()).as(second.output()).isTrue();
            }
        }
    }

    private Command relay(Path ticket) throws IOException {
        return Command.diperf(work, "relay", "--ticket", ticket.toString(), "--listen", "127.0.0.1");
    }

    /** Compares the record with the target's own, call by call. */
    private void everyCallIsThereOnce(Path folder, String trial) throws IOException {
        Map<String, String> recorded = new RunFolder(folder).outcomesByCall();
        assertThat(recorded.keySet()).as(trial).containsAll(target.seen().keySet());
        assertThat(target.doubles()).isZero();
        Map<String, String> unseen = recorded.entrySet().stream()
                .filter(call -> !target.seen().containsKey(call.getKey()))
                .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
        assertThat(unseen)
                .as(trial)
                .hasSizeLessThanOrEqualTo(4)
                .allSatisfy((call, outcome) -> assertThat(outcome).isEqualTo("unfinished"));
    }
}
