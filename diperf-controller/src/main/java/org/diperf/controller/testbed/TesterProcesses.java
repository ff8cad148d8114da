package org.diperf.controller.testbed;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.diperf.core.folder.OwnerOnlyFiles;

/**
 * Testers that are processes of this machine, noted in a run's folder for whoever resumes the run. Thread-safe.
 *
 * @param control the run's folder for what another process needs to resume it
 */
public record TesterProcesses(Path control) {

    /** A tester that is told to end takes up to four seconds, and then writes what it has. */
    private static final long END_SECONDS = 10;

    private Path note(int tester) {
        return control.resolve("tester-" + tester + ".process");
    }

    /** Notes the process of a tester. */
    void started(int tester, ProcessHandle process) throws IOException {
        OwnerOnlyFiles.write(note(tester), process.pid() + " " + startMillis(process) + "\n");
    }

    private static long startMillis(ProcessHandle process) {
        return process.info().startInstant().map(Instant::toEpochMilli).orElse(0L);
    }

    /** Returns whether a tester was a process of this machine. */
    public boolean isNoted(int tester) {
        return Files.exists(note(tester));
    }

    private Optional<ProcessHandle> living(int tester) {
        try {
            String[] words = Files.readString(note(tester)).strip().split(" ");
            // Another process may have its number by now.
            return ProcessHandle.of(Long.parseLong(words[0]))
                    .filter(process -> process.isAlive() && startMillis(process) == Long.parseLong(words[1]));
        } catch (IOException | NumberFormatException | ArrayIndexOutOfBoundsException e) {
            return Optional.empty();
        }
    }

    /** Returns whether any of these testers is known to live. */
    public boolean isAnyAlive(List<Integer> testers) {
        return testers.stream().anyMatch(tester -> living(tester).isPresent());
    }

    /** Ends testers, which then leave what they have in the run's folder, and waits until they have. */
    public void end(List<Integer> testers) throws InterruptedException {
        List<ProcessHandle> ending =
                testers.stream().map(this::living).flatMap(Optional::stream).toList();
        ending.forEach(ProcessHandle::destroy);
        try {
            CompletableFuture.allOf(ending.stream().map(ProcessHandle::onExit).toArray(CompletableFuture[]::new))
                    .get(END_SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException | TimeoutException e) {
            // One that stands still leaves nothing.
            ending.forEach(ProcessHandle::destroyForcibly);
        }
    }
}
