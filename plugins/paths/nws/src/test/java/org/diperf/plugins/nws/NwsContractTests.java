package org.diperf.plugins.nws;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import org.diperf.core.contract.ClientPluginContract;
import org.diperf.core.ports.FreePorts;
import org.diperf.core.spi.ClientPlugin;

class NwsContractTests extends ClientPluginContract {

    @Override
    protected ClientPlugin plugin() {
        return new NwsPlugin();
    }

    @Override
    protected URI goodTarget() throws Exception {
        return untilTheEnd(new Sensor(new InetSocketAddress(InetAddress.getLoopbackAddress(), FreePorts.take())))
                .target();
    }

    @Override
    protected URI failingTarget() {
        return URI.create("nws://127.0.0.1:" + FreePorts.take());
    }

    @Override
    protected URI silentTarget() throws Exception {
        ServerSocket silent = untilTheEnd(new ServerSocket(FreePorts.take(), 50, InetAddress.getLoopbackAddress()));
        return URI.create("nws://127.0.0.1:" + silent.getLocalPort());
    }
}
