package org.diperf.tester.machine;

/** What a kernel says of when a connection's bytes left. Confined to one thread. */
public interface Departures {

    /** Stands for: the kernel does not say. */
    long NONE = Long.MIN_VALUE;

    /** Has the kernel note when what is sent from now on leaves, or has it stop that. What it notes has to be taken. */
    void note(int descriptor, boolean notes);

    /**
     * Takes what the kernel has noted, and returns when the last byte of the last sending left for the device: ns since 1970, or
     * {@link #NONE}.
     */
    long takeLast(int descriptor);
}
