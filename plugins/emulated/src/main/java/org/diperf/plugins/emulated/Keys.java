package org.diperf.plugins.emulated;

import java.util.ArrayList;
import java.util.List;
import org.diperf.core.spi.Parameter;
import org.diperf.core.spi.Parameter.Type;
import org.diperf.plugins.emulated.topology.Address;

/** The keys of the testbed. */
final class Keys {

    static final String ENGINE = "engine";
    static final String HOSTS = "hosts";
    static final String ROUTERS = "routers";
    static final String LINKS = "links";
    static final String ROUTING = "routing";
    static final String EVENTS = "events";
    static final String PLACE = "place";
    static final String INFORMATION = "information";
    static final String CONTROL = "control";
    static final String IN_BAND = "in-band";
    private static final String OUT_OF_BAND = "out-of-band";
    static final String SERVICE = "service";
    static final String TESTERS = "testers";
    static final String CONTROLLER = "controller";
    static final String SITE = "site";
    static final String COUNT = "count";
    static final String ADDRESS = "address";
    static final String SYSTEM = "as";
    static final String ON = "on";
    static final String PORT = "port";

    /** The management network has so many addresses to give. */
    static final int MAX_HOSTS = 1_000;

    private static final long MAX_SYSTEM = 4_294_967_294L;
    private static final Parameter SITE_KEY = Parameter.optional(SITE, Type.STRING, "its label 'site'")
            .parsedBy(text -> checked(
                    text,
                    text.matches("[A-Za-z0-9][A-Za-z0-9._-]{0,99}"),
                    "a site name of letters, digits, dots, hyphens and underscores",
                    text));

    static final List<Parameter> ALL = List.of(
            Parameter.withDefault(
                            ENGINE,
                            Type.STRING,
                            Engines.AUTO,
                            "engine that forwards the packets; auto: netem if available and sufficient, otherwise "
                                    + "tun; tun: a DiPerF program between TUN devices; netem: the kernel; virtual: "
                                    + "the whole run in virtual time, with netem if sufficient, otherwise tun; "
                                    + "virtual-tun: the whole run in virtual time, with tun")
                    .oneOf(Engines.ALL.toArray(String[]::new)),
            Parameter.required(HOSTS, Type.NAMED, "hosts by name; {} is enough")
                    .of(host())
                    .suchAs("{ client: { count: 2, site: wan }, server: {} }"),
            Parameter.optional(ROUTERS, Type.NAMED, "nodes that only forward packets")
                    .of(
                            SITE_KEY,
                            Parameter.optional(
                                            SYSTEM,
                                            Type.INTEGER,
                                            "number of its autonomous system, with routing: bgp; default: one for "
                                                    + "each site, and one for each router without a site")
                                    .within(1, MAX_SYSTEM))
                    .suchAs("[ r ]"),
            RoutingKeys.KEY,
            Parameter.required(LINKS, Type.MAPPINGS, "links, each between two nodes")
                    .of(LinkKeys.ALL)
                    .suchAs("[ { between: [client, server], rate: 100Mbit/s, latency: 10ms } ]"),
            Parameter.optional(EVENTS, Type.MAPPINGS, "link changes during the load")
                    .of(EventReader.ALL)
                    .suchAs("[ { at: 20s, link: client-server, down: true } ]"),
            Parameter.optional(PLACE, Type.MAPPING, "what runs where")
                    .of(
                            Parameter.optional(SERVICE, Type.STRING, "host of the service under test"),
                            Parameter.optional(TESTERS, Type.TEXTS, "hosts for testers; default: all other hosts"),
                            Parameter.optional(
                                    CONTROLLER, Type.STRING, "host of the controller, with control: in-band"))
                    .suchAs("{ service: server, testers: client }"),
            Parameter.optional(
                            INFORMATION,
                            Type.MAPPING,
                            "a directory of the network and its state, for clients to query over LDAP; default: none")
                    .of(
                            Parameter.required(ON, Type.STRING, "host of the information service"),
                            Parameter.withDefault(PORT, Type.INTEGER, "2135", "its TCP port")
                                    .within(1, 65_535))
                    .suchAs("{ on: server, port: 2135 }"),
            Parameter.withDefault(
                            CONTROL,
                            Type.STRING,
                            OUT_OF_BAND,
                            "how testers exchange control messages, samples and time with the controller; "
                                    + "out-of-band: over a separate network; in-band: over the emulated links, "
                                    + "from the host in place.controller")
                    .oneOf(OUT_OF_BAND, IN_BAND));

    private Keys() {}

    private static Parameter[] host() {
        List<Parameter> keys = new ArrayList<>(List.of(
                Parameter.optional(
                                COUNT,
                                Type.INTEGER,
                                "number of hosts to create: NAME-1, NAME-2 and so on; default: one host, NAME")
                        .within(1, MAX_HOSTS),
                SITE_KEY,
                Parameter.optional(
                                ADDRESS,
                                Type.STRING,
                                "address of the first host; default: a free address in " + "10.99.0.0/16")
                        .parsedBy(Address::parse)));
        keys.addAll(LimitKeys.ALL);
        return keys.toArray(Parameter[]::new);
    }

    /** Returns a value that can be; refuses another. */
    static <T> T checked(T value, boolean can, String expected, String text) {
        if (!can) {
            throw new IllegalArgumentException("expected " + expected + ", got '" + text + "'");
        }
        return value;
    }
}
