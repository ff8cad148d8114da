package org.diperf.controller.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A controller is killed in the middle of its run, and another one resumes it. The target knows every call. */
@Timeout(value = 2, unit = TimeUnit.MINUTES)
class ResumeIT {

    @TempDir
    Path work;

    private CallLog target;

    @BeforeEach
    void start() throws IOException {
        target = CallLog.onLoopback();
    }

    @AfterEach
    void stop() throws IOException {
        target.close();
    }

    private Command run(String load, String testbed, String lease) throws IOException, InterruptedException {
        Path file = Files.writeString(work.resolve("resume.yml"), """
                target: tcp://127.0.0.1:%d
                client: { plugin: tcp, with: { send: "${client}-${call}\\n" } }
                testbed: { kind: local, testers: 2, %s }
                load: { %s, timeout: 1s }
                measure: { window: whole }
                controller: { lease: %s }
                """.formatted(target.port(), testbed, load, lease));
        return Command.diperf(work, "run", "--no-report", file.toString(), "--out", "run");
    }

    /** Kills the controller alone, once so many calls were made. */
    private void kill(Command diperf, int calls) throws InterruptedException {
        diperf.awaitOutput(output -> target.seen().size() >= calls);
        diperf.process().destroyForcibly().waitFor();
    }

    private JsonNode record() throws IOException {
        return JsonMapper.shared().readTree(Files.readAllBytes(work.resolve("run/run.json")));
    }

    private void everyCallWasRecordedOnce() throws IOException {
        Map<String, String> recorded = new RunFolder(work.resolve("run")).outcomesByCall();
        assertThat(recorded.keySet()).containsAll(target.seen().keySet());
        assertThat(target.doubles()).isZero();
        Map<String, String> unseen = recorded.entrySet().stream()
                .filter(call -> !target.seen().containsKey(call.getKey()))
                .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
        assertThat(unseen)
                .hasSizeLessThanOrEqualTo(4)
                .allSatisfy((call, outcome) -> assertThat(outcome).isEqualTo("unfinished"));
    }

    @Test
    @EnabledIfSystemProperty(named = "diperf.long", matches = "true")
    void testersThatWereReachedWithinTheirLeaseCarryTheirPlanThrough() throws Exception {
        try (Command first = run("clients: 4, run-for: 9s, think: 5ms", "linger: 1m", "60s")) {
            kill(first, 400);
            try (Command second = Command.diperf(work, "run", "--resume", "run")) {
                assertThat(second.exitCode()).as(second.output()).isZero();
                everyCallWasRecordedOnce();
                assertThat(record().get("end").asString()).isEqualTo("COMPLETE");
                assertThat(record().get("testers").get(0).hasNonNull("lostNanos"))
                        .isFalse();
                assertThat(target.seen()).as("4 clients for 9 s").hasSizeGreaterThan(2_000);
                JsonNode summary = new RunFolder(work.resolve("run")).summary();
                assertThat(summary.get("verdict").asString()).isEqualTo("suspect");
                assertThat(summary.get("warnings").toString()).contains("the controller was killed at about");
                assertThat(work.resolve("run/control")).doesNotExist();
                assertThat(work.resolve("run/report.html")).isNotEmptyFile();
            }
        }
        try (Command again = Command.diperf(work, "run", "--no-report", "--resume", "run")) {
            assertThat(again.exitCode()).as(again.output()).isEqualTo(2);
            assertThat(again.output()).contains("has ended", "diperf report");
        }
    }

    @Tag("quick")
    @Test
    void testersWhoseLeaseRanOutKeepTheirSamplesAndAreNamed() throws Exception {
        try (Command first = run("clients: 4, run-for: 60s, think: 5ms", "linger: 1m", "3s")) {
            kill(first, 400);
            long killedNanos = System.nanoTime();
            awaitSilence();
            assertThat((System.nanoTime() - killedNanos) / 1e9)
                    .as("the load stops when the lease of 3 s has run out")
                    .isLessThan(10);
            try (Command second = Command.diperf(work, "run", "--no-report", "--resume", "run")) {
                assertThat(second.exitCode()).as(second.output()).isEqualTo(3);
                everyCallWasRecordedOnce();
                assertThat(record().get("end").asString()).isEqualTo("FAILED");
                assertThat(second.output()).contains("tester 1 was lost", "tester 2 was lost");
            }
        }
    }

    @Test
    @EnabledIfSystemProperty(named = "diperf.long", matches = "true")
    void testersThatGaveUpWaitingHaveLeftTheirSpools() throws Exception {
        try (Command first = run("clients: 4, run-for: 60s, think: 5ms", "linger: 1s", "3s")) {
            first.awaitOutput(output -> target.seen().size() >= 400);
            List<ProcessHandle> testers = first.process()
                    .descendants()
                    .filter(child -> child.info().commandLine().orElse("").contains("diperf-tester"))
                    .toList();
            assertThat(testers).hasSizeGreaterThanOrEqualTo(2);
            first.process().destroyForcibly().waitFor();
            for (ProcessHandle tester : testers) {
                tester.onExit().get(120, TimeUnit.SECONDS);
            }
            assertThat(work.resolve("run/control/spool/tester-1.spool")).isNotEmptyFile();
            assertThat(PosixFilePermissions.toString(
                            Files.getPosixFilePermissions(work.resolve("run/control/spool/tester-1.spool"))))
                    .isEqualTo("rw-------");
            // As if it had been left on another machine.
            Path copy = Files.move(work.resolve("run/control/spool/tester-1.spool"), work.resolve("copied.spool"));
            Path damaged = Files.write(work.resolve("damaged.spool"), new byte[100]);
            try (Command refused = resume(damaged)) {
                assertThat(refused.exitCode()).as(refused.output()).isEqualTo(2);
                assertThat(refused.output()).contains("damaged.spool: expected a spool written by a tester");
            }
            try (Command second = resume(copy)) {
                assertThat(second.exitCode()).as(second.output()).isEqualTo(3);
                assertThat(second.output()).contains("copied.spool: tester-1 left ");
                everyCallWasRecordedOnce();
            }
        }
    }

    private Command resume(Path spool) throws IOException, InterruptedException {
        return Command.diperf(work, "run", "--no-report", "--resume", "run", "--spool", spool.toString());
    }

    @Test
    void aRunThatIsUnderWayOrIsNoneIsNotResumed() throws Exception {
        try (Command first = run("clients: 4, run-for: 60s, think: 5ms", "linger: 1s", "1s")) {
            first.awaitOutput(output -> target.seen().size() >= 10);
            try (Command second = Command.diperf(work, "run", "--no-report", "--resume", "run")) {
                assertThat(second.exitCode()).as(second.output()).isEqualTo(3);
                assertThat(second.output()).contains("its controller is alive");
            }
            try (Command third = Command.diperf(work, "run", "--no-report", "--resume", ".")) {
                assertThat(third.exitCode()).as(third.output()).isEqualTo(2);
                assertThat(third.output()).contains("there is no run.json in it");
            }
            assertThat(first.process().isAlive()).isTrue();
            first.process().destroy();
            assertThat(first.exitCode()).isEqualTo(143);
        }
    }

    /** Waits until no call has come for a second. */
    private void awaitSilence() throws InterruptedException {
        int before = -1;
        while (target.seen().size() != before) {
            before = target.seen().size();
            TimeUnit.SECONDS.sleep(1);
        }
    }
}
