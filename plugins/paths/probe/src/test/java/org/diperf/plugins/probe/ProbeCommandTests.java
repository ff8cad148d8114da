package org.diperf.plugins.probe;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Map;
import org.diperf.core.contract.CommandHarness;
import org.diperf.core.contract.CommandPluginContract;
import org.diperf.core.ports.FreePorts;
import org.diperf.core.spi.ClientPlugin;
import org.diperf.core.spi.CommandPlugin;
import org.diperf.core.spi.StandIn;
import org.diperf.plugins.iperf.IperfPlugin;
import org.diperf.plugins.nws.NwsPlugin;
import org.diperf.plugins.stamp.StampPlugin;
import org.junit.jupiter.api.Test;

/** Probes of this machine, by servers that run in this process. */
class ProbeCommandTests extends CommandPluginContract {

    @Override
    protected CommandPlugin plugin() {
        return new ProbeCommand();
    }

    @Override
    protected Map<String, String> badValues() {
        return Map.of("host", "http://a/");
    }

    private CommandHarness harness() {
        return new CommandHarness(
                new ProbeCommand(), List.of(new IperfPlugin(), new StampPlugin(), new NwsPlugin()), folder, List.of());
    }

    private static StandIn server(ClientPlugin plugin) throws IOException {
        return plugin.server(new InetSocketAddress("127.0.0.1", FreePorts.take()))
                .orElseThrow();
    }

    private static String port(StandIn server) {
        return String.valueOf(server.target().port());
    }

    @Test
    @SuppressWarnings("unchecked")
    void aPathWithAllServersIsMeasuredBothWays() throws Exception {
        try (StandIn iperf = server(new IperfPlugin());
                StandIn stamp = server(new StampPlugin())) {
            CommandHarness probe = harness();
            Map<String, String> given = Map.of(
                    "host",
                    "127.0.0.1:" + port(iperf),
                    "iperf",
                    port(iperf),
                    "stamp",
                    port(stamp),
                    "bytes",
                    "2MB,64KiB,1GB",
                    "longest",
                    "5ms",
                    "json",
                    "true");
            assertThat(probe.run(given)).as(probe.told()).isEqualTo(CommandPlugin.DONE);

            Map<String, ?> found = probe.tree();
            assertThat(found.get("format")).isEqualTo("diperf-probe/1");
            Map<String, Map<String, ?>> measured = (Map<String, Map<String, ?>>) found.get("measured");
            assertThat(measured.keySet())
                    .containsExactly(
                            "round-trip",
                            "delay.there",
                            "delay.back",
                            "loss.there",
                            "loss.back",
                            "bandwidth.there",
                            "bandwidth.back");
            Map<String, ?> roundTrip = measured.get("round-trip");
            assertThat((double) roundTrip.get("next")).isPositive();
            assertThat((double) roundTrip.get("high")).isGreaterThanOrEqualTo((double) roundTrip.get("low"));
            assertThat(roundTrip.get("by").toString()).contains("connections to port");
            List<Map<String, ?>> transfers = (List<Map<String, ?>>) found.get("transfers");
            assertThat(transfers).hasSize(6);
            assertThat(transfers.get(0).get("direction")).isEqualTo("there");
            assertThat(transfers.get(0).get("bytes")).isEqualTo(64L << 10);
            assertThat(transfers.get(0)).containsKey("seconds");
            assertThat((Map<String, ?>) found.get("notMeasured")).isEmpty();
        }
    }

    @Test
    void aSensorMeasuresTheWayThereAndWhatIsMissingIsSaidWithWhatToDo() throws Exception {
        try (StandIn nws = server(new NwsPlugin())) {
            CommandHarness probe = harness();
            Map<String, String> given = Map.of(
                    "host",
                    "127.0.0.1",
                    "nws",
                    port(nws),
                    "iperf",
                    String.valueOf(FreePorts.take()),
                    "stamp",
                    String.valueOf(FreePorts.take()),
                    "bytes",
                    "64KiB",
                    "rounds",
                    "3");
            assertThat(probe.run(given)).as(probe.told()).isEqualTo(CommandPlugin.DONE);

            assertThat(probe.printed())
                    .contains("round trip ms", "bandwidth there Mbit/s", "nws://127.0.0.1:" + port(nws))
                    .contains("cannot tell", "expected at least 20 rounds of probes, got 3")
                    .contains("not measured: delay and loss in each direction: no reflector answers there")
                    .contains("diperf server stamp --listen 0.0.0.0 --port 8620")
                    .contains("not measured: transfers back: an nws sensor cannot send");
            assertThat(probe.told()).contains("probing 127.0.0.1: round trip");
        }
    }

    @Test
    void whereNothingIsThereARefusalStillTellsTheRoundTrip() throws Exception {
        String closed = String.valueOf(FreePorts.take());
        CommandHarness probe = harness();
        Map<String, String> given =
                Map.of("host", "127.0.0.1:" + closed, "iperf", closed, "nws", closed, "stamp", closed, "rounds", "2");

        assertThat(probe.run(given)).isEqualTo(CommandPlugin.DONE);
        assertThat(probe.printed())
                .contains("refused connections to port " + closed)
                .contains("start one: diperf server iperf --listen 0.0.0.0");
    }

    private String refused(String host, String option, String value) throws Exception {
        CommandHarness probe = harness();
        assertThat(probe.run(Map.of("host", host, option, value))).isEqualTo(CommandPlugin.USAGE);
        assertThat(probe.printed()).isEmpty();
        return probe.told();
    }

    @Test
    void whatCannotBeAskedIsToldBeforeAnythingIsProbed() throws Exception {
        CommandHarness probe = harness();
        assertThat(probe.run(Map.of("host", "no.such.host.invalid"))).isEqualTo(CommandPlugin.NOT_CARRIED_OUT);
        assertThat(probe.told()).contains("expected a host name that can be resolved");
        assertThat(refused("http://a/", "rounds", "1")).contains("expected HOST or HOST:PORT");
        assertThat(refused("a:70000", "rounds", "1")).contains("expected a port from 1 to 65535, got 70000");
        assertThat(refused("a", "rounds", "0")).contains("rounds: expected 1 to 10000, got 0");
        assertThat(refused("a", "bytes", "much")).startsWith("bytes: ");
        assertThat(refused("a", "longest", "0s")).contains("longest: expected more than 0s");
    }
}
