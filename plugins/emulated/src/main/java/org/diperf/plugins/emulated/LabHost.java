package org.diperf.plugins.emulated;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.diperf.core.folder.FolderTree;
import org.diperf.core.folder.LogSearch;
import org.diperf.core.folder.LogTail;
import org.diperf.core.spi.Host;

/** A host of the emulated network, as one on which the controller runs programs. Confined to one thread. */
final class LabHost implements Host {

    private static final int LAST_LINES = 6;
    private static final long FORCED_SECONDS = 5;

    private final String name;
    private final Lab lab;
    private final Path folder;
    private final List<Path> groups;
    private int programs;

    /**
     * @param folder of its own, which exists
     * @param groups control groups into which its programs go
     */
    LabHost(String name, Lab lab, Path folder, List<Path> groups) {
        this.name = name;
        this.lab = lab;
        this.folder = folder;
        this.groups = groups;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public boolean hasOwnNetwork() {
        return true;
    }

    @Override
    public String folder() {
        return folder.toString();
    }

    @Override
    public void put(Path local, String path) throws IOException {
        FolderTree.put(local, folder, path);
    }

    @Override
    public Execution start(String command, Map<String, String> environment) throws IOException {
        programs++;
        Path log = folder.resolveSibling(folder.getFileName() + "-" + programs + ".log");
        ProcessBuilder builder = new ProcessBuilder(lab.on(name, folder, groups, List.of("sh", "-c", command)))
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .redirectInput(Path.of("/dev/null").toFile());
        builder.environment().putAll(environment);
        return new Group(builder.start(), log);
    }

    /** Returns a command that signals a process group. Every shell has a kill of its own; the program of that name may not be there. */
    static List<String> signalling(String signal, long group) {
        return List.of("sh", "-c", "kill -s \"$0\" -- \"-$1\"", signal, Long.toString(group));
    }

    /**
     * A program and what it started, as far as it has not left its process group.
     *
     * @param process waits for the program, its only child
     */
    private record Group(Process process, Path log) implements Execution {

        @Override
        public boolean ended() {
            return !process.isAlive();
        }

        @Override
        public int exitCode() {
            try {
                return process.exitValue();
            } catch (IllegalThreadStateException e) {
                throw new IllegalStateException("The process has not exited", e);
            }
        }

        @Override
        public String lastWords() {
            return String.join("\n", LogTail.of(log, LAST_LINES));
        }

        @Override
        public boolean hasWritten(String text) throws IOException {
            return LogSearch.finds(text, log);
        }

        /** What outlives the program, or leaves its process group, stays until the network goes. */
        @Override
        public void end(long graceNanos) throws IOException {
            List<ProcessHandle> leaders = process.children().toList();
            try {
                for (ProcessHandle leader : leaders) {
                    signal("TERM", leader);
                }
                if (!process.waitFor(graceNanos, TimeUnit.NANOSECONDS)) {
                    for (ProcessHandle leader : leaders) {
                        signal("KILL", leader);
                    }
                    process.waitFor(FORCED_SECONDS, TimeUnit.SECONDS);
                }
            } catch (InterruptedException e) {
                process.destroyForcibly();
                Thread.currentThread().interrupt();
            }
        }

        private static void signal(String signal, ProcessHandle leader) throws InterruptedException {
            try {
                Commands.run(signalling(signal, leader.pid()));
            } catch (IOException e) {
                // It has ended meanwhile.
                return;
            }
        }
    }
}
