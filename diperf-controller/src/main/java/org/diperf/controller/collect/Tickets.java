package org.diperf.controller.collect;

import java.util.List;
import org.diperf.core.security.Role;
import org.diperf.core.security.RunCredentials;
import org.diperf.core.wire.Ticket;

/** Makes the tickets by which testers and relays join a run. Each is a secret. Thread-safe. */
public final class Tickets {

    private final RunCredentials credentials;
    private final CollectorConfig config;
    private final int port;

    /** @param port at which the collector listens */
    Tickets(RunCredentials credentials, CollectorConfig config, int port) {
        this.credentials = credentials;
        this.config = config;
        this.port = port;
    }

    /**
     * Makes a tester's ticket, which leads to the collector.
     *
     * @param tester from 1 to the number of testers
     */
    public String tester(int tester) {
        return tester(tester, config.at().advertised(), port, config.datagrams());
    }

    /**
     * Makes a tester's ticket that leads to other addresses, from which somebody forwards connections to the collector, and
     * no datagrams.
     */
    public String tester(int tester, List<String> hosts, int leadsTo) {
        return tester(tester, hosts, leadsTo, false);
    }

    private String tester(int tester, List<String> hosts, int leadsTo, boolean datagrams) {
        if (tester < 1 || tester > config.testers()) {
            throw new IllegalArgumentException("Expected a tester from 1 to " + config.testers() + ", got " + tester);
        }
        return ticket(Role.TESTER, tester, hosts, leadsTo, 0, datagrams);
    }

    /**
     * Makes a relay's ticket, which leads to the collector.
     *
     * @param listenPort where it is to listen
     */
    public String relay(int number, int listenPort) {
        return relay(number, config.at().advertised(), port, listenPort);
    }

    /**
     * Makes a relay's ticket that leads to another relay.
     *
     * @param hosts of that one
     * @param listenPort where it is to listen
     */
    public String relay(int number, List<String> hosts, int leadsTo, int listenPort) {
        return ticket(Role.RELAY, number, hosts, leadsTo, listenPort, false);
    }

    /**
     * Makes the ticket of a relay to which the collector connects.
     *
     * @param host of the relay itself
     * @param listenPort where it is to listen
     */
    public String dialledRelay(int number, String host, int listenPort) {
        return ticket(Role.RELAY, number, List.of(host), listenPort, listenPort, true, false)
                .write();
    }

    /** Makes what the collector itself shows to a relay. */
    Ticket controller(int relay, String host, int leadsTo) {
        return ticket(Role.CONTROLLER, relay, List.of(host), leadsTo, 0, false, false);
    }

    private String ticket(Role role, int number, List<String> hosts, int leadsTo, int listenPort, boolean datagrams) {
        return ticket(role, number, hosts, leadsTo, listenPort, false, datagrams)
                .write();
    }

    private Ticket ticket(
            Role role,
            int number,
            List<String> hosts,
            int leadsTo,
            int listenPort,
            boolean dialled,
            boolean datagrams) {
        RunCredentials.Identity identity = credentials.issue(role, number);
        return new Ticket(
                number,
                hosts,
                leadsTo,
                credentials.authority(),
                identity.certificate(),
                identity.key(),
                credentials.token(),
                listenPort,
                dialled,
                datagrams);
    }
}
