package org.diperf.controller.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** One table over several runs. */
@Timeout(120)
class SideBySideTableTests {

    @TempDir
    Path folder;

    private String run(String name, double millis, long seed) throws IOException {
        return MadeRun.write(folder.resolve(name), millis, seed, "").toString();
    }

    @Test
    void runsStandSideBySideInOneTable() throws IOException {
        Outcome outcome = Outcome.of("report", run("time", 2, 1), run("echo", 20, 2));
        assertThat(outcome.code()).as(outcome.out()).isZero();
        assertThat(outcome.out())
                .contains("2 runs side by side")
                .containsPattern("run +load +calls/s +mean ms +p50 ms")
                .containsPattern("time +open.*500/s")
                .containsPattern("(?m)^ echo +open");
        assertThat(folder.resolve("time/report.html")).doesNotExist();
    }

    @Test
    void aReportOfSeveralRunsLeadsToThemAndCanBeMadeAgain() throws IOException {
        Path out = folder.resolve("table");
        String first = run("before/orders", 2, 3);
        Files.writeString(Path.of(first, "report.html"), "<p>of the run</p>");
        Outcome outcome = Outcome.of("report", first, run("after/orders", 4, 4), "--out", out.toString());
        assertThat(outcome.code()).as(outcome.out()).isZero();
        JsonNode summary = JsonMapper.builder().build().readTree(Files.readAllBytes(out.resolve("summary.json")));
        assertThat(summary.path("points").size()).isEqualTo(2);
        assertThat(summary.path("points").path(0).path("set").path("run").asString())
                .isEqualTo("orders");
        assertThat(summary.path("points").path(1).path("set").path("run").asString())
                .isEqualTo("after/orders");
        assertThat(Files.readString(out.resolve("report.html"))).contains("href=\"../before/orders/report.html\"");
        assertThat(out.resolve("figures/grid-throughput.png")).isNotEmptyFile();
        Files.delete(out.resolve("report.html"));
        assertThat(Outcome.of("report", out.toString()).code()).isZero();
        assertThat(out.resolve("report.html")).isNotEmptyFile();
    }

    @Test
    void pointsOfASweepHaveTheirSettingsInTheirNamesBesideOtherRuns() throws IOException {
        Path sweep = folder.resolve("sweep");
        run("sweep/runs/001", 2, 6);
        run("sweep/runs/002", 4, 7);
        Files.writeString(sweep.resolve("grid.json"), """
                {"format": "diperf-grid/1", "experiment": "orders", "labels": {}, "seed": 1, "diperfVersion": "test",
                 "axes": [{"path": "load.clients", "name": "clients", "values": [1, 2]}], "variants": {},
                 "trials": {"count": 1, "order": "interleaved", "pauseNanos": 0}, "order": "shuffled", "excluded": 0,
                 "runs": [
                  {"number": 1, "dir": "runs/001", "set": {"load.clients": 1}, "trial": 1, "state": "DONE"},
                  {"number": 2, "dir": "runs/002", "set": {"load.clients": 2}, "trial": 1, "state": "DONE"}]}
                """);
        Outcome mixed = Outcome.of("report", sweep.toString(), run("echo", 20, 8));
        assertThat(mixed.code()).as(mixed.out()).isZero();
        assertThat(mixed.out()).contains(" sweep clients=1 ", " sweep clients=2 ", " echo ");
    }

    @Test
    void misuseIsExplained() throws IOException {
        String run = run("time", 2, 5);
        assertMisuse("is specified twice", run, run);
        assertMisuse("got nothing at", run, folder.resolve("none").toString());
        assertMisuse("got neither run.json nor grid.json", run, folder.toString());
        assertMisuse("with a separate --out", run, folder.toString(), "--window", "1s..2s");
        assertMisuse("expected a separate folder", run, folder.toString(), "--out", run);
    }

    private static void assertMisuse(String said, String... arguments) {
        String[] all = new String[arguments.length + 1];
        all[0] = "report";
        System.arraycopy(arguments, 0, all, 1, arguments.length);
        Outcome outcome = Outcome.of(all);
        assertThat(outcome.code()).isEqualTo(2);
        assertThat(outcome.err()).contains(said);
    }
}
