package org.diperf.plugins.emulated;

import java.util.List;
import org.diperf.core.spi.Parameter;
import org.diperf.core.spi.Parameter.Type;

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
    static final List<String> OF_PLACE = List.of(SERVICE, TESTERS, CONTROLLER);

    private Keys() {}

    static List<Parameter> parameters() {
        return List.of(
                Parameter.withDefault(
                                ENGINE,
                                Type.STRING,
                                Engines.AUTO,
                                "what carries the packets; auto: netem where this machine has it and it can, else tun; tun: a program of DiPerF between TUN devices; netem:"
                                        + " the kernel, where it can; virtual: the whole run in virtual time, with netem, or"
                                        + " tun where netem cannot; virtual-tun: the same with tun")
                        .oneOf(Engines.ALL.toArray(String[]::new)),
                Parameter.required(
                                HOSTS,
                                Type.TREE,
                                "hosts by name, each with count (makes NAME-1, NAME-2, ...), site (a label), address, and what its"
                                        + " programs may use together: cpu (processors), memory, disk (bytes/s); {}"
                                        + " needs none")
                        .suchAs("{ client: { count: 2, site: wan }, server: {} }"),
                Parameter.optional(
                        ROUTERS,
                        Type.TREE,
                        "nodes that only forward packets: a list of names, or by name with site (a label) and"
                                + " as (number of"
                                + " the autonomous system, with routing: bgp)"),
                Parameter.optional(
                                ROUTING,
                                Type.TREE,
                                "how routers find routes: static (default), ospf or bgp, which bird runs; or {"
                                        + " protocol, detect"
                                        + " (how a cut is seen: hello or carrier), hello, dead (of ospf), hold (of bgp) }")
                        .suchAs("{ protocol: ospf, hello: 1s, dead: 4s }"),
                Parameter.required(
                                LINKS,
                                Type.TREE,
                                "list of links: between, name, rate, latency (one way), jitter, queue (packets, or bytes"
                                        + " with a unit), loss, parallel, choose, hash-seed, and back for what differs"
                                        + " on the way back")
                        .suchAs("[ { between: [client, server], rate: 100Mbit/s, latency: 10ms } ]"),
                Parameter.optional(
                        EVENTS,
                        Type.TREE,
                        "list of changes during the load: at (after its start), link, and what changes: down (true cuts it,"
                                + " false mends it), rate, latency, jitter, queue, loss, and back for what differs on the way"
                                + " back"),
                Parameter.optional(
                        PLACE,
                        Type.TREE,
                        "what runs where: service, the host of the service under test, and testers, a host or a list;"
                                + " default: testers on all other hosts; and controller, with control: in-band"),
                Parameter.optional(
                        INFORMATION,
                        Type.TREE,
                        "a directory of the network and its state that clients query by LDAP: on, a host, and port;"
                                + " default: none; port 2135"),
                Parameter.withDefault(
                                CONTROL,
                                Type.STRING,
                                OUT_OF_BAND,
                                "how control, samples and time reach the testers; out-of-band: by a network of their own;"
                                        + " in-band: by the emulated links, from the host that place.controller names")
                        .oneOf(OUT_OF_BAND, IN_BAND));
    }
}
