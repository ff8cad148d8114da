package org.diperf.controller.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.diperf.core.folder.FolderLock;
import org.diperf.core.run.GridRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

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
        FolderLock.take(begun.resolve("control")).close();

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

    /** Others have files of these names too: Node's scripts, Sacred's runs. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "run.json:{}",
                "run.json:{ \"scripts\": { \"start\": \"node .\" }, \"format\": \"diperf-run/2\" }",
                "run.json:{\"command\": \"main\", \"status\": \"COMPLETED\"}",
                "run.json:",
                "grid.json:junk",
                "grid.json:{\"rows\": 3}",
                "control/.in-use:"
            })
    void aFolderOfSomebodyElseIsNotRemovedWhateverItsFilesAreCalled(String file) throws IOException {
        Path folder = Files.createDirectories(runs.resolve("precious"));
        Path code = Files.writeString(folder.resolve("experiment.yml"), "mine");
        Files.createDirectories(folder.resolve("control"));
        Files.writeString(folder.resolve(file.replaceFirst(":.*", "")), file.replaceFirst("[^:]*:", ""));

        Outcome outcome = Outcome.of("runs", "rm", folder.toString(), "--yes");

        assertThat(outcome.code()).isEqualTo(ExitCode.USAGE);
        assertThat(outcome.err()).contains("precious is not a run folder", "othing was removed");
        assertThat(code).exists();
    }

    @Test
    void aLinkIsNotFollowedAndOtherRunsWithinStay() throws IOException {
        Path run = finished("made");
        Path elsewhere = Files.createDirectories(runs.resolve("elsewhere"));
        Path link = Files.createSymbolicLink(elsewhere.resolve("orders"), run);
        Path latest = Files.createSymbolicLink(elsewhere.resolve("latest"), run);
        for (Path each : List.of(link, latest)) {
            Outcome outcome = Outcome.of("runs", "rm", each.toString(), "--yes");
            assertThat(outcome.code()).isEqualTo(ExitCode.USAGE);
            assertThat(outcome.err()).contains("is a link to " + run.toRealPath());
            assertThat(each).isSymbolicLink();
        }
        // As --out runs makes it.
        Files.copy(run.resolve("run.json"), runs.resolve("run.json"));
        Outcome all = Outcome.of("runs", "rm", runs.toString(), "--yes");
        assertThat(all.code()).isEqualTo(ExitCode.USAGE);
        assertThat(all.err()).contains("also contains the run made");
        assertThat(run.resolve("samples")).exists();

        Path data = Files.writeString(elsewhere.resolve("data"), "mine");
        Files.createSymbolicLink(run.resolve("linked"), elsewhere);
        assertThat(Outcome.of("runs", "rm", run.toString(), "--yes").code()).isZero();
        assertThat(run).doesNotExist();
        assertThat(data).exists();
    }

    /** Makes folders that are listed next to a run that is sound. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "summary.json:{\"experiment\":\"x\",\"calls\":{\"total\":1},\"verdict\":\"v\",\"thresholds\":[null]}",
                "summary.json:{\"x\":{\"x\":{\"x\":",
                "run.json:[[[[[[[[[[",
                "grid.json:{\"format\":\"diperf-grid/1\",\"experiment\":\"x\",\"runs\":null}",
                "grid.json:GRID a\\u0000b",
                "grid.json:GRID ../../elsewhere",
                "grid.json:GRID null",
                "summary.json:/dev/zero",
                "summary.json:pipe",
                "run.json:sparse",
                "summary.json:sparse"
            })
    void aBadFolderIsARowThatSaysSo(String file) throws Exception {
        finished("good");
        Path bad = MadeRun.write(runs.resolve("bad"), 5, 1, EXPERIMENT);
        Path at = bad.resolve(file.replaceFirst(":.*", ""));
        String content = file.replaceFirst("[^:]*:", "");
        Files.deleteIfExists(at);
        if (content.startsWith("/")) {
            Files.createSymbolicLink(at, Path.of(content));
        } else if (content.equals("pipe")) {
            assertThat(new ProcessBuilder("mkfifo", at.toString()).start().waitFor())
                    .isZero();
        } else if (content.equals("sparse")) {
            try (RandomAccessFile sparse = new RandomAccessFile(at.toFile(), "rw")) {
                sparse.setLength(3L << 30);
            }
        } else if (content.startsWith("GRID ")) {
            String dir = content.substring(5);
            Files.writeString(
                    at,
                    "{'format':'diperf-grid/1','experiment':'x','labels':{},'seed':1,'diperfVersion':'1','startedAt':'2026','axes':[],"
                            .concat(
                                    "'variants':{},'trials':{'count':1,'order':'grouped','pauseNanos':0},'order':'given',")
                            .concat("'excluded':0,'runs':[{'number':1,'dir':DIR,'set':{},'trial':1,'state':'DONE'}]}")
                            .replace("DIR", dir.equals("null") ? dir : "'" + dir + "'")
                            .replace('\'', '"'));
        } else {
            Files.writeString(at, content);
        }

        Outcome listed = Outcome.of("runs", runs.toString());

        assertThat(listed.code()).as("%s", listed).isZero();
        assertThat(listed.out()).containsPattern("(?m)^ good +2026.*(valid|suspect)");
        assertThat(listed.out()).containsPattern("(?m)^ bad .*(damaged: |no report)");
        try (StoredRuns served = new StoredRuns(runs)) {
            assertThat(served.runs()).hasSize(2);
            assertThat(served.trend("made", "response.p99").points()).hasSize(1);
        }
    }

    @Test
    void noControlCharacterOfANameReachesTheTerminal() throws IOException {
        finished("made\u001b]0;owned\u0007\u001b[31m\rfoo");
        Outcome listed = Outcome.of("runs", runs.toString());
        assertThat(listed.out()).contains("made·]0;owned··[31m·foo").doesNotContain("\u001b", "\u0007", "\r");
        Outcome refused = Outcome.of("check", "none\u001b[2J.yml");
        assertThat(refused.err()).contains("none·[2J.yml").doesNotContain("\u001b");
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
