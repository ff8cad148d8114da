package org.diperf.plugins.iperf;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.Map;
import org.diperf.core.clock.NanoClock;
import org.diperf.core.contract.ClientPluginContract;
import org.diperf.core.ports.FreePorts;
import org.diperf.core.spi.ClientPlugin;
import org.diperf.core.spi.Url;

class IperfContractTests extends ClientPluginContract {

    @Override
    protected ClientPlugin plugin() {
        return new IperfPlugin();
    }

    @Override
    protected Url goodTarget() throws IOException {
        return untilTheEnd(new IperfServer(
                        new InetSocketAddress(InetAddress.getLoopbackAddress(), FreePorts.take()), NanoClock.SYSTEM))
                .target();
    }

    @Override
    protected Map<String, ?> goodParameters() {
        return Map.of("bytes", "64KiB");
    }

    @Override
    protected Url failingTarget() {
        return Url.of("iperf://127.0.0.1:" + FreePorts.take());
    }

    @Override
    protected Map<String, ?> failingParameters() {
        return goodParameters();
    }

    @Override
    protected Url silentTarget() throws IOException {
        ServerSocket silent = untilTheEnd(new ServerSocket(FreePorts.take(), 50, InetAddress.getLoopbackAddress()));
        return Url.of("iperf://127.0.0.1:" + silent.getLocalPort());
    }

    @Override
    protected Map<String, ?> silentParameters() {
        return goodParameters();
    }
}
