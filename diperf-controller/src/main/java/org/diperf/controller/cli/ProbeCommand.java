package org.diperf.controller.cli;

import java.io.PrintWriter;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.diperf.controller.probe.PathProbe;
import org.diperf.controller.probe.PathReport;
import org.diperf.controller.probe.PathRequest;
import org.diperf.core.clock.NanoClock;
import org.diperf.core.spi.Quantity;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/** Probes the path to a host. */
@Command(
        name = "probe",
        description = {
            "Probes the path from here to a host: round trip, delay and loss of each way, bandwidth, and what a"
                    + " transfer of so many bytes will take, with an interval. Uses whatever answers there: diperf"
                    + " server iperf (or iperf3 -s), diperf server stamp, diperf server nws. Says what cannot be measured,"
                    + " and why.",
            ""
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  diperf probe 10.0.0.7",
            "  diperf probe 10.0.0.7:443 --bytes 1MB,1GB",
            "  diperf probe 10.0.0.7 --iperf 5301 --json",
            "",
            "Exit codes: 0 something was measured; 2 bad usage; 3 host not known, or nothing there answers.",
        })
final class ProbeCommand implements Callable<Integer> {

    private static final Pattern HOST = Pattern.compile("(?:\\[([0-9A-Fa-f:.%]+)]|([^:/\\[\\]]+))(?::([0-9]{1,5}))?");
    private static final Pattern IPV6 = Pattern.compile("[0-9A-Fa-f:.%]*:[0-9A-Fa-f:.%]*:[0-9A-Fa-f:.%]*");
    private static final int MAX_PORT = 65_535;
    /** The port of the echo service: who does not have it refuses, which takes a round trip as well. */
    private static final int ECHO_PORT = 7;

    private static final int MAX_ROUNDS = 10_000;

    @Parameters(
            paramLabel = "HOST[:PORT]",
            description = "The other end. The round trip is measured to PORT, where a refusal is an answer too."
                    + " Default: port 7.")
    String target = "";

    @Option(
            names = "--bytes",
            paramLabel = "SIZE",
            split = ",",
            description = "Transfers to forecast, such as 1MB,1GB. Default: 1MB,16MB,128MB.")
    List<String> bytes = new ArrayList<>(List.of("1MB", "16MB", "128MB"));

    @Option(
            names = "--rounds",
            paramLabel = "N",
            description = "Probes of each kind; an interval needs 20. Default: 20.")
    int rounds = PathRequest.USUAL_ROUNDS;

    @Option(
            names = "--longest",
            paramLabel = "TIME",
            description = "How long the longest transfer of a round takes, about. Default: 1s.")
    String longest = "1s";

    @Option(names = "--iperf", paramLabel = "PORT", description = "Port of an iperf server there. Default: 5201.")
    int iperf = 5201;

    @Option(
            names = "--stamp",
            paramLabel = "PORT",
            description = "Port of a stamp reflector there. Default: 862, or else 8620.")
    @Nullable
    Integer stamp;

    @Option(names = "--nws", paramLabel = "PORT", description = "Port of an nws sensor there. Default: 8060.")
    int nws = 8060;

    @Option(names = "--json", description = "Print JSON, for scripts.")
    boolean json;

    @Mixin
    PluginOptions pluginOptions;

    @Spec
    CommandSpec spec;

    @Override
    public Integer call() throws Exception {
        PathRequest request = request();
        PrintWriter out = spec.commandLine().getOut();
        PrintWriter err = spec.commandLine().getErr();
        PathReport report;
        try (PluginOptions.Loaded loaded = pluginOptions.load()) {
            report = PathProbe.make(request, loaded.plugins(), NanoClock.SYSTEM, now -> {
                err.println("probing " + request.host() + ": " + now);
                err.flush();
            });
        } catch (UnknownHostException e) {
            err.println("diperf probe: expected a host that a name service knows, got '" + request.host()
                    + "'; check the spelling, or give its address");
            return ExitCode.NOT_CARRIED_OUT;
        }
        if (json) {
            out.println(JsonMapper.builder()
                    .enable(SerializationFeature.INDENT_OUTPUT)
                    .build()
                    .writeValueAsString(ProbeText.values(report)));
        } else {
            ProbeText.lines(report).forEach(out::println);
        }
        out.flush();
        return report.found().isEmpty() ? ExitCode.NOT_CARRIED_OUT : ExitCode.DONE;
    }

    private PathRequest request() throws UsageException {
        String host = target;
        int port = ECHO_PORT;
        if (!IPV6.matcher(target).matches()) {
            Matcher parts = HOST.matcher(target);
            if (!parts.matches()) {
                throw new UsageException("probe: expected HOST or HOST:PORT, got '" + target + "'");
            }
            host = parts.group(1) != null ? parts.group(1) : parts.group(2);
            port = parts.group(3) == null ? ECHO_PORT : Integer.parseInt(parts.group(3));
        }
        List<Integer> reflectors = stamp == null ? List.of(862, 8620) : List.of(port("--stamp", stamp));
        if (rounds < 1 || rounds > MAX_ROUNDS) {
            throw new UsageException("--rounds: expected 1 to " + MAX_ROUNDS + ", got " + rounds);
        }
        Duration length;
        List<Long> sizes = new ArrayList<>();
        try {
            length = Quantity.duration(longest);
            for (String each : bytes) {
                sizes.add(Quantity.size(each));
            }
        } catch (IllegalArgumentException e) {
            throw new UsageException("probe: " + e.getMessage());
        }
        if (length.isZero() || length.compareTo(Duration.ofMinutes(1)) > 0) {
            throw new UsageException("--longest: expected more than 0s and at most 1m, got " + longest);
        }
        List<Long> growing = sizes.stream().distinct().sorted().toList();
        if (!growing.isEmpty() && growing.get(0) < 1) {
            throw new UsageException("--bytes: expected at least 1 byte, got " + bytes);
        }
        return new PathRequest(
                host,
                port("HOST:PORT", port),
                growing,
                rounds,
                length,
                length.multipliedBy(10).plusSeconds(2),
                port("--iperf", iperf),
                reflectors,
                port("--nws", nws));
    }

    private static int port(String option, int given) throws UsageException {
        if (given < 1 || given > MAX_PORT) {
            throw new UsageException(option + ": expected a port from 1 to " + MAX_PORT + ", got " + given);
        }
        return given;
    }
}
