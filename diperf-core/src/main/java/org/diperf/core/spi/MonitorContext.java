package org.diperf.core.spi;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** What a monitor knows when it is opened. */
public interface MonitorContext {

    /** Returns the monitor's own parameters, checked and with their defaults. */
    Parameters with();

    /** Returns the monitor's name in the experiment file. */
    String name();

    /** Returns the time between two samples. */
    Duration period();

    /** Returns the services under test. */
    List<URI> targets();

    /**
     * Returns the network namespace of a machine of the testbed, as a file of this machine that setns(2) takes.
     *
     * @param host its name in the experiment file
     * @throws IllegalArgumentException if the testbed has no such machine, or its machines have no networks of their own here
     */
    default Path networkOf(String host) {
        throw new IllegalArgumentException(
                "wanted a host with a network of its own on this machine, found '" + host + "'");
    }
}
