package org.diperf.plugins.stamp;

import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Map;
import org.diperf.core.clock.NanoClock;
import org.diperf.core.clock.WallClock;
import org.diperf.core.contract.ClientPluginContract;
import org.diperf.core.ports.FreePorts;
import org.diperf.core.spi.ClientPlugin;
import org.diperf.core.spi.Url;

class StampContractTests extends ClientPluginContract {

    @Override
    protected ClientPlugin plugin() {
        return new StampPlugin();
    }

    @Override
    protected Url goodTarget() throws Exception {
        return untilTheEnd(new Reflector(
                        new InetSocketAddress(InetAddress.getLoopbackAddress(), FreePorts.take()),
                        NanoClock.SYSTEM,
                        WallClock.SYSTEM))
                .target();
    }

    @Override
    protected Map<String, ?> goodParameters() {
        return Map.of("count", 3, "interval", "1ms");
    }

    @Override
    protected Url failingTarget() {
        return Url.of("stamp://127.0.0.1:" + FreePorts.take());
    }

    @Override
    protected Map<String, ?> failingParameters() {
        return Map.of("count", 3, "interval", "1ms", "wait", "100ms");
    }

    @Override
    protected Url silentTarget() throws Exception {
        DatagramSocket silent = untilTheEnd(new DatagramSocket(FreePorts.take(), InetAddress.getLoopbackAddress()));
        return Url.of("stamp://127.0.0.1:" + silent.getLocalPort());
    }

    @Override
    protected Map<String, ?> silentParameters() {
        return Map.of("count", 3, "interval", "1ms", "wait", "3s");
    }
}
