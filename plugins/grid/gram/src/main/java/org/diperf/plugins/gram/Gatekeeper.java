package org.diperf.plugins.gram;

import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import org.diperf.plugins.lib.netty.Addresses;

/**
 * A gatekeeper as this machine sees it.
 *
 * @param addresses tried in their order
 * @param local the address of this machine from which it is reached
 */
record Gatekeeper(Contact contact, Addresses addresses, InetAddress local) {

    /**
     * Finds its addresses, and ours; sends nothing to it.
     *
     * @throws IOException when it has none, or no way leads there
     */
    static Gatekeeper of(Contact contact) throws IOException {
        Addresses addresses = contact.server().resolve();
        try (DatagramSocket socket = new DatagramSocket()) {
            socket.connect(addresses.first());
            return new Gatekeeper(contact, addresses, socket.getLocalAddress());
        }
    }

    /** Returns it as the client of a number sees it, which has a first address of its own. */
    Gatekeeper from(int client) {
        return addresses.size() == 1 ? this : new Gatekeeper(contact, addresses.from(client), local);
    }
}
