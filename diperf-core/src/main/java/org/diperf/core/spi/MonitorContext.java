package org.diperf.core.spi;

import java.net.URI;
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
}
