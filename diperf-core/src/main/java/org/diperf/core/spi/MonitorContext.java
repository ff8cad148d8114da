package org.diperf.core.spi;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;

/** What a monitor knows when it is opened. */
public interface MonitorContext {

    /** Returns the monitor's own parameters, checked and with their defaults. */
    Parameters with();

    /** Returns the monitor's name in the experiment file. */
    String name();

    /** Returns the time between two samples. */
    Duration period();

    /** Returns the services under test. */
    List<Url> targets();

    /**
     * Runs an action in the network of a machine of the testbed: sockets that it makes are there, and stay there. On the calling
     * thread, which is in its own network before and after.
     *
     * @param host its name in the experiment file
     * @throws IllegalArgumentException if the testbed has no such machine, or its machines have no networks of their own here
     * @throws Exception what the action throws
     */
    default <T> T within(String host, Callable<T> action) throws Exception {
        throw new IllegalArgumentException("expected a host with its own network on this machine, got '" + host + "'");
    }
}
