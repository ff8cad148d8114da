package org.diperf.controller.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.diperf.controller.quickstart.WaitingService;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Sweeps, variants and trials of real services whose capacity is known by construction, by one command. */
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class GridIT {

    private static final int WORKERS = 8;
    private static final long FAST_NANOS = 20_000_000;
    private static final long SLOW_NANOS = 40_000_000;

    @TempDir
    Path work;

    private WaitingService fast;
    private WaitingService slow;

    @BeforeEach
    void start() throws IOException {
        fast = new WaitingService(WORKERS, FAST_NANOS, FAST_NANOS, 1);
        slow = new WaitingService(WORKERS, SLOW_NANOS, SLOW_NANOS, 2);
    }

    @AfterEach
    void stop() {
        fast.close();
        slow.close();
    }

    private Path file(String rest) throws IOException {
        return Files.writeString(
                work.resolve("grid.yml"),
                "name: grid\nseed: 7\ntestbed: { kind: in-process }\nmeasure: { window: whole }\n" + rest);
    }

    private String variants() {
        return "variants: { fast: { target: '" + fast.uri() + "' }, slow: { target: '" + slow.uri() + "' } }\n";
    }

    private int diperf(List<String> said, String... arguments) throws Exception {
        try (Command command = Command.diperf(work, arguments)) {
            int code = command.exitCode();
            said.add(command.output());
            return code;
        }
    }

    @Tag("quick")
    @Test
    @NeedsCalmMachine
    void oneCommandRunsAGridAndAnotherComparesItsVariants() throws Exception {
        Path file = file("load: { clients: 1, run-for: 3s }\nsweep: { axes: { load.clients: [4, 8] } }\n" + variants());
        List<String> said = new ArrayList<>();

        assertThat(diperf(said, "run", file.toString(), "--out", "out"))
                .as(said.toString())
                .isZero();
        int compared = diperf(said, "compare", "out", "--out", "compared", "--allow-suspect");

        RunFolder grid = new RunFolder(work.resolve("out"));
        JsonNode points = grid.summary().get("points");
        assertThat(points.size()).isEqualTo(4);
        // 4 clients keep 4 workers busy, 8 clients all: 200 and 400 calls a second of 20 ms, half of that of 40 ms.
        double[] capacity = {200, 100, 400, 200};
        for (int i = 0; i < capacity.length; i++) {
            // A generator that lacked its processors, which it says, calls less.
            double least = points.path(i).path("verdict").asString().equals("valid") ? 0.6 : 0.1;
            assertThat(points.path(i).path("throughput").path("median").asDouble())
                    .as(points.path(i).toString())
                    .isBetween(least * capacity[i], 1.02 * capacity[i]);
        }
        assertThat(grid.summary().path("finding").path("best").toString())
                .isEqualTo("{\"load.clients\":8,\"variant\":\"fast\"}");
        try (Stream<Path> runs = Files.list(work.resolve("out/runs"))) {
            assertThat(runs).hasSize(4).allSatisfy(run -> {
                assertThat(run.resolve("report.html")).isNotEmptyFile();
                assertThat(run.resolve("summary.json")).isNotEmptyFile();
            });
        }
        assertThat(work.resolve("out/report.html")).isNotEmptyFile();
        assertThat(work.resolve("out/figures/grid-throughput.png")).isNotEmptyFile();
        assertThat(Files.readAllLines(work.resolve("out/points.csv"))).hasSize(5);
        assertThat(compared).as(said.toString()).isEqualTo(99);
        assertThat(said.get(1).replaceAll("\\s+", " ")).contains("clients=4, slow is worse than clients=4, fast");
    }

    @Test
    void aQuietGridNamesTheRunsWhoseThresholdFailed() throws Exception {
        Path file = file("target: '" + fast.uri() + "'\nload: { clients: 1, run-for: 300ms }\n"
                + "sweep: { axes: { load.clients: [1, 2] } }\nthresholds: [ throughput > 100000/s ]\n");
        List<String> said = new ArrayList<>();

        assertThat(diperf(said, "run", file.toString(), "--out", "out", "--quiet"))
                .as(said.toString())
                .isEqualTo(99);

        assertThat(said.get(0))
                .matches("(?s)2 of 2 runs were completed, and a threshold failed in runs/\\S+, runs/\\S+; see .*");
    }

    @Test
    void aRunThatCannotBeCarriedOutCostsNoOtherAndWhatIsMissingIsRunLater() throws Exception {
        Path file = file("load: { clients: 2, run-for: 300ms }\ntrials: { count: 2 }\nvariants:\n  up: { target: '"
                + fast.uri() + "' }\n  down: { target: 'http://127.0.0.1:1/' }\n");
        List<String> said = new ArrayList<>();

        assertThat(diperf(said, "run", file.toString(), "--out", "out", "--junit", "grid.xml"))
                .as(said.toString())
                .isEqualTo(3);

        JsonNode summary = new RunFolder(work.resolve("out")).summary();
        assertThat(summary.path("planned").asInt()).isEqualTo(4);
        assertThat(summary.path("done").asInt()).isEqualTo(2);
        assertThat(summary.path("warnings").toString()).contains("only 2 of 4 runs", "127.0.0.1:1");
        assertThat(said.get(0)).contains("diperf-controller.jar run --resume");
        assertThat(Files.readString(work.resolve("grid.xml"))).contains("tests=\"4\" failures=\"0\" errors=\"2\"");

        assertThat(diperf(said, "run", "--resume", "out")).as(said.toString()).isEqualTo(3);
        assertThat(said.get(1)).contains("run 1 of 2").doesNotContain("run 3 of");
    }

    @Test
    @EnabledIfSystemProperty(named = "diperf.long", matches = "true")
    void anInterruptedGridResumesWhereItStopped() throws Exception {
        Path file = file("target: '" + fast.uri() + "'\nload: { clients: 2, run-for: 2s }\ntrials: { count: 3 }\n");
        int code;
        try (Command command = Command.diperf(work, "run", file.toString(), "--out", "out")) {
            command.awaitOutput(text -> text.contains("run 2 of 3 measuring"));
            // That of the process itself would close what it says as well.
            command.process().toHandle().destroy();
            code = command.exitCode();
            assertThat(command.output()).contains("1 of 3 runs").contains("diperf-controller.jar run --resume");
        }
        assertThat(code).isEqualTo(143);
        List<String> said = new ArrayList<>();

        assertThat(diperf(said, "run", "--resume", "out")).as(said.toString()).isZero();

        JsonNode summary = new RunFolder(work.resolve("out")).summary();
        assertThat(summary.path("done").asInt()).isEqualTo(3);
        try (Stream<Path> runs = Files.list(work.resolve("out/runs"))) {
            assertThat(runs.map(run -> run.getFileName().toString()).sorted().toList())
                    .containsExactly("001-trial=1", "002-trial=2", "002-trial=2.cut-short-1", "003-trial=3");
        }
    }

    @Test
    @EnabledIfSystemProperty(named = "diperf.long", matches = "true")
    void levelsOfVariantsOverTrialsHaveCurvesSaturationAndAVerdict() throws Exception {
        Path file = file("load: { levels: { clients: [1, 2, 4, 8, 16, 32], hold: 3s, settle: 500ms } }\n"
                + "trials: { count: 3, order: interleaved }\n" + variants());
        List<String> said = new ArrayList<>();

        assertThat(diperf(said, "run", file.toString(), "--out", "out"))
                .as(said.toString())
                .isZero();

        JsonNode points = new RunFolder(work.resolve("out")).summary().path("points");
        assertThat(points.size()).isEqualTo(2);
        for (int i = 0; i < 2; i++) {
            double capacity = i == 0 ? 400 : 200;
            JsonNode levels = points.path(i).path("levels");
            assertThat(levels.size()).isEqualTo(6);
            assertThat(levels.path(5).path("throughput").path("mean").asDouble())
                    .isCloseTo(capacity, within(0.05 * capacity));
            assertThat(levels.path(0).path("throughput").path("low").isNumber()).isTrue();
            JsonNode saturation = points.path(i).path("saturation");
            assertThat(saturation.path("judged").asInt()).isPositive();
            assertThat(saturation.path("clients").path("median").asDouble()).isBetween(5.0, 11.0);
        }
        assertThat(work.resolve("out/figures/grid-levels-throughput.png")).isNotEmptyFile();

        assertThat(diperf(said, "compare", "out", "--fail-on", "response.mean +20%", "--allow-suspect"))
                .as(said.toString())
                .isEqualTo(99);
        assertThat(diperf(said, "compare", "out", "--fail-on", "response.mean +150%", "--allow-suspect"))
                .as(said.toString())
                .isZero();
    }
}
