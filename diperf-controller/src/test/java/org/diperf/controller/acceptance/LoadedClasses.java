package org.diperf.controller.acceptance;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import org.diperf.controller.quickstart.WaitingService;
import org.diperf.core.folder.ScratchFolder;

/**
 * The classes that a run loads, as a JVM keeps them in memory (class-data sharing): a command takes a third less processor
 * time with them. Made once for a packaged jar, by whichever of the tests' JVMs comes first.
 */
final class LoadedClasses {

    private static final String QUIET = "-Xlog:cds*=off";
    private static final long SERVICE_NANOS = 20_000_000L;

    private LoadedClasses() {}

    /**
     * Returns the flags of a JVM that uses them. The lock on a file is among processes, the monitor among threads of this one.
     *
     * @param jar to be run
     * @param flags the JVM's others
     */
    static synchronized List<String> flags(Path jar, List<String> flags) throws IOException, InterruptedException {
        Path archive = jar.resolveSibling("loaded-classes.jsa");
        try (FileChannel turn = FileChannel.open(
                        jar.resolveSibling("loaded-classes.lock"),
                        StandardOpenOption.CREATE,
                        StandardOpenOption.WRITE);
                var unused = turn.lock()) {
            boolean made = Files.exists(archive)
                    && Files.getLastModifiedTime(archive).compareTo(Files.getLastModifiedTime(jar)) > 0;
            if (!made) {
                make(jar, flags, archive);
            }
        }
        return List.of("-XX:SharedArchiveFile=" + archive, QUIET);
    }

    private static void make(Path jar, List<String> flags, Path archive) throws IOException, InterruptedException {
        try (ScratchFolder scratch = ScratchFolder.temporary();
                WaitingService service = new WaitingService(4, SERVICE_NANOS, SERVICE_NANOS, 1)) {
            Path draft = archive.resolveSibling("draft.jsa");
            Files.deleteIfExists(draft);
            List<String> command = new ArrayList<>(List.of(Command.java()));
            command.addAll(flags);
            command.addAll(List.of("-XX:ArchiveClassesAtExit=" + draft, QUIET, "-jar", jar.toString(), "run"));
            command.addAll(List.of(service.uri().toString(), "--clients", "2", "--for", "1s", "--out", "run"));
            try (Command run = Command.start(scratch.path(), command)) {
                if (run.exitCode() != 0) {
                    throw new IllegalStateException("A run of a second failed:\n" + run.output());
                }
            }
            Files.move(draft, archive, StandardCopyOption.ATOMIC_MOVE);
        }
    }
}
