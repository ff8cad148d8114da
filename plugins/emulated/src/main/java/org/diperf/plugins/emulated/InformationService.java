package org.diperf.plugins.emulated;

import java.io.IOException;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.diperf.core.clock.WallClock;
import org.diperf.plugins.emulated.information.DirectoryServer;
import org.diperf.plugins.emulated.topology.EmulatedHost;

/** The network's information service at work, on one of its hosts. Samples each second, on a thread of its own. */
final class InformationService implements AutoCloseable {

    private final ScheduledThreadPoolExecutor clock = new ScheduledThreadPoolExecutor(
            1,
            task -> {
                Thread thread = new Thread(task, "diperf-information-sampler");
                thread.setDaemon(true);
                return thread;
            },
            // Of changes behind its end nobody wants to know.
            new ThreadPoolExecutor.DiscardPolicy());

    private final DirectoryServer server;

    private InformationService(DirectoryServer server) {
        this.server = server;
    }

    /**
     * Starts it.
     *
     * @param lab with its hosts, and packets that are carried
     */
    static InformationService start(
            NetworkDeclaration declared, DirectoryAddress where, LinkStates states, Lab lab, Carrier carrier)
            throws IOException {
        NetworkEntries entries = new NetworkEntries(declared, states, carrier.account(), WallClock.SYSTEM);
        EmulatedHost host = declared.topology().hosts().get(declared.topology().host(where.host()));
        InetAddress address = InetAddress.getByAddress(
                ByteBuffer.allocate(Integer.BYTES).putInt(host.address()).array());
        DirectoryServer server;
        try {
            server = NetworkNamespace.within(
                    lab.network(where.host()), () -> DirectoryServer.listen(address, where.port(), entries));
        } catch (IOException | RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new IOException("the information service cannot be started: " + e.getMessage(), e);
        }
        InformationService made = new InformationService(server);
        made.clock.scheduleAtFixedRate(entries::sample, 1, 1, TimeUnit.SECONDS);
        states.listen(() -> made.clock.execute(entries::changed));
        return made;
    }

    @Override
    public void close() throws IOException {
        clock.shutdownNow();
        server.close();
    }
}
