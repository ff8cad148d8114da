package org.diperf.plugins.ssh;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A candidate in the course of a run: its connection, the run's folder there, and what runs. Thread-safe by its lock. */
final class Machine {

    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final Duration COPY_LIMIT = Duration.ofMinutes(15);

    private final Candidate candidate;
    private final SshConnector access;
    private final String run;
    private final String cache;
    private @Nullable Connection connection;
    private Deployment.@Nullable Site site;
    private @Nullable Supervisor supervisor;
    private boolean sendJava;
    private @Nullable String java;
    private int forwardedPort;

    Machine(Candidate candidate, SshConnector access, String run, String cache) {
        this.candidate = candidate;
        this.access = access;
        this.run = run;
        this.cache = cache;
    }

    String name() {
        return candidate.name();
    }

    Candidate candidate() {
        return candidate;
    }

    /** Returns the connection; makes a new one where there is none or it broke. */
    synchronized Connection connection() throws IOException {
        Connection there = connection;
        if (there == null || !there.isOpen()) {
            if (there != null) {
                there.close();
            }
            there = access.connect(candidate.address());
            connection = there;
        }
        return there;
    }

    synchronized void sendJava(boolean needed) {
        sendJava = needed;
    }

    /** Makes the run's folder there, once. */
    synchronized Deployment.Site site(Deployment deployment) throws IOException {
        Deployment.Site there = site;
        if (there == null) {
            there = deployment.prepare(connection());
            site = there;
        }
        return there;
    }

    /** Takes note of where the run's folder is that another process has made. */
    synchronized void siteIs(Deployment.Site there) {
        site = there;
    }

    /** Says where the run's folder is; {@code null}: there is none. */
    synchronized Deployment.@Nullable Site siteIfAny() {
        return site;
    }

    /** Returns the command of the Java there, which is sent where need be. */
    synchronized String java(Deployment deployment, String wanted) throws IOException {
        String command = java;
        if (command == null) {
            command = sendJava ? deployment.java(connection(), site(deployment)) : wanted;
            java = command;
        }
        return command;
    }

    /** Returns the supervisor of the run's programs there, which is started where need be. */
    synchronized Supervisor supervisor(Deployment deployment, Supervisor.Listener listener) throws IOException {
        Supervisor there = supervisor;
        if (there == null) {
            Script script = Script.named("supervise.sh")
                    .using("clean.sh")
                    .using("lock.sh")
                    .with("base", site(deployment).base())
                    .with("run", run)
                    .with("cache", cache);
            there = Supervisor.start(connection(), script, listener);
            supervisor = there;
        }
        return there;
    }

    synchronized @Nullable Supervisor supervisorIfAny() {
        return supervisor;
    }

    /** Forgets a supervisor that nothing is heard of any more; what it started continues. */
    synchronized void supervisorLost() {
        supervisor = null;
    }

    /** Returns the port of its loopback that leads to the controller. */
    synchronized int forwardedPort(java.net.InetSocketAddress controller) throws IOException {
        if (forwardedPort == 0) {
            forwardedPort = connection().forwardBack(controller);
        }
        return forwardedPort;
    }

    /** Logs in again and forwards the same port again, where one was. */
    synchronized void reconnect(java.net.InetSocketAddress controller) throws IOException {
        Connection there = connection();
        if (forwardedPort != 0) {
            there.forwardBack(forwardedPort, controller);
        }
    }

    /**
     * Ends everything of this run whose mark begins so.
     *
     * @param mark name of the run, or of one of its programs, with a slash
     * @param patienceNanos for what ends by itself
     * @param graceNanos between asking and forcing
     * @throws IOException when something cannot be ended, naming it
     */
    void end(String mark, long patienceNanos, long graceNanos) throws IOException {
        Script end = Script.named("end.sh")
                .with("mark", mark)
                .with("patience", String.valueOf(tenths(patienceNanos)))
                .with("grace", String.valueOf(tenths(graceNanos)));
        connection().run(end, LIMIT.plusNanos(patienceNanos + graceNanos)).orThrow("all processes of the run to end");
    }

    private static long tenths(long nanos) {
        return Math.max(0, (nanos + 99_999_999) / 100_000_000);
    }

    /** Copies a file from there; nothing happens where there is none. */
    void fetch(String from, Path to, long mostBytes) throws IOException {
        Script script = new Script("", "[ -e \"$from\" ] || exit 3\nexec tail -c \"$most\" \"$from\"\n")
                .with("from", from)
                .with("most", String.valueOf(mostBytes));
        try (Connection.Running running = connection().start(script, LIMIT)) {
            running.in().close();
            InputStream out = running.out(mostBytes);
            byte[] first = out.readNBytes(1);
            if (first.length == 0 && running.exitCode() == 3) {
                return;
            }
            try (var file = Files.newOutputStream(to)) {
                file.write(first);
                out.transferTo(file);
            }
        }
    }

    /**
     * Copies a file from there.
     *
     * @return false: there is none
     * @throws IOException when it does not come whole
     */
    boolean copy(String from, OutputStream to, long mostBytes) throws IOException {
        Script script = new Script("", "[ -e \"$from\" ] || exit 3\nexec cat \"$from\"\n").with("from", from);
        try (Connection.Running running = connection().start(script, COPY_LIMIT)) {
            running.in().close();
            running.out(mostBytes).transferTo(to);
            int code = running.exitCode();
            if (code == 3) {
                return false;
            }
            if (code != 0) {
                throw new IOException(from + " was not fetched completely: "
                        + (running.error().isBlank()
                                ? "the connection broke"
                                : running.error().strip()));
            }
            return true;
        }
    }

    /** Removes spools there that are safe elsewhere. */
    void drop(Deployment.Site there, List<String> spools) throws IOException {
        Script drop = Script.named("drop.sh").with("base", there.base()).with("spools", String.join("\n", spools));
        connection().run(drop, LIMIT).orThrow("files left by testers on " + name() + " removed");
    }

    /** Closes the connection. */
    synchronized void disconnect() {
        Connection there = connection;
        if (there != null) {
            there.close();
            connection = null;
        }
    }
}
