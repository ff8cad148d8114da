package org.diperf.plugins.emulated.topology;

/** Where an engine has devices, and so who chooses the ways of packets. */
public enum Wiring {

    /** One of each host. The engine chooses the ways; routers are nothing but places where links meet. */
    HOSTS,

    /** At both ends of each link. Hosts and routers choose the ways; a cut link shows by nothing but lost packets. */
    LINKS,

    /** Likewise, and a link that is cut in either direction has no carrier at its ends, as with Ethernet. */
    LINKS_WITH_CARRIER;

    /** Returns the number of the device at an end of a link, where each link has two. */
    public static int device(int link, boolean isSecondEnd) {
        return 2 * link + (isSecondEnd ? 1 : 0);
    }

    public boolean isOfLinks() {
        return this != HOSTS;
    }
}
