package org.diperf.plugins.probe;

import java.net.UnknownHostException;
import java.time.Duration;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.diperf.core.clock.NanoClock;
import org.diperf.core.spi.CommandContext;
import org.diperf.core.spi.CommandPlugin;
import org.diperf.core.spi.Parameter;
import org.diperf.core.spi.Parameter.Type;
import org.diperf.core.spi.Parameters;
import org.diperf.core.spi.Quantity;

/** Probes the path to a host. */
public final class ProbeCommand implements CommandPlugin {

    private static final Pattern HOST = Pattern.compile("(?:\\[([0-9A-Fa-f:.%]+)]|([^:/\\[\\]]+))(?::([0-9]{1,5}))?");
    private static final Pattern IPV6 = Pattern.compile("[0-9A-Fa-f:.%]*:[0-9A-Fa-f:.%]*:[0-9A-Fa-f:.%]*");
    private static final int MAX_PORT = 65_535;
    /** The port of the echo service: who does not have it refuses, which takes a round trip as well. */
    private static final int ECHO_PORT = 7;

    private static final int MAX_ROUNDS = 10_000;
    private static final String PORT = "PORT";

    @Override
    public String id() {
        return "probe";
    }

    @Override
    public String summary() {
        return "probes the path to a host: round trip, delay, loss, bandwidth, and how long transfers take";
    }

    @Override
    public String help() {
        return "Probes the path from this machine to a host: round-trip time, delay and loss in each "
                + "direction, bandwidth, and the expected duration of transfers of given sizes, with an interval. "
                + "Uses whichever of these answers on the host: diperf server iperf (or iperf3 -s), diperf server "
                + "stamp, diperf "
                + "server nws. Reports what cannot be measured, and why.";
    }

    @Override
    public List<String> examples() {
        return List.of("probe 10.0.0.7", "probe 10.0.0.7:443 --bytes 1MB,1GB", "probe 10.0.0.7 --iperf 5301 --json");
    }

    @Override
    public String exitCodes() {
        return "0 something was measured; 2 bad usage; 3 the host is unknown, or nothing on it answers.";
    }

    @Override
    public List<Parameter> parameters() {
        return List.of(
                Parameter.required(
                                "host",
                                Type.STRING,
                                "The host at the other end. The round trip is measured to PORT (default: 7), where "
                                        + "a refused connection counts as an answer")
                        .in("HOST[:PORT]"),
                Parameter.withDefault("bytes", Type.TEXTS, "1MB,16MB,128MB", "Transfers to forecast, such as 1MB,1GB")
                        .in("SIZE"),
                Parameter.withDefault(
                        "rounds",
                        Type.INTEGER,
                        String.valueOf(PathRequest.USUAL_ROUNDS),
                        "Number of probes of each kind; an interval needs at least 20"),
                Parameter.withDefault(
                        "longest", Type.DURATION, "1s", "Approximate duration of the longest transfer in a round"),
                Parameter.withDefault("iperf", Type.INTEGER, "5201", "Port of an iperf server on the host")
                        .in(PORT),
                Parameter.optional(
                                "stamp",
                                Type.INTEGER,
                                "Port of a stamp reflector on the host. Default: 862, or " + "else 8620")
                        .in(PORT),
                Parameter.withDefault("nws", Type.INTEGER, "8060", "Port of an nws sensor on the host")
                        .in(PORT),
                Parameter.withDefault("json", Type.BOOLEAN, "false", "Print JSON, for scripts"));
    }

    @Override
    public List<String> arguments() {
        return List.of("host");
    }

    @Override
    public int run(CommandContext context) throws InterruptedException {
        PathRequest request = request(context.with());
        PathReport report;
        try {
            report = PathProbe.make(request, context, NanoClock.SYSTEM);
        } catch (UnknownHostException e) {
            context.tell("diperf probe: expected a host name that can be resolved, got '" + request.host()
                    + "'; check the spelling, or use its IP address");
            return NOT_CARRIED_OUT;
        }
        if (context.with().bool("json")) {
            context.print(ProbeText.values(report));
        } else {
            new ProbeText(context).lines(report).forEach(context::print);
        }
        return report.found().isEmpty() ? NOT_CARRIED_OUT : DONE;
    }

    private static PathRequest request(Parameters with) {
        String target = with.string("host");
        String host = target;
        int port = ECHO_PORT;
        if (!IPV6.matcher(target).matches()) {
            Matcher parts = HOST.matcher(target);
            if (!parts.matches()) {
                throw new IllegalArgumentException("expected HOST or HOST:PORT, got '" + target + "'");
            }
            host = parts.group(1) != null ? parts.group(1) : parts.group(2);
            port = parts.group(3) == null ? ECHO_PORT : port("host", Long.parseLong(parts.group(3)));
        }
        long rounds = with.integer("rounds");
        if (rounds < 1 || rounds > MAX_ROUNDS) {
            throw new Parameters.Unusable("rounds", "expected 1 to " + MAX_ROUNDS + ", got " + rounds);
        }
        Duration longest = with.duration("longest");
        if (longest.isZero() || longest.compareTo(Duration.ofMinutes(1)) > 0) {
            throw new Parameters.Unusable(
                    "longest", "expected more than 0s and at most 1m, got " + Quantity.format(longest));
        }
        return new PathRequest(
                host,
                port,
                TransferSizes.of(with),
                (int) rounds,
                longest,
                longest.multipliedBy(10).plusSeconds(2),
                port(with, "iperf"),
                with.has("stamp") ? List.of(port(with, "stamp")) : List.of(862, 8620),
                port(with, "nws"));
    }

    private static int port(Parameters with, String option) {
        return port(option, with.integer(option));
    }

    private static int port(String option, long given) {
        if (given < 1 || given > MAX_PORT) {
            throw new Parameters.Unusable(option, "expected a port from 1 to " + MAX_PORT + ", got " + given);
        }
        return (int) given;
    }
}
