package org.diperf.plugins.gram;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.Map;
import org.diperf.core.contract.ClientPluginContract;
import org.diperf.core.spi.ClientPlugin;
import org.diperf.core.spi.Url;
import org.diperf.plugins.lib.gsi.GsiWorld;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;

class GramContractTests extends ClientPluginContract {

    @TempDir
    static Path home;

    private static GsiWorld world;

    @BeforeAll
    static void makeWorld() throws Exception {
        world = GsiWorld.make(home);
    }

    @Override
    protected ClientPlugin plugin() {
        return new GramPlugin();
    }

    @Override
    protected Map<String, ?> goodParameters() {
        // The first handshake of a cold JVM next to others takes seconds.
        return world.with("step-timeout", "60s");
    }

    @Override
    protected Url goodTarget() throws Exception {
        return untilTheEnd(GramStandIn.start(world.credentials("proxy.pem"))).target();
    }

    @Override
    protected Url failingTarget() throws Exception {
        GramStandIn closed = GramStandIn.start(world.credentials("proxy.pem"));
        closed.close();
        return closed.target();
    }

    @Override
    protected Url silentTarget() throws IOException {
        ServerSocket silent = untilTheEnd(new ServerSocket(0, 50, InetAddress.getLoopbackAddress()));
        return Url.of("gram://127.0.0.1:" + silent.getLocalPort() + "/jobmanager");
    }
}
