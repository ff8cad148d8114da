package org.diperf.plugins.emulated.topology;

/**
 * A host of an emulated network.
 *
 * @param name by which the other hosts find it
 * @param site where it is said to be; empty: nowhere
 * @param address in the emulated network
 */
public record EmulatedHost(String name, String site, int address) {}
