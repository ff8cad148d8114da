package org.diperf.controller.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.stream.Stream;
import org.diperf.controller.experiment.ExperimentException;
import org.diperf.controller.experiment.ExperimentFile;
import org.diperf.core.plugin.Plugins;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Networks that cannot be, and the place in the file at which that is said. */
@Timeout(120)
class BadTopologyTests {

    /** The topology stands in lines 4 to 7: hosts, routers, links, place. */
    private static final String BEFORE = "target: http://server:8080/\nload: { clients: 1, run-for: 1s }\ntestbed:\n";

    private static final String HOSTS = "  hosts: { user: { count: 2, site: wan }, server: {} }";
    private static final String ROUTERS = "  routers: [ r ]";
    private static final String LINKS =
            "  links: [ { between: [user, r] }, { name: bone, between: [r, server], rate: 1Gbit/s } ]";
    private static final String PLACE = "  place: { service: server, testers: user }";

    /**
     * A bad one.
     *
     * @param place line and column
     * @param said what the message must contain
     */
    private record Bad(String name, List<String> lines, String place, List<String> said) {

        @Override
        public String toString() {
            return name;
        }
    }

    private static Bad hosts(String name, String hosts, int column, String... said) {
        return new Bad(name, List.of("  hosts: " + hosts, ROUTERS, LINKS, PLACE), "4:" + column, List.of(said));
    }

    private static Bad routers(String name, String routers, int column, String... said) {
        return new Bad(name, List.of(HOSTS, "  routers: " + routers, LINKS, PLACE), "5:" + column, List.of(said));
    }

    /** One of the second link. */
    private static Bad link(String name, String link, int column, String... said) {
        String links = "  links: [ { between: [user, r] }, { " + link + " } ]";
        return new Bad(name, List.of(HOSTS, ROUTERS, links, PLACE), "6:" + column, List.of(said));
    }

    private static Bad links(String name, String links, int column, String... said) {
        return new Bad(name, List.of(HOSTS, ROUTERS, "  links: " + links, PLACE), "6:" + column, List.of(said));
    }

    private static Bad place(String name, String place, int column, String... said) {
        return new Bad(name, List.of(HOSTS, ROUTERS, LINKS, "  place: " + place), "7:" + column, List.of(said));
    }

    private static Bad event(String name, String event, int column, String... said) {
        return new Bad(
                name,
                List.of(HOSTS, ROUTERS, LINKS, "  events: [ { " + event + " } ]", PLACE),
                "7:" + column,
                List.of(said));
    }

    private static Bad controller(String name, String place, String at, String... said) {
        return new Bad(
                name,
                List.of(HOSTS, ROUTERS, LINKS, "  place: { " + place + " }", "  control: in-band"),
                at,
                List.of(said));
    }

    /** Hosts stand in line 4, routers in 5, links in 6, routing in 7. */
    private static Bad routed(String name, String routers, String links, String routing, String at, String... said) {
        return new Bad(
                name,
                List.of(HOSTS, "  routers: " + routers, "  links: [ " + links + " ]", "  routing: " + routing, PLACE),
                at,
                List.of(said));
    }

    private static Bad routing(String name, String routing, int column, String... said) {
        String links = "{ between: [user, r] }, { between: [r, server] }";
        return routed(name, "[ r ]", links, routing, "7:" + column, said);
    }

    static Stream<Bad> badRouting() {
        String star = "{ between: [user, r] }, { between: [r, server] }";
        String far = "{ between: [user, r] }, { between: [r, s] }, { between: [s, t] }, { between: [t, server] }";
        return Stream.of(
                routing("an unknown protocol", "osfp", 12, "one of [static, ospf, bgp]", "Did you mean 'ospf'"),
                routing("no protocol", "{ hello: 1s }", 12, "protocol: is missing"),
                routing("an unknown key", "{ protocol: ospf, helo: 1s }", 30, "Did you mean 'hello'"),
                routing("a hello of half a second", "{ protocol: ospf, hello: 500ms }", 37, "whole seconds from 1s"),
                routing("dead before a hello", "{ protocol: ospf, hello: 5s, dead: 5s }", 47, "from 6s"),
                routing("a hold of OSPF", "{ protocol: ospf, hold: 9s }", 36, "'hold' applies only to bgp"),
                routing("a hold that BGP forbids", "{ protocol: bgp, hold: 2s }", 35, "from 3s"),
                routing(
                        "hellos of static ways",
                        "{ protocol: static, hello: 1s }",
                        39,
                        "'hello' applies only to ospf and bgp"),
                routing("an unknown sign of a cut", "{ protocol: ospf, detect: magic }", 38, "[hello, carrier]"),
                routed(
                        "no routers",
                        "[]",
                        "{ between: [user, server] }",
                        "ospf",
                        "6:23",
                        "expected a router at one end"),
                routed(
                        "a host with two links",
                        "[ r ]",
                        star + ", { between: [server, r], name: x }",
                        "ospf",
                        "6:73",
                        "expected only one link for each host",
                        "'server'"),
                routed("systems of OSPF", "{ r: { as: 1 } }", star, "ospf", "5:23", "'as' requires routing: bgp"),
                routed("a system 0", "{ r: { as: 0 } }", star, "bgp", "5:23", "from 1 to 4294967294", "'0'"),
                routed("an unknown key of a router", "{ r: { is: 1 } }", star, "bgp", "5:19", "[site, as]"),
                routed(
                        "a system in two pieces",
                        "{ r: { as: 7 }, s: { as: 8 }, t: { as: 7 } }",
                        far,
                        "bgp",
                        "5:12",
                        "connected to each other",
                        "from 'r' to 't' within system 7"),
                routed(
                        "a site in two pieces",
                        "{ r: { site: a }, s: {}, t: { site: a } }",
                        far,
                        "bgp",
                        "5:12",
                        "within their site"),
                new Bad(
                        "an address of routers",
                        List.of(
                                "  hosts: { user: { count: 2 }, server: { address: 100.80.0.1 } }",
                                ROUTERS,
                                LINKS,
                                "  routing: ospf",
                                PLACE),
                        "4:51",
                        List.of("100.64.0.0/10")),
                new Bad(
                        "routing by netem",
                        List.of(HOSTS, ROUTERS, LINKS, "  routing: ospf", PLACE, "  engine: netem"),
                        "9:11",
                        List.of("netem supports only static routing (testbed.routing)")));
    }

    static Stream<Bad> bad() {
        String between = "between: [r, server], ";
        return Stream.of(
                hosts("no hosts", "{}", 10, "hosts: expected list or mapping of names", "nothing"),
                hosts("hosts as a text", "user", 10, "hosts", "expected list or mapping of names", "'user'"),
                hosts("a host's unknown key", "{ user: { cuont: 2 } }", 20, "'cuont'", "Did you mean 'count'"),
                hosts("a count of none", "{ user: { count: 0 } }", 27, "from 1 to 1000", "'0'"),
                hosts("a name that cannot be", "{ User_1: {} }", 20, "lower-case letters", "'User_1'"),
                hosts("a host named localhost", "{ localhost: {} }", 23, "expected a name", "'localhost'"),
                hosts("no processors", "{ user: { cpu: 0 } }", 25, "at least 0.01 processors", "'0'"),
                hosts("processors in percent", "{ user: { cpu: 50% } }", 25, "at least 0.01 processors", "'50%'"),
                hosts("memory for nothing", "{ user: { memory: 1MiB } }", 28, "of at least 4MiB", "'1MiB'"),
                hosts("a disk without a time", "{ user: { disk: 20MB } }", 26, "20MB/s", "'20MB'"),
                hosts("a disk of no rate", "{ user: { disk: 0MB/s } }", 26, "20MB/s", "'0MB/s'"),
                hosts(
                        "a site that is none",
                        "{ user: { site: 'a b' } }",
                        26,
                        "expected a site name of letters, digits, dots",
                        "'a b'"),
                hosts("an address that is none", "{ user: { address: 10.99.1 } }", 29, "10.99.0.1", "'10.99.1'"),
                hosts("an address of this host itself", "{ user: { address: 127.0.0.1 } }", 29, "127.0.0.0/8"),
                hosts("an address of the management", "{ user: { address: 198.18.0.1 } }", 29, "198.18.0.0/15"),
                hosts(
                        "a doubled address",
                        "{ user: { address: 10.0.0.1 }, server: { address: 10.0.0.1 } }",
                        60,
                        "expected unique host addresses",
                        "10.0.0.1 for 'user' and 'server'"),
                hosts(
                        "addresses that meet",
                        "{ user: { count: 3, address: 10.0.0.1 }, server: { address: 10.0.0.3 } }",
                        70,
                        "10.0.0.3 for 'user-3' and 'server'"),
                hosts(
                        "a doubled name",
                        "{ user: { count: 2 }, user-1: {}, server: {} }",
                        40,
                        "a unique name for each host or router",
                        "'user-1'"),
                routers("routers as a text", "r", 12, "list or mapping of names such as [ r ]", "'r'"),
                routers("a router twice", "[ r, r ]", 17, "unique names", "'r' twice"),
                routers(
                        "a router with a host's name",
                        "[ r, server ]",
                        17,
                        "a unique name for each host or router",
                        "'server' twice"),
                routers("a router without a link", "[ r, s ]", 12, "expected a link to each router", "'s'"),
                links("links as a mapping", "{ between: [user, r] }", 10, "list of mappings such as"),
                links(
                        "no way",
                        "[ { between: [user, r] } ]",
                        10,
                        "expected a route between all hosts",
                        "'user-1' to 'server'"),
                links(
                        "ways through a host alone",
                        "[ { between: [user, server] } ]",
                        10,
                        "only routers forward packets"),
                links(
                        "two links by one name",
                        "[ { between: [user, r] }, { name: a, between: [r, server] }, { name: a, between: [r, server] } ]",
                        71,
                        "unique link names",
                        "'a'"),
                links(
                        "two links between the same nodes",
                        "[ { between: [user, r] }, { between: [r, server] }, { between: [r, server] } ]",
                        62,
                        "'r-server'",
                        "parallel"),
                link("a link without ends", "rate: 1Gbit/s", 36, "between: [client, server]"),
                link("a link with three ends", "between: [r, server, user]", 47, "expected two nodes", "3"),
                link("a link to itself", "between: [r, r]", 51, "two different nodes", "'r' twice"),
                link("an end that is not there", "between: [r, sever]", 51, "'sever'", "Did you mean 'server'"),
                link("a link's unknown key", between + "latencey: 3ms", 60, "'latencey'", "Did you mean 'latency'"),
                link("a rate of zero", between + "rate: 0Mbit/s", 66, "expected a rate above zero", "'0Mbit/s'"),
                link("a rate without a unit", between + "rate: 100", 66, "expected a rate", "'100'"),
                link("a rate in bytes", between + "rate: 100MB/s", 66, "expected a rate", "'100MB/s'"),
                link("a latency without a unit", between + "latency: 10", 69, "duration", "'10'"),
                link("a latency of hours", between + "latency: 2h", 69, "at most 10m", "'2h'"),
                link("jitter above the latency", between + "latency: 1ms, jitter: 2ms", 82, "at most the latency"),
                link("a queue below one packet", between + "queue: 0", 67, "room for at least one packet", "'0'"),
                link("a queue of few bytes", between + "queue: 1000B", 67, "1500 bytes", "'1000B'"),
                link("a loss of everything", between + "loss: 100%", 66, "below 1", "'100%'"),
                link("a loss without a rate", between + "loss: { burst: 5 }", 66, "rate: 0.5%"),
                link("a burst of none", between + "loss: { rate: 1%, burst: 0 }", 85, "from 1 to 1000000", "'0'"),
                link("a loss on a link that is not there", between + "loss: { rate: 1%, on: [1] }", 83, "from 0 to 0"),
                link("no parallel links", between + "parallel: 0", 70, "from 1 to 64", "'0'"),
                link("a choice that is none", between + "choose: random", 68, "flow-hash", "'random'"),
                link("a way back with a name", between + "back: { name: x }", 68, "'name'"),
                event(
                        "a change of a link that is not there",
                        "at: 1s, link: bonne, down: true",
                        29,
                        "'bonne'",
                        "'bone'"),
                event("a change at a negative time", "at: -1s, link: bone, down: true", 19, "a duration", "'-1s'"),
                event("a change at no time", "link: bone, down: true", 13, "at: is missing", "at: 20s"),
                event("a change of no link", "at: 1s, down: true", 13, "link: is missing", "link: bone"),
                event("a change of nothing", "at: 1s, link: bone", 13, "expected a setting to change", "got nothing"),
                event("a change's unknown key", "at: 1s, link: bone, up: true", 35, "'up'", "down"),
                event("a cut that is no yes or no", "at: 1s, link: bone, down: maybe", 41, "true or false", "'maybe'"),
                event("a change to no rate", "at: 1s, link: bone, rate: 0kbit/s", 41, "above zero", "'0kbit/s'"),
                event(
                        "a change of jitter above the latency",
                        "at: 1s, link: bone, jitter: 1ms",
                        43,
                        "at most the latency"),
                event("a change back of the ends", "at: 1s, link: bone, back: { at: 1s }", 43, "'at'"),
                place(
                        "a place for what does not run",
                        "{ monitor: server }",
                        12,
                        "[service, testers, controller]",
                        "'monitor'"),
                place("a controller out of band", "{ controller: user-1 }", 24, "control: in-band", "got none"),
                controller("a controller that is nowhere", "testers: user", "8:12", "place: { controller: head }"),
                controller("a controller on many hosts", "controller: user", "7:24", "expected one host", "user-2"),
                controller(
                        "a controller with the service",
                        "service: server, controller: server",
                        "7:41",
                        "without a service"),
                controller("a controller with testers", "testers: user, controller: user-1", "7:39", "without testers"),
                place("a service on a router", "{ service: r }", 21, "expected a host", "'r'"),
                place("a service on many hosts", "{ service: user }", 21, "expected one host", "user-2"),
                place("testers on a host that is not there", "{ testers: [user, usr] }", 28, "'usr'", "'user'"),
                place("testers twice on a host", "{ testers: [user, user-1] }", 28, "each host once", "'user-1'"));
    }

    @ParameterizedTest
    @MethodSource({"bad", "badRouting"})
    void isRefusedAtItsPlace(Bad bad) {
        String yaml = BEFORE + String.join("\n", bad.lines()) + "\n  kind: emulated\n";
        assertThatThrownBy(() -> parse(yaml))
                .isInstanceOf(ExperimentException.class)
                .hasMessageStartingWith("bad.yml:" + bad.place() + ": ")
                .hasMessageContaining("testbed.")
                .satisfies(e -> assertThat(e.getMessage()).contains(bad.said()));
    }

    private static ExperimentFile.Resolved parse(String yaml) throws Exception {
        try (Plugins plugins = Plugins.bundled()) {
            return ExperimentFile.parse(yaml, "bad.yml", List.of(), plugins);
        }
    }

    @Test
    void theServiceRunsWhereTheTestbedSays() throws Exception {
        String yaml = BEFORE + String.join("\n", HOSTS, ROUTERS, LINKS, PLACE) + "\n  kind: emulated\n";
        String service = "service: { start: ./server }\n";
        ExperimentFile.Resolved read = parse(yaml + service);
        assertThat(read.experiment().service()).isNotNull();
        assertThat(read.yaml()).contains("\"on\": server");
        // Running the file that a run leaves repeats the run.
        assertThat(parse(read.yaml()).experiment()).isEqualTo(read.experiment());

        String without = yaml.replace(PLACE + "\n", "");
        assertThatThrownBy(() -> parse(without + service))
                .isInstanceOf(ExperimentException.class)
                .hasMessageContaining("service.on: expected a machine in the testbed")
                .hasMessageStartingWith("bad.yml:8:");
    }

    @Test
    void whoSpinsInVirtualTimeIsToldNotTo() throws Exception {
        String virtual = BEFORE
                + String.join("\n", List.of("  kind: emulated", "  engine: virtual", HOSTS, ROUTERS, LINKS, PLACE));
        assertThat(parse(virtual).experiment().testbed().loops().spinNanos()).isZero();
        assertThatThrownBy(() -> parse(virtual + "\n  spin: 60us"))
                .isInstanceOf(ExperimentException.class)
                .hasMessageContaining(
                        "testbed.spin: expected 0s, because testers on this testbed must not spin, got 60us")
                .hasMessageStartingWith("bad.yml:10:");
    }
}
