package org.diperf.controller.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** TCP connections on emulated hosts: their windows over time. */
@Timeout(value = 4, unit = TimeUnit.MINUTES)
class EmulatedConnectionsIT {

    private static final Pattern WINDOW = Pattern.compile("cwnd:([0-9]+)");

    @TempDir
    Path work;

    private static List<Double> column(Path run, String name) throws Exception {
        List<String> lines = Files.readAllLines(run.resolve("series.csv"));
        int at = List.of(lines.get(0).split(",")).indexOf(name);
        assertThat(at).as(name + " in " + lines.get(0)).isNotNegative();
        List<Double> values = new ArrayList<>();
        for (String line : lines.subList(1, lines.size())) {
            String[] cells = line.split(",", -1);
            if (!cells[at].isEmpty()) {
                values.add(Double.valueOf(cells[at]));
            }
        }
        return values;
    }

    @Test
    void windowsOfATransferOverALossyLinkRiseAndAreCut() throws Exception {
        EmulatedExperiment far = new EmulatedExperiment(work);
        far.write(12_500_000, "{ clients: 1, run-for: 25s, timeout: 60s }", """
                testers: 1
                hosts: { client: {}, server: {} }
                links:
                  - { name: bone, between: [client, server], rate: 100Mbit/s, latency: 15ms, back: { loss: 0.03% } }
                place: { service: server, testers: client }
                """);
        far.replace("  testers: 2\n", "");
        far.replace("load:", "monitors: [ { kind: connections, on: server } ]\nreport: { quantum: 100ms }\nload:");
        List<Integer> shown = new ArrayList<>();
        try (Command diperf = far.run()) {
            far.awaitStart();
            // What ss(8) says of the same host meanwhile.
            long host = serverProcess(diperf);
            while (diperf.process().isAlive()) {
                try (Command ss = Command.start(
                        work,
                        List.of(
                                "nsenter",
                                "--target",
                                Long.toString(host),
                                "--net",
                                "ss",
                                "-tinH",
                                "state",
                                "established"))) {
                    ss.exitCode();
                    Matcher window = WINDOW.matcher(ss.output());
                    while (window.find()) {
                        shown.add(Integer.valueOf(window.group(1)));
                    }
                }
                TimeUnit.MILLISECONDS.sleep(50);
            }
            assertThat(diperf.exitCode()).as(diperf.output()).isZero();
        }
        JsonNode seen = far.summary().get("server").get("server");
        double largest = seen.get("1.cwnd").get("max").asDouble();
        assertThat(seen.get("1.retransmits").get("max").asDouble())
                .as("lost and sent again")
                .isPositive();
        assertThat(seen.get("1.rtt").get("min").asDouble()).isGreaterThanOrEqualTo(30.0);
        List<Double> windows = column(far.folder(), "server.1.cwnd_segments");
        int cuts = 0;
        int rises = 0;
        for (int i = 2; i < windows.size(); i++) {
            cuts += windows.get(i) < 0.8 * windows.get(i - 2) ? 1 : 0;
            rises += windows.get(i) > windows.get(i - 1) ? 1 : 0;
        }
        assertThat(cuts).as("cut by 30 % or more, of " + windows).isPositive();
        assertThat(rises).as("rises, of " + windows).isGreaterThan(windows.size() / 10);
        assertThat(shown).as("windows by ss").hasSizeGreaterThan(20);
        int largestShown = shown.stream().mapToInt(each -> each).max().orElseThrow();
        // ss looks once in a while, the monitor three times a round trip.
        assertThat(largest).isGreaterThanOrEqualTo(largestShown);
        assertThat(shown.stream().mapToInt(each -> each).average().orElseThrow())
                .isCloseTo(seen.get("1.cwnd").get("mean").asDouble(), within(0.35 * largest));
        assertThat(Files.exists(far.folder().resolve("figures/connections-server.svg")))
                .isTrue();
    }

    /** Finds the service, which is on the host. */
    private static long serverProcess(Command diperf) throws Exception {
        List<Long> found = new ArrayList<>();
        SlurmCluster.await("the service", () -> {
            diperf.process()
                    .descendants()
                    .filter(each -> each.info().commandLine().orElse("").contains(PageService.class.getName())
                            && !each.info().command().orElse("").contains("nsenter"))
                    .forEach(each -> found.add(each.pid()));
            return !found.isEmpty();
        });
        return found.get(found.size() - 1);
    }
}
