package org.diperf.controller.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetSocketAddress;
import org.diperf.core.plugin.Plugins;
import org.diperf.core.ports.FreePorts;
import org.diperf.core.spi.StandIn;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Probes of this machine, by servers that run in this process. */
@Timeout(120)
class ProbeCommandTests {

    private static StandIn server(String id) throws IOException {
        return Plugins.bundled()
                .clients()
                .plugin(id)
                .orElseThrow()
                .server(new InetSocketAddress("127.0.0.1", FreePorts.take()))
                .orElseThrow();
    }

    private static String port(StandIn server) {
        return String.valueOf(server.target().getPort());
    }

    private static JsonNode json(Outcome outcome) {
        return new JsonMapper().readTree(outcome.out());
    }

    @Test
    void aPathWithAllServersIsMeasuredBothWays() throws IOException {
        try (StandIn iperf = server("iperf");
                StandIn stamp = server("stamp")) {
            Outcome outcome = Outcome.of(
                    "probe",
                    "127.0.0.1:" + port(iperf),
                    "--iperf",
                    port(iperf),
                    "--stamp",
                    port(stamp),
                    "--bytes",
                    "2MB,64KiB,1GB",
                    "--longest",
                    "5ms",
                    "--json");

            assertThat(outcome.code()).as(outcome.err()).isEqualTo(ExitCode.DONE);
            JsonNode found = json(outcome);
            assertThat(found.path("format").asString()).isEqualTo("diperf-probe/1");
            assertThat(found.path("measured").propertyNames())
                    .containsExactly(
                            "round-trip",
                            "delay.there",
                            "delay.back",
                            "loss.there",
                            "loss.back",
                            "bandwidth.there",
                            "bandwidth.back");
            JsonNode roundTrip = found.path("measured").path("round-trip");
            assertThat(roundTrip.path("next").asDouble()).isPositive();
            assertThat(roundTrip.path("high").asDouble())
                    .isGreaterThanOrEqualTo(roundTrip.path("low").asDouble());
            assertThat(roundTrip.path("by").asString()).contains("connections to port");
            assertThat(found.path("transfers")).hasSize(6);
            JsonNode small = found.path("transfers").get(0);
            assertThat(small.path("direction").asString()).isEqualTo("there");
            assertThat(small.path("bytes").asLong()).isEqualTo(64 << 10);
            assertThat(small.has("seconds")).isTrue();
            assertThat(found.path("notMeasured")).isEmpty();
        }
    }

    @Test
    void aSensorMeasuresTheWayThereAndWhatIsMissingIsSaidWithWhatToDo() throws IOException {
        try (StandIn nws = server("nws")) {
            Outcome outcome = Outcome.of(
                    "probe",
                    "127.0.0.1",
                    "--nws",
                    port(nws),
                    "--iperf",
                    String.valueOf(FreePorts.take()),
                    "--stamp",
                    String.valueOf(FreePorts.take()),
                    "--bytes",
                    "64KiB",
                    "--rounds",
                    "3");

            assertThat(outcome.code()).as(outcome.err()).isEqualTo(ExitCode.DONE);
            assertThat(outcome.out())
                    .contains("round trip ms", "bandwidth there Mbit/s", "nws://127.0.0.1:" + port(nws))
                    .contains("cannot tell", "expected 20 rounds of probes, got 3")
                    .contains("not measured: delay and loss of each way: no reflector answers there")
                    .contains("diperf server stamp --listen 0.0.0.0 --port 8620")
                    .contains("not measured: transfers back: a sensor does not send");
        }
    }

    @Test
    void whereNothingIsThereARefusalStillTellsTheRoundTrip() {
        String closed = String.valueOf(FreePorts.take());
        Outcome outcome = Outcome.of(
                "probe", "127.0.0.1:" + closed, "--iperf", closed, "--nws", closed, "--stamp", closed, "--rounds", "2");

        assertThat(outcome.code()).isEqualTo(ExitCode.DONE);
        assertThat(outcome.out())
                .contains("refused connections to port " + closed)
                .contains("start it: diperf server iperf --listen 0.0.0.0");
    }

    @Test
    void whatCannotBeAskedIsToldBeforeAnythingIsProbed() {
        assertThat(Outcome.of("probe", "no.such.host.invalid"))
                .satisfies(outcome -> assertThat(outcome.code()).isEqualTo(ExitCode.NOT_CARRIED_OUT))
                .satisfies(outcome -> assertThat(outcome.err()).contains("expected a host that a name service knows"));
        assertThat(Outcome.of("probe", "http://a/").err()).contains("expected HOST or HOST:PORT");
        assertThat(Outcome.of("probe", "a:70000").err()).contains("expected a port from 1 to 65535, got 70000");
        assertThat(Outcome.of("probe", "a", "--rounds", "0").err()).contains("--rounds: expected 1 to 10000, got 0");
        assertThat(Outcome.of("probe", "a", "--bytes", "much").code()).isEqualTo(ExitCode.USAGE);
        assertThat(Outcome.of("probe", "a", "--longest", "0s").err()).contains("--longest: expected more than 0s");
    }
}
