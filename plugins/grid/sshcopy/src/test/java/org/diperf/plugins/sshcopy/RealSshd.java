package org.diperf.plugins.sshcopy;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.diperf.core.folder.FolderTree;
import org.diperf.core.ports.FreePorts;
import org.diperf.core.spi.Url;
import org.junit.jupiter.api.Assumptions;

/** An sshd of the test's own, started as the studies start it. */
final class RealSshd implements AutoCloseable {

    private static final Path SCRIPT = Path.of("../../../examples/servers/ssh-server.sh");

    private final Process process;
    private final int port;

    private RealSshd(Process process, int port) {
        this.process = process;
        this.port = port;
    }

    static RealSshd start() throws Exception {
        Assumptions.assumeTrue(Files.isExecutable(Path.of("/usr/sbin/sshd")), "sshd is not installed");
        Assumptions.assumeTrue(Files.isExecutable(Path.of("/usr/bin/scp")), "scp is not installed");
        long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (true) {
            int port = FreePorts.take();
            Process process = new ProcessBuilder("sh", SCRIPT.toString(), Integer.toString(port))
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.INHERIT)
                    .start();
            RealSshd made = new RealSshd(process, port);
            // It ends at once when another test has taken the port meanwhile.
            while (!process.waitFor(20, TimeUnit.MILLISECONDS)) {
                if (made.answers()) {
                    return made;
                }
                if (System.nanoTime() > until) {
                    made.close();
                    throw new IOException("No sshd answered at port " + port);
                }
            }
            made.close();
        }
    }

    /** Returns whether it is this sshd that answers: its script makes the keys first. */
    private boolean answers() {
        if (!Files.exists(folder().resolve("sshd_config"))) {
            return false;
        }
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress("127.0.0.1", port), 1_000);
            socket.setSoTimeout(5_000);
            return new String(socket.getInputStream().readNBytes(4), StandardCharsets.US_ASCII).equals("SSH-");
        } catch (IOException e) {
            return false;
        }
    }

    Url uri(String scheme, Path path) {
        return Url.of(scheme + "://127.0.0.1:" + port + path);
    }

    Path folder() {
        return Path.of("/tmp/diperf-ssh/" + port);
    }

    /** Returns what every client needs, and more. */
    Map<String, Object> with(Object... more) {
        Map<String, Object> with = new HashMap<>();
        with.put("key", folder().resolve("user").toString());
        with.put("known-hosts", folder().resolve("known_hosts").toString());
        for (int i = 0; i < more.length; i += 2) {
            with.put((String) more[i], more[i + 1]);
        }
        return with;
    }

    /** Kills the server and all log-ins. */
    void kill() {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
    }

    @Override
    public void close() throws Exception {
        kill();
        process.waitFor(5, TimeUnit.SECONDS);
        FolderTree.delete(folder());
    }
}
