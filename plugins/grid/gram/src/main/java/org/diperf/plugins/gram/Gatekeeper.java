package org.diperf.plugins.gram;

import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;

/**
 * A gatekeeper as this machine sees it.
 *
 * @param addresses tried in their order
 * @param local the address of this machine from which it is reached
 */
record Gatekeeper(Contact contact, List<InetSocketAddress> addresses, InetAddress local) {

    Gatekeeper {
        addresses = List.copyOf(addresses);
    }

    /**
     * Finds its addresses, and ours; sends nothing to it.
     *
     * @throws IOException when it has none, or no way leads there
     */
    static Gatekeeper of(Contact contact) throws IOException {
        InetSocketAddress[] addresses = contact.resolve();
        try (DatagramSocket socket = new DatagramSocket()) {
            socket.connect(addresses[0]);
            return new Gatekeeper(contact, List.of(addresses), socket.getLocalAddress());
        }
    }
}
