package org.diperf.core.spi;

import java.net.URI;
import java.time.Duration;
import java.util.List;

/** What a monitor is told when it is opened. */
public interface MonitorContext {

    /** Gives the monitor's own parameters, checked and with their defaults. */
    Parameters with();

    /** Names the monitor, as the file does. */
    String name();

    /** Gives the time from one sample to the next. */
    Duration period();

    /** Lists the services under test. */
    List<URI> targets();
}
