package org.diperf.plugins.emulated.limits;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A shell that removes the groups of a run as soon as it is told to, or this process has ended in whatever way. Confined to
 * one thread.
 */
public final class CgroupGuard implements AutoCloseable {

    /** Its arguments are the groups, those within others first. For 10 s it waits for processes in them to end. */
    private static final String SCRIPT = """
            cat > /dev/null
            i=0
            while [ $i -lt 100 ]; do
                left=
                for group; do
                    [ ! -d "$group" ] || rmdir "$group" 2> /dev/null || left=1
                done
                [ "$left" ] || exit 0
                sleep 0.1
                i=$((i + 1))
            done
            exit 1
            """;

    private static final long MAX_SECONDS = 15;

    private final Cgroups groups;
    private final Process process;

    private CgroupGuard(Cgroups groups, Process process) {
        this.groups = groups;
        this.process = process;
    }

    /** Starts it for groups that have been made. */
    public static CgroupGuard of(Cgroups groups) throws IOException {
        // Signals of a terminal are not for it.
        List<String> command = new ArrayList<>(List.of("setsid", "sh", "-c", SCRIPT, "sh"));
        groups.all().stream().map(Path::toString).forEach(command::add);
        return new CgroupGuard(
                groups,
                new ProcessBuilder(command)
                        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                        .redirectError(ProcessBuilder.Redirect.DISCARD)
                        .start());
    }

    /** Has the groups removed; all of their processes are ending. */
    @Override
    public void close() throws IOException, InterruptedException {
        try {
            process.getOutputStream().close();
        } catch (IOException e) {
            // It has gone already.
        }
        if (!process.waitFor(MAX_SECONDS, TimeUnit.SECONDS)) {
            process.destroyForcibly();
        }
        if (!groups.tryRemove()) {
            throw new IOException("These cgroups contain processes that do not exit: " + groups.all());
        }
    }
}
