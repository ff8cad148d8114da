package org.diperf.plugins.lib.gridftp;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.diperf.core.ports.FreePorts;
import org.diperf.core.spi.Url;
import org.diperf.plugins.lib.gsi.GsiWorld;
import org.junit.jupiter.api.Assumptions;

/** A globus-gridftp-server of the test's own, with a log of its transfers. */
public final class RealServer implements AutoCloseable {

    private static final Path PROGRAM = Path.of("/usr/sbin/globus-gridftp-server");

    private final Process process;
    private final int port;
    private final Path folder;
    private final boolean secure;

    private RealServer(Process process, int port, Path folder, boolean secure) {
        this.process = process;
        this.port = port;
        this.folder = folder;
        this.secure = secure;
    }

    public static RealServer anonymous(Path folder, String... more) throws Exception {
        List<String> arguments = new ArrayList<>(List.of("-aa"));
        if ("root".equals(System.getProperty("user.name"))) {
            arguments.addAll(List.of("-anonymous-user", "nobody"));
        }
        arguments.addAll(List.of(more));
        return start(folder, false, Map.of(), arguments);
    }

    /** Starts one that trusts a world's authority and shows its host's certificate. */
    public static RealServer of(GsiWorld world, Path folder, String... more) throws Exception {
        return start(folder, true, world.serverEnvironment(), List.of(more));
    }

    public static RealServer start(Path folder, boolean secure, Map<String, String> environment, List<String> arguments)
            throws Exception {
        Assumptions.assumeTrue(Files.isExecutable(PROGRAM), "globus-gridftp-server is not installed");
        int port = FreePorts.take();
        open(folder);
        List<String> command = new ArrayList<>(List.of(
                PROGRAM.toString(),
                "-p",
                String.valueOf(port),
                "-control-interface",
                "127.0.0.1",
                "-data-interface",
                "127.0.0.1",
                "-log-level",
                "ALL",
                "-logfile",
                folder.resolve("server-" + port + ".log").toString(),
                "-log-transfer",
                folder.resolve("transfers-" + port + ".log").toString()));
        command.addAll(arguments);
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.redirectOutput(folder.resolve("output-" + port + ".log").toFile());
        builder.environment().putAll(environment);
        RealServer made = new RealServer(builder.start(), port, folder, secure);
        made.awaitReady();
        return made;
    }

    /** Lets the server's user into a folder and those above it. */
    public static void open(Path folder) throws IOException {
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxrwxrwx"));
    }

    private void awaitReady() throws Exception {
        long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
        while (true) {
            try (Socket socket = new Socket()) {
                socket.connect(new InetSocketAddress("127.0.0.1", port), 1_000);
                return;
            } catch (IOException e) {
                if (System.nanoTime() > until || process.waitFor(20, TimeUnit.MILLISECONDS)) {
                    throw e;
                }
            }
        }
    }

    public Url uri(String path) {
        return Url.of((secure ? "gsiftp://localhost:" : "ftp://127.0.0.1:") + port + path);
    }

    public Url uri(Path path) {
        return uri(path.toString());
    }

    public int port() {
        return port;
    }

    /** Returns the lines of the transfer log so far. */
    public List<String> transfers() throws IOException {
        Path log = folder.resolve("transfers-" + port + ".log");
        return Files.exists(log) ? Files.readAllLines(log) : List.of();
    }

    /** Returns the transfers that it wrote down, as soon as there are so many, which it does after its last reply. */
    public List<Logged> logged(int atLeast) throws Exception {
        long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(5);
        while (transfers().size() < atLeast && System.nanoTime() < until) {
            process.waitFor(5, TimeUnit.MILLISECONDS);
        }
        return transfers().stream().map(Logged::of).toList();
    }

    /** Kills the server and all of its sessions. */
    public void kill() {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
    }

    @Override
    public void close() throws Exception {
        kill();
        process.waitFor(5, TimeUnit.SECONDS);
    }
}
