package org.diperf.plugins.sshcopy;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.diperf.core.contract.ClientPluginContract;
import org.diperf.core.spi.ClientPlugin;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** The contract of all clients, against a real sshd. */
class ScpContractIT extends ClientPluginContract {

    private final List<AutoCloseable> open = new ArrayList<>();

    @TempDir
    Path work;

    private RealSshd sshd;

    @BeforeEach
    void startServer() throws Exception {
        sshd = RealSshd.start();
        open.add(sshd);
        Files.write(work.resolve("file"), new byte[10_000]);
    }

    @AfterEach
    void closeServers() throws Exception {
        for (AutoCloseable each : open) {
            each.close();
        }
    }

    @Override
    protected ClientPlugin plugin() {
        return new ScpPlugin();
    }

    @Override
    protected Map<String, ?> goodParameters() {
        return sshd.with();
    }

    @Override
    protected URI goodTarget() {
        return sshd.uri("scp", work.resolve("file"));
    }

    @Override
    protected URI failingTarget() {
        return sshd.uri("scp", work.resolve("none"));
    }

    @Override
    protected URI silentTarget() throws Exception {
        ServerSocket silent = new ServerSocket(0, 50, InetAddress.getByName("127.0.0.1"));
        open.add(silent);
        return URI.create("scp://127.0.0.1:" + silent.getLocalPort() + "/file");
    }
}
