package org.diperf.controller.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.diperf.analyzer.run.RunFiles;
import org.diperf.controller.grid.GridFolder;
import org.diperf.controller.page.LivePage;
import org.diperf.controller.page.RunCatalog;
import org.diperf.core.faults.FaultyDisk;
import org.diperf.core.folder.FolderLock;
import org.diperf.core.run.GridRecord;
import org.diperf.core.run.GridRecord.RunEntry;
import org.diperf.core.run.GridRecord.State;
import org.diperf.core.run.GridRecord.TrialsRecord;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The runs of a folder as {@code serve} lists and compares them. */
@Timeout(60)
class ShelfTests {

    @TempDir
    private Path folder = Path.of("");

    private final ExecutorService threads = Executors.newCachedThreadPool();
    private StoredRuns runs;

    @BeforeEach
    void open() throws IOException {
        runs = new StoredRuns(folder);
    }

    @AfterEach
    void close() throws IOException {
        threads.shutdownNow();
        runs.close();
    }

    private Path run(String name) throws IOException {
        return MadeRun.write(folder.resolve(name), 5, name.hashCode(), "");
    }

    @Test
    void aComparisonIsOfTheRunsAsTheyAreNow() throws IOException {
        run("a");
        Path later = run("b");
        assertThat(runs.compared("a", "b")).isNull();
        runs.compare("a", "b");
        Path made = runs.compared("a", "b");
        assertThat(made).isDirectoryContaining("glob:**compare.html");
        assertThat(runs.compared("b", "a")).isNull();

        Files.setLastModifiedTime(
                later.resolve(RunFiles.RUN), FileTime.from(Instant.now().plusSeconds(60)));
        assertThat(runs.compared("a", "b")).isNull();
        runs.compare("a", "b");
        assertThat(runs.compared("a", "b")).isNotNull().isNotEqualTo(made);
    }

    @Test
    void aRunUnderWayIsNotCompared() throws IOException {
        run("a");
        Path resumed = run("b");
        runs.compare("a", "b");
        try (FolderLock inUse = FolderLock.take(Files.createDirectory(resumed.resolve("control")))) {
            assertThat(inUse).isNotNull();
            assertThatThrownBy(() -> runs.compare("a", "b"))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("got b, which is still running");
            assertThatThrownBy(() -> runs.compared("a", "b")).hasMessageContaining("got b, which is still running");
        }
        assertThatThrownBy(() -> runs.compare("a", "../a")).hasMessageContaining("Expected two runs in this folder");
    }

    @Test
    void runsAreListedWhileTwoOfThemAreCompared() throws Exception {
        FaultyDisk disk = new FaultyDisk(folder);
        MadeRun.write(disk.root().resolve("a"), 5, 1, "");
        MadeRun.write(disk.root().resolve("b"), 5, 2, "");
        CountDownLatch compares = new CountDownLatch(1);
        CountDownLatch listed = new CountDownLatch(1);
        disk.tellBeforeOpens(name -> {
            if (name.equals("b/" + RunFiles.CLOCK)) {
                compares.countDown();
                assertThat(await(listed)).isTrue();
            }
        });
        try (StoredRuns watched = new StoredRuns(disk.root())) {
            Future<?> comparing = threads.submit(() -> {
                watched.compare("a", "b");
                return null;
            });
            assertThat(await(compares)).isTrue();
            assertThat(threads.submit(watched::runs).get(30, TimeUnit.SECONDS)).hasSize(2);
            listed.countDown();
            comparing.get();
            assertThat(watched.compared("a", "b")).isNotNull();
        }
    }

    private static boolean await(CountDownLatch latch) {
        try {
            return latch.await(30, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    @Test
    void aGridUnderWayLeadsToThePageOfItsRun() throws IOException {
        Path grid = Files.createDirectory(folder.resolve("grid"));
        new GridFolder(grid)
                .write(new GridRecord(
                        GridRecord.FORMAT,
                        "grid",
                        Map.of(),
                        1,
                        "0.1.0",
                        "2026-11-21T10:00:00Z",
                        List.of(),
                        Map.of(),
                        new TrialsRecord(2, "interleaved", 0),
                        "given",
                        0,
                        List.of(
                                new RunEntry(1, "runs/1", Map.of(), 1, State.DONE, null),
                                new RunEntry(2, "runs/2", Map.of(), 2, State.UNDER_WAY, null))));
        Path control = Files.createDirectories(grid.resolve("runs/2/control"));
        try (FolderLock session = FolderLock.take(grid)) {
            assertThat(session).isNotNull();
            assertThat(runs.runs())
                    .singleElement()
                    .extracting(RunCatalog.Entry::live)
                    .isNull();
            try (FolderLock run = FolderLock.take(control)) {
                assertThat(run).isNotNull();
                Files.writeString(grid.resolve("runs/2").resolve(LivePage.ADDRESS), "http://127.0.0.1:5665/\n");
                assertThat(runs.runs())
                        .singleElement()
                        .extracting(RunCatalog.Entry::live)
                        .isEqualTo("http://127.0.0.1:5665/");
            }
        }
        assertThat(runs.runs())
                .singleElement()
                .extracting(RunCatalog.Entry::live)
                .as("left by who was killed")
                .isNull();
    }

    @Test
    void aDamagedGridIsListedAsSuchAndHidesNoOther() throws IOException {
        run("a");
        Path grid = Files.createDirectory(folder.resolve("grid"));
        Files.writeString(grid.resolve(GridRecord.FILE), "{ \"format\": \"");
        assertThat(runs.runs()).extracting(RunCatalog.Entry::folder).containsExactly("a", "grid");
        try (FolderLock session = FolderLock.take(grid)) {
            assertThat(session).isNotNull();
            assertThat(runs.runs())
                    .extracting(RunCatalog.Entry::verdict)
                    .anyMatch(verdict -> verdict.startsWith("damaged: grid.json is not a grid record"));
        }
    }
}
