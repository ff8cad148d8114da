package org.diperf.plugins.sshcopy;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.diperf.core.contract.ClientPluginContract;
import org.diperf.core.spi.ClientPlugin;
import org.diperf.core.spi.Url;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** The contract of all clients, against a real sshd. */
abstract class CopyContract extends ClientPluginContract {

    private final CopyPlugin plugin;

    @TempDir
    Path work;

    private RealSshd sshd;

    CopyContract(CopyPlugin plugin) {
        this.plugin = plugin;
    }

    @BeforeEach
    void startServer() throws Exception {
        sshd = untilTheEnd(RealSshd.start());
        Files.write(work.resolve("file"), new byte[10_000]);
    }

    @Override
    protected ClientPlugin plugin() {
        return plugin;
    }

    @Override
    protected Map<String, ?> goodParameters() {
        // The contract reaches the server by a relay too, whose port is not in known-hosts.
        return sshd.with("host-keys", "accept-new");
    }

    @Override
    protected Url goodTarget() {
        return sshd.uri(plugin.id(), work.resolve("file"));
    }

    @Override
    protected Url failingTarget() {
        return sshd.uri(plugin.id(), work.resolve("none"));
    }

    @Override
    protected Url silentTarget() throws Exception {
        ServerSocket silent = untilTheEnd(new ServerSocket(0, 50, InetAddress.getByName("127.0.0.1")));
        return Url.of(plugin.id() + "://127.0.0.1:" + silent.getLocalPort() + "/file");
    }
}
