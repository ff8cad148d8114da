package org.diperf.plugins.emulated;

import org.diperf.plugins.emulated.topology.Address;

/**
 * Addresses of the network by which hosts reach the controller, beside the emulated one: a block of a range that is set aside
 * for measurements of networks (RFC 2544).
 *
 * @param block from 0 to 127: each run on a machine has another
 */
record Management(int block) {

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

    /** Names the device at the controller's end. */
    String device() {
        return "dpf-m" + block;
    }

    String controller() {
        return Address.format(first() + CONTROLLER);
    }

    /** @param host its number in the topology */
    String host(int host) {
        return Address.format(first() + CONTROLLER + 1 + host);
    }
}
