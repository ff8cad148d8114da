package org.diperf.plugins.emulated;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import org.diperf.plugins.emulated.topology.Address;
import org.diperf.plugins.emulated.topology.EmulatedHost;
import org.diperf.plugins.emulated.topology.Topology;

/**
 * Addresses by which hosts and the controller reach one another, in a network next to the emulated one or in that: a block of a range that is set aside
 * for measurements of networks (RFC 2544).
 *
 * @param block from 0 to 127: each run on a machine has another
 */
record ManagementNetwork(int block) {

    /** All blocks. */
    static final String NET = "198.18.0.0/15";

    static final int BLOCKS = 128;
    /** Of the addresses of a block. */
    static final int PREFIX_BITS = 22;

    private static final int FIRST = Address.parse("198.18.0.0");
    private static final int NET_BITS = 15;
    /** Before the addresses of hosts, the controller's. */
    private static final int CONTROLLER = 1;

    static boolean isWithin(int address) {
        return Address.isWithin(address, FIRST, NET_BITS);
    }

    private int first() {
        return FIRST + (block << 32 - PREFIX_BITS);
    }

    boolean holds(int address) {
        return Address.isWithin(address, first(), PREFIX_BITS);
    }

    /** Names the device at the controller's end, by which the block is taken. */
    String device() {
        return "dpf-m" + block;
    }

    /** Names the controller's device in the emulated network, where it is a host of that. */
    String hostDevice() {
        return "dpf-c" + block;
    }

    String controller() {
        return Address.format(first() + CONTROLLER);
    }

    /** Returns a topology whose hosts and controller reach one another in it by addresses of this block. */
    Topology within(Topology topology, int controller) {
        List<EmulatedHost> hosts = new ArrayList<>();
        for (int i = 0; i < topology.hosts().size(); i++) {
            EmulatedHost host = topology.hosts().get(i);
            hosts.add(
                    i == controller
                            ? new EmulatedHost(host.name(), host.site(), Address.parse(controller()))
                            : new EmulatedHost(
                                    host.name(), host.site(), host.address(), OptionalInt.of(Address.parse(host(i)))));
        }
        return new Topology(topology.seed(), hosts, topology.routers(), topology.links());
    }

    /** @param host its number in the topology */
    String host(int host) {
        return Address.format(first() + CONTROLLER + 1 + host);
    }
}
