package org.diperf.controller.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.diperf.core.folder.FolderLock;
import org.diperf.core.run.GridRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class RunsCommandTests {

    private static final String EXPERIMENT = "target: http://127.0.0.1:8080/\nload: { open: { rate: 500, for: 8s } }\n";

    @TempDir
    private Path runs = Path.of("");

    /** Makes a run with its report. */
    private Path finished(String name) throws IOException {
        Path folder = MadeRun.write(runs.resolve(name), 5, 1, EXPERIMENT);
        assertThat(Outcome.of("report", folder.toString()).code()).isZero();
        return folder;
    }

    private Path begun(String name) throws IOException {
        Path folder = Files.createDirectories(runs.resolve(name));
        Files.writeString(folder.resolve("experiment.yml"), EXPERIMENT);
        Files.createDirectories(folder.resolve("control"));
        return folder;
    }

    @Test
    void runsAreListedTheNewestFirst() throws IOException {
        finished("made-1");
        MadeRun.write(runs.resolve("made-2"), 5, 1, EXPERIMENT);
        Files.createDirectories(runs.resolve("notes"));
        Files.createSymbolicLink(runs.resolve("latest"), Path.of("made-2"));
        Path begun = begun("begun");

        try (FolderLock inUse = FolderLock.take(begun.resolve("control"))) {
            Outcome outcome = Outcome.of("runs", runs.toString());

            assertThat(inUse).isNotNull();
            assertThat(outcome.err()).isEmpty();
            assertThat(outcome.code()).isZero();
            List<String> lines = outcome.out().lines().toList();
            assertThat(lines.get(0)).matches(" run +start \\(UTC\\) +length +calls +size +verdict");
            assertThat(lines.get(1)).matches(" made-2 +2026-11-21 10:00 +– +– +[0-9.]+ kB +no report");
            assertThat(lines.get(2))
                    .matches(" made-1 +2026-11-21 10:00 +0:0[89] +4,000 +[0-9.]+ [kM]B +(valid|suspect)");
            assertThat(lines.get(3)).matches(" begun +– +– +– +[0-9]+ B +under way");
            assertThat(outcome.out()).doesNotContain("notes", "latest").containsPattern("\n 3 runs, [0-9.]+ [kM]B\n");
        }
    }

    @Test
    void aGridIsOneLine() throws IOException {
        Path first = finished("made-1");
        Path second = finished("made-2");
        Path grid = runs.resolve("table");
        assertThat(Outcome.of("report", first.toString(), second.toString(), "--out", grid.toString())
                        .code())
                .isZero();

        assertThat(Outcome.of("runs", runs.toString()).out())
                .containsPattern(" table +[^ ]+.* 0:1[5-8] +8,000 .* (2 of 2 valid|valid|0 of 2 valid) \\(2 runs\\)\n");
        try (FolderLock inUse = FolderLock.take(grid)) {
            assertThat(inUse).isNotNull();
            assertThat(Outcome.of("runs", runs.toString()).out()).contains("under way (2 runs)");
            refused(first, grid, "is still running");
        }
        assertThat(Outcome.of("runs", "rm", grid.toString(), "--yes").code()).isZero();
        assertThat(first.resolve("samples")).exists();
    }

    @Test
    void aRunThatNobodyCarriesOutAnyMoreIsCutShort() throws IOException {
        Path begun = begun("begun");
        Files.createFile(begun.resolve("control").resolve(FolderLock.FILE));

        assertThat(Outcome.of("runs", runs.toString()).out()).contains("cut short");
        assertThat(Outcome.of("runs", "rm", begun.toString(), "--yes").code()).isZero();
        assertThat(begun).doesNotExist();
    }

    @Test
    void whereThereAreNoRunsItSaysSo() {
        assertThat(Outcome.of("runs", runs.toString()).out()).contains("No runs in " + runs);
        Outcome none = Outcome.of("runs", runs.resolve("none").toString());
        assertThat(none.code()).isEqualTo(ExitCode.USAGE);
        assertThat(none.err()).contains("no folder");
    }

    @Test
    void aRemovedRunIsGoneAndLatestLinksToTheNewestThatIsLeft() throws IOException {
        Path first = finished("made-1");
        Path second = finished("made-2");
        Path third = finished("made-3");
        Path latest = Files.createSymbolicLink(runs.resolve("latest"), Path.of("made-3"));

        Outcome outcome = Outcome.of("runs", "rm", latest.toString(), first.toString(), "--yes");

        assertThat(outcome.err()).isEmpty();
        assertThat(outcome.code()).isZero();
        assertThat(outcome.out()).contains("removed 2 runs (", "made-3", "made-1");
        assertThat(first).doesNotExist();
        assertThat(third).doesNotExist();
        assertThat(second.resolve("summary.json")).exists();
        assertThat(latest.toRealPath()).isEqualTo(second.toRealPath());

        assertThat(Outcome.of("runs", "rm", second.toString(), "--yes").code()).isZero();
        assertThat(latest).doesNotExist();
        assertThat(Files.isSymbolicLink(latest)).isFalse();
    }

    @Test
    void nothingIsRemovedUnasked() throws IOException {
        Path run = finished("made");
        Outcome outcome = Outcome.of("runs", "rm", run.toString());

        assertThat(outcome.code()).isEqualTo(ExitCode.USAGE);
        assertThat(outcome.err()).contains("--yes", "1 run (", "made");
        assertThat(run.resolve("samples")).exists();
    }

    @Test
    void whatIsNoRunIsRefusedAndThenNothingIsRemoved() throws IOException {
        Path run = finished("made");
        Path notes = Files.createDirectories(runs.resolve("notes"));
        Path file = Files.writeString(notes.resolve("run.txt"), "mine");
        Path begun = begun("begun");
        Path grid = Files.createDirectories(runs.resolve("grid"));
        Files.writeString(grid.resolve(GridRecord.FILE), "{}");
        Path member = MadeRun.write(grid.resolve("001-a"), 5, 1, EXPERIMENT);

        try (FolderLock inUse = FolderLock.take(begun.resolve("control"))) {
            assertThat(inUse).isNotNull();
            refused(run, notes, "is not a run");
            refused(run, file, "is not a run");
            refused(run, runs, "is not a run");
            refused(run, runs.resolve("none"), "no run ");
            refused(run, begun, "is still running");
            refused(run, member, "one of the runs in grid");
        }
        assertThat(file).exists();
        assertThat(member.resolve("run.json")).exists();
        assertThat(begun.resolve("experiment.yml")).exists();
    }

    private static void refused(Path run, Path other, String why) {
        Outcome outcome = Outcome.of("runs", "rm", run.toString(), other.toString(), "--yes");
        assertThat(outcome.code()).isEqualTo(ExitCode.USAGE);
        assertThat(outcome.err()).contains(why);
        assertThat(run.resolve("samples")).exists();
    }

    @Test
    void withoutRunsCompareTakesTheLastTwoOfOneName() throws IOException, UsageException {
        assertThatExceptionOfType(UsageException.class)
                .isThrownBy(() -> CompareCommand.lastTwo(runs.resolve("none")))
                .withMessageContainingAll("no two finished runs with the same name", "diperf compare runs/before");
        finished("made-1");
        assertThatExceptionOfType(UsageException.class).isThrownBy(() -> CompareCommand.lastTwo(runs));
        finished("made-2");
        finished("made-3");
        // Without a report, and of another name.
        MadeRun.write(runs.resolve("made-4"), 5, 1, EXPERIMENT);
        Path other = finished("made-5");
        Path summary = other.resolve("summary.json");
        Files.writeString(summary, Files.readString(summary).replace("\"made\"", "\"other\""));

        assertThat(CompareCommand.lastTwo(runs)).containsExactly(runs.resolve("made-2"), runs.resolve("made-3"));
    }

    @Test
    void withoutARunTheLatestIsMeant() throws IOException, UsageException {
        assertThatExceptionOfType(UsageException.class)
                .isThrownBy(() -> RunFolders.latest(runs, "report"))
                .withMessageContainingAll("report: no RUN_DIR was given", "diperf run");
        Files.createSymbolicLink(runs.resolve("latest"), finished("made").getFileName());
        assertThat(RunFolders.latest(runs, "report")).isEqualTo(runs.resolve("latest"));
    }
}
