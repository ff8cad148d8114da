package org.diperf.controller.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.diperf.controller.quickstart.WaitingService;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * {@code examples/recompute.py}, which shares no code with DiPerF, works out the numbers of real runs from their exported calls and
 * finds every one of them.
 */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class RecomputeIT {

    private static final Path SCRIPT =
            Path.of("..", "examples", "recompute.py").toAbsolutePath().normalize();
    private static final Pattern RESULT = Pattern.compile("(\\d+) calls, (\\d+) numbers compared, (\\d+) differ");

    @TempDir
    Path work;

    @BeforeEach
    void wantsPython() {
        assumeTrue(Command.installed("python3"), "python3 is not installed");
    }

    /** Clients that start one after another, in two groups, one of which is too impatient for some of its calls. */
    @Tag("quick")
    @Test
    void groupsAndFailuresAreTheSameToTheLastDigit() throws Exception {
        Path run = run("""
                testbed: { testers: 2 }
                report: { quantum: 500ms }
                groups:
                  patient: { testers: 1, load: { clients: 4, start-every: 200ms, run-for: 3s, think: 3ms } }
                  hasty: { start-after: 300ms, load: { clients: 4, start-every: 100ms, run-for: 2s, think: 3ms, timeout: 25ms } }
                """);
        String said = recompute(run, 0);
        Matcher result = result(said);
        assertThat(Integer.parseInt(result.group(2))).as(said).isGreaterThan(300);
        System.err.println("groups: " + said.strip());
    }

    @Test
    @EnabledIfSystemProperty(named = "diperf.long", matches = "true")
    void levelsAndLargeSetsAreTheSameWithinTheStatedError() throws Exception {
        Path run = run("""
                testbed: { testers: 2 }
                load:
                  levels: { clients: [1, 4, 16, 64], hold: 5s, settle: 1s, timeout: 5s }
                """);
        String said = recompute(run, 0);
        assertThat(result(said).group(3)).isEqualTo("0");
        System.err.println("levels: " + said.strip());
    }

    /** A script that finds everything right whatever it reads would be of no use. */
    @Test
    void aNumberThatIsNotWhatTheCallsGiveIsFound() throws Exception {
        Path run = run("load: { clients: 2, run-for: 1s, think: 5ms }\n");
        Path file = run.resolve("summary.json");
        ObjectNode summary = (ObjectNode) JsonMapper.shared().readTree(Files.readAllBytes(file));
        ObjectNode times = (ObjectNode) summary.get("responseTime");
        times.put("mean", times.get("mean").asDouble() * (1 + 1e-7));
        Files.writeString(file, summary.toString());
        String said = recompute(run, 1);
        assertThat(said).contains("responseTime.mean: DiPerF has").contains(", 1 differ");
    }

    private Path run(String experiment) throws Exception {
        Path out = work.resolve("run");
        try (WaitingService service = new WaitingService(4, 5_000_000, 25_000_000, 7)) {
            Path file = Files.writeString(
                    work.resolve("experiment.yml"), "seed: 3\ntarget: " + service.uri() + "\n" + experiment);
            try (Command diperf =
                    Command.diperf(work, "run", "--no-report", file.toString(), "--out", out.toString())) {
                assertThat(diperf.exitCode()).as(diperf.output()).isZero();
            }
        }
        try (Command diperf = Command.diperf(work, "export", out.toString(), "--format", "csv")) {
            assertThat(diperf.exitCode()).as(diperf.output()).isZero();
        }
        return out;
    }

    private String recompute(Path run, int code) throws Exception {
        try (Command python = Command.start(work, List.of("python3", SCRIPT.toString(), run.toString()))) {
            assertThat(python.exitCode()).as(python.output()).isEqualTo(code);
            return python.output();
        }
    }

    private static Matcher result(String said) {
        Matcher result = RESULT.matcher(said);
        assertThat(result.find()).as(said).isTrue();
        return result;
    }
}
