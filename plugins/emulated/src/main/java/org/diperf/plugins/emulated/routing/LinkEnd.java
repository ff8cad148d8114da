package org.diperf.plugins.emulated.routing;

import org.diperf.plugins.emulated.topology.Address;
import org.diperf.plugins.emulated.topology.Link;
import org.diperf.plugins.emulated.topology.Topology;

/**
 * An end of a link, which is a device of the host or router there.
 *
 * @param link its number in the topology
 * @param isSecond whether it is the second end
 */
record LinkEnd(int link, boolean isSecond) {

    private static final int FIRST_ADDRESS = Address.parse("100.80.0.0");

    LinkEnd other() {
        return new LinkEnd(link, !isSecond);
    }

    String node(Topology topology) {
        Link of = topology.links().get(link);
        return isSecond ? of.to() : of.from();
    }

    /** Names the device. */
    String device() {
        return "l" + link + (isSecond ? "b" : "a");
    }

    /** Returns the address of a router there, if there is a router at the other end too. */
    String address() {
        return Address.format(FIRST_ADDRESS + 2 * link + (isSecond ? 1 : 0));
    }
}
