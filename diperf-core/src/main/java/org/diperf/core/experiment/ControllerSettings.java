package org.diperf.core.experiment;

import java.time.Duration;
import java.util.List;

/**
 * How testers reach the controller.
 *
 * @param listen address to listen on; the default is the loopback for testbeds on this machine
 * @param advertise host name or address by which testers reach it
 * @param firstPort lowest port to try; 0: any free one
 * @param lastPort highest port to try
 * @param lease how long a tester keeps calling without contact to its controller
 * @param collectInMemory whether samples are held in the controller's memory until the end of the run
 * @param datagrams whether samples are sent in sealed datagrams
 * @param relays between testers and controller; empty: testers connect to the controller
 */
public record ControllerSettings(
        String listen,
        String advertise,
        int firstPort,
        int lastPort,
        Duration lease,
        boolean collectInMemory,
        List<RelaySettings> relays,
        boolean datagrams) {

    public ControllerSettings {
        relays = List.copyOf(relays);
    }

    /** Makes the choice without relays. */
    public ControllerSettings(
            String listen, String advertise, int firstPort, int lastPort, Duration lease, boolean collectInMemory) {
        this(listen, advertise, firstPort, lastPort, lease, collectInMemory, List.of(), false);
    }
}
