package org.diperf.tester.machine;

/** What a kernel says of a connection that has something for its reader, and takes nothing from it. Confined to one thread. */
public interface SocketArrivals {

    /** Stands for: the kernel does not say. */
    long NONE = Long.MIN_VALUE;

    /**
     * Returns when the first segment came that nobody has read yet, or the last one of those that the kernel has joined
     * with it: ns since 1970, or {@link #NONE}.
     */
    long first(int descriptor);

    /**
     * Returns the same of what is there now and would be read last. Where segments overtook one another, others may have come
     * later.
     */
    long last(int descriptor);

    /**
     * Asks how much has come; says whether the kernel told. The numbers stand until the next look.
     */
    boolean look(int descriptor);

    /** Returns how many bytes have come on the connection so far that its reader has read or can read. */
    long bytes();

    /** Returns how many segments have come on it so far before others that they were sent after. */
    int outOfOrder();
}
