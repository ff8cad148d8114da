package org.diperf.plugins.ssh;

import java.io.IOException;
import java.time.Duration;
import org.diperf.core.spi.Host;
import org.jspecify.annotations.Nullable;

/** A program under way on a machine. Thread-safe by its lock. */
final class Program implements Host.Execution {

    private static final Duration LIMIT = Duration.ofSeconds(20);
    private static final int WORDS_BYTES = 2_000;
    private static final int KILLED = 137;

    private final Machine machine;
    private final Supervisor supervisor;
    private final Deployment.Site site;
    private final String run;
    private final String name;
    private @Nullable Integer code;

    Program(Machine machine, Supervisor supervisor, Deployment.Site site, String run, String name) {
        this.machine = machine;
        this.supervisor = supervisor;
        this.site = site;
        this.run = run;
        this.name = name;
    }

    @Override
    public synchronized boolean ended() throws IOException {
        if (code == null) {
            Supervisor.Ended end = supervisor.endOf(name);
            if (end != null) {
                code = end.code();
            } else if (supervisor.isLost()) {
                code = ask();
            }
        }
        return code != null;
    }

    private @Nullable Integer ask() throws IOException {
        Script script =
                new Script("", "cat \"$exit\" 2>/dev/null\nexit 0\n").with("exit", site.run() + "/" + name + ".exit");
        String answer = machine.connection()
                .run(script, LIMIT)
                .orThrow("an answer from " + machine.name())
                .strip();
        return answer.matches("[0-9]{1,3}") ? Integer.valueOf(answer) : null;
    }

    @Override
    public synchronized int exitCode() {
        if (code == null) {
            throw new IllegalStateException("The program has not ended");
        }
        return code;
    }

    @Override
    public String lastWords() {
        try {
            return ofLog("tail -c " + WORDS_BYTES + " \"$log\" 2>/dev/null");
        } catch (IOException e) {
            return "(" + e.getMessage() + ")";
        }
    }

    @Override
    public boolean hasWritten(String text) throws IOException {
        // As bytes: a log may be in any encoding.
        return !ofLog("LC_ALL=C grep -qFe " + Script.quote(text) + " \"$log\" 2>/dev/null && echo found")
                .isEmpty();
    }

    /** Returns what a command says of the file that holds what the program has written. */
    private String ofLog(String command) throws IOException {
        Script script = new Script("", command + "\nexit 0\n").with("log", site.run() + "/" + name + ".log");
        return machine.connection()
                .run(script, LIMIT)
                .orThrow("an answer from " + machine.name())
                .strip();
    }

    @Override
    public void end(long graceNanos) throws IOException {
        // What it started may run although it has ended itself.
        machine.end(run + "/" + name + "/", 0, graceNanos);
        synchronized (this) {
            if (!ended()) {
                // Its watching shell was ended with it and wrote no code.
                code = KILLED;
            }
        }
    }
}
