package org.diperf.plugins.nws;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import org.diperf.core.contract.ClientPluginContract;
import org.diperf.core.ports.FreePorts;
import org.diperf.core.spi.ClientPlugin;
import org.diperf.core.spi.Url;

class NwsContractTests extends ClientPluginContract {

    @Override
    protected ClientPlugin plugin() {
        return new NwsPlugin();
    }

    @Override
    protected Url goodTarget() throws Exception {
        return untilTheEnd(new Sensor(new InetSocketAddress(InetAddress.getLoopbackAddress(), FreePorts.take())))
                .target();
    }

    @Override
    protected Url failingTarget() {
        return Url.of("nws://127.0.0.1:" + FreePorts.take());
    }

    @Override
    protected Url silentTarget() throws Exception {
        ServerSocket silent = untilTheEnd(new ServerSocket(FreePorts.take(), 50, InetAddress.getLoopbackAddress()));
        return Url.of("nws://127.0.0.1:" + silent.getLocalPort());
    }
}
