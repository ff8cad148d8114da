package org.diperf.core.clock;

/** Where an exchange of stamps comes from. */
public enum Source {
    /** Stamps on frames between controller and tester: they cost nothing, and scatter. */
    FRAME,
    /** A datagram to the time server. */
    UDP,
    /** A probe of the time server over TCP, where datagrams do not get through. */
    TCP;

    /** Returns whether the exchange is a probe, made for its stamps alone. */
    public boolean isProbe() {
        return this != FRAME;
    }
}
