package org.diperf.controller.experiment;

import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;
import org.diperf.core.experiment.ControllerSettings;
import org.diperf.core.experiment.RelaySettings;

/** The section {@code controller}: its keys, and the settings that they give. */
final class ControllerKeys {

    private static final String MEMORY = "memory";

    private static final Key<String> LISTEN = Key.optional(
            "listen",
            Scalar.text("an address", "[A-Za-z0-9.:_-]+"),
            "address to listen on; default: 127.0.0.1 if testers run on this machine, otherwise 0.0.0.0");
    private static final Key<String> ADVERTISE = Key.optional(
            "advertise",
            Scalar.text("a host name or address", "[A-Za-z0-9.:_-]+"),
            "name or address at which testers reach the controller; default: derived from 'listen'");
    private static final Key<Quantities.Ports> PORTS =
            Key.withDefault("ports", Quantities.ports(), new Quantities.Ports(0, 0), "ports to try: A-B, or any");
    private static final Key<Duration> LEASE = Key.withDefault(
            "lease",
            Quantities.duration(true),
            Duration.ofSeconds(10),
            "how long a tester keeps making calls without contact with its controller");
    private static final Key<String> COLLECT = Key.withDefault(
            "collect",
            Scalar.oneOf(List.of("disk", MEMORY)),
            "disk",
            "where samples are stored during the run: disk, or memory if disk writes would disturb it");
    private static final Key<List<String>> RELAYS = Key.optional(
            "relays",
            new Shapes.ListOf<>("a list of relays", relay(), 1),
            "relays through which testers reach the controller, each HOST:PORT, HOST:PORT via HOST:PORT of"
                    + " an earlier one, or HOST:PORT dialled [at HOST:PORT], to which the controller"
                    + " connects; testers are spread over those that no other relay"
                    + " uses. Start each with: diperf relay --ticket RUN_DIR/control/relay-N.ticket");

    static final Fields FIELDS = Fields.of("the controller", LISTEN, ADVERTISE, PORTS, LEASE, COLLECT, RELAYS);

    private ControllerKeys() {}

    private static Scalar<String> relay() {
        return Scalar.text(
                "a relay as HOST:PORT, HOST:PORT via HOST:PORT, or HOST:PORT dialled", RelaySettings.PATTERN);
    }

    /**
     * Makes the settings, and writes out where the controller is reached.
     *
     * @param loopback whether all testers reach it at a loopback address
     * @param datagrams whether samples come as sealed datagrams
     * @param host name of this machine
     */
    static ControllerSettings settings(FormValues given, boolean loopback, boolean datagrams, Supplier<String> host) {
        String listen = given.getOr(LISTEN, loopback ? "127.0.0.1" : "0.0.0.0");
        boolean everywhere = listen.equals("0.0.0.0") || listen.equals("::");
        Quantities.Ports ports = given.get(PORTS);
        List<String> places = given.find(RELAYS);
        List<RelaySettings> relays = places == null
                ? List.of()
                : places.stream().map(RelaySettings::parse).toList();
        String problem = RelaySettings.problem(relays);
        if (!problem.isEmpty()) {
            given.problem(RELAYS, problem);
        }
        return new ControllerSettings(
                listen,
                given.getOrElse(ADVERTISE, () -> everywhere ? host.get() : listen),
                ports.first(),
                ports.last(),
                given.get(LEASE),
                given.get(COLLECT).equals(MEMORY),
                relays,
                datagrams);
    }
}
