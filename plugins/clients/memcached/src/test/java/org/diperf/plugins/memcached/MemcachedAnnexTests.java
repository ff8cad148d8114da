package org.diperf.plugins.memcached;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Map;
import org.diperf.core.contract.AnnexContract;
import org.diperf.core.spi.Annex;
import org.diperf.core.spi.Parameters;

class MemcachedAnnexTests extends AnnexContract {

    @Override
    protected List<Annex> annexes() {
        try (MemcachedServer server = new MemcachedServer(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))) {
            Parameters with =
                    Parameters.read(Operation.parameters(), Map.of("operations", List.of(Map.of("do", "get"))), 1);
            return new MemcachedPlugin().annexes(List.of(server.target()), with);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
