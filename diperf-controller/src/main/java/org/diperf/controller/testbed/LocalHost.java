package org.diperf.controller.testbed;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.diperf.core.experiment.ServiceSettings;
import org.diperf.core.folder.FolderTree;
import org.diperf.core.folder.LogSearch;
import org.diperf.core.folder.LogTail;
import org.diperf.core.folder.ScratchFolder;
import org.diperf.core.spi.Host;
import org.jspecify.annotations.Nullable;

/**
 * This machine, as one on which the controller runs programs. What it starts ends with the controller, even when that is
 * killed: next to each program a shell waits for the end of a pipe whose other end is the controller's. Confined to one
 * thread; its executions are thread-safe.
 */
public final class LocalHost implements Host, AutoCloseable {

    /**
     * The program keeps the process ID, in a session of its own so that its group can be ended as a whole; the shell
     * that guards it is in another one, out of reach of the signals of a terminal.
     */
    private static final String GUARDED = """
            exec 3<&0
            setsid sh -c 'while read -r line <&3; do :; done; exec sh -c "$1" end "$2" 100' guard "$2" $$ \
            >/dev/null 2>&1 </dev/null &
            exec sh -c "$1" </dev/null 3<&-
            """;

    /** Ends the group $1: asks, waits for $2 times 50 ms, forces. */
    private static final String END = """
            kill -s TERM -- -$1 2>/dev/null || exit 0
            i=0
            while [ $i -lt $2 ] && kill -s 0 -- -$1 2>/dev/null; do sleep 0.05; i=$((i + 1)); done
            kill -s KILL -- -$1 2>/dev/null
            exit 0
            """;

    private static final long STEP_NANOS = 50_000_000L;
    private static final long FORCED_SECONDS = 5;
    private static final int LAST_LINES = 6;

    private final Path log;
    private @Nullable ScratchFolder scratch;

    /** @param log to which all that it starts writes what it has to say; made with its folder where missing */
    public LocalHost(Path log) {
        this.log = log;
    }

    @Override
    public String name() {
        return ServiceSettings.LOCAL;
    }

    @Override
    public String folder() throws IOException {
        return home().toString();
    }

    private Path home() throws IOException {
        if (scratch == null) {
            scratch = ScratchFolder.temporary();
        }
        return scratch.path();
    }

    @Override
    public void put(Path local, String path) throws IOException {
        FolderTree.put(local, home(), path);
    }

    @Override
    public Execution start(String command, Map<String, String> environment) throws IOException {
        Files.createDirectories(requireNonNull(log.getParent()));
        ProcessBuilder builder = new ProcessBuilder("setsid", "sh", "-c", GUARDED, "diperf-service", command, END)
                .directory(home().toFile())
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
        builder.environment().putAll(environment);
        try {
            return new Group(builder.start(), log);
        } catch (IOException e) {
            throw new IOException(
                    e.getMessage() + ". Starting programs on this machine requires sh and setsid (util-linux)", e);
        }
    }

    /** Removes the folder; what was started is to be ended before. */
    @Override
    public void close() throws IOException {
        if (scratch != null) {
            scratch.close();
        }
    }

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

        @Override
        public void end(long graceNanos) throws IOException {
            String steps = String.format(Locale.ROOT, "%d", Math.max(0, graceNanos) / STEP_NANOS);
            Process ending = new ProcessBuilder("sh", "-c", END, "end", Long.toString(process.pid()), steps)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
            try {
                long most = TimeUnit.NANOSECONDS.toSeconds(graceNanos) + FORCED_SECONDS;
                if (!ending.waitFor(most, TimeUnit.SECONDS)) {
                    ending.destroyForcibly();
                }
                if (!process.waitFor(FORCED_SECONDS, TimeUnit.SECONDS)) {
                    process.destroyForcibly();
                }
            } catch (InterruptedException e) {
                process.destroyForcibly();
                Thread.currentThread().interrupt();
            } finally {
                // The guard's pipe: with its end the guard goes too.
                process.getOutputStream().close();
            }
        }
    }
}
