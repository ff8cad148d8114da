package org.diperf.plugins.emulated.topology;

import java.util.OptionalInt;

/**
 * A host of an emulated network.
 *
 * @param name by which the other hosts find it
 * @param site where it is said to be; empty: nowhere
 * @param address in the emulated network
 * @param control another address there, by which the controller knows it; empty: it has none
 */
public record EmulatedHost(String name, String site, int address, OptionalInt control) {

    /** Makes a host with one address. */
    public EmulatedHost(String name, String site, int address) {
        this(name, site, address, OptionalInt.empty());
    }
}
