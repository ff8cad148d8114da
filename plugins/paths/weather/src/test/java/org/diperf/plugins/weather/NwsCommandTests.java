package org.diperf.plugins.weather;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.diperf.core.clock.NanoClock;
import org.diperf.core.contract.CommandHarness;
import org.diperf.core.contract.CommandPluginContract;
import org.diperf.core.ports.FreePorts;
import org.diperf.core.spi.CommandPlugin;
import org.junit.jupiter.api.Test;

/** The command: what it asks, prints and refuses. */
class NwsCommandTests extends CommandPluginContract {

    @Override
    protected CommandPlugin plugin() {
        return new NwsCommand();
    }

    @Override
    protected Map<String, String> badValues() {
        return Map.of("action", "dance");
    }

    private final CommandHarness harness() {
        return new CommandHarness(new NwsCommand(), List.of(), folder, List.of());
    }

    private static Map<String, String> given(String... namesAndValues) {
        Map<String, String> all = new HashMap<>();
        for (int i = 0; i < namesAndValues.length; i += 2) {
            all.put(namesAndValues[i], namesAndValues[i + 1]);
        }
        return all;
    }

    private static String refused(Map<String, String> given) throws Exception {
        CommandHarness harness = new CommandHarness(new NwsCommand(), List.of(), java.nio.file.Path.of("."), List.of());
        assertThat(harness.run(given)).as(harness.told()).isEqualTo(CommandPlugin.USAGE);
        return harness.told();
    }

    @Test
    void whatCannotBeAskedIsRefused() throws Exception {
        assertThat(refused(given("action", "search"))).contains("expected a filter");
        assertThat(refused(given("action", "search", "what", "((("))).contains("expected");
        assertThat(refused(given("action", "search", "what", "hosts", "name-server", "a:99999")))
                .contains("name-server: expected HOST or HOST:PORT");
        assertThat(refused(given("action", "extract", "what", "x", "records", "0")))
                .contains("records: expected 1");
        assertThat(refused(given("action", "nameserver", "port", "70000"))).contains("port: expected 0 to 65535");
        assertThat(refused(given("action", "clique", "what", "x"))).contains("members: expected at least two");
        assertThat(refused(given("action", "clique", "what", "x", "members", "a")))
                .contains("expected 2 to 64");
        assertThat(refused(given("action", "clique", "what", "x", "members", "a,b", "period", "10ms")))
                .contains("expected a period from 1 s");
        assertThat(refused(given("action", "clique", "what", "x", "members", "a,b", "size", "1GB")))
                .contains("expected probes of 1 to");
    }

    @Test
    void aServerThatIsNotThereIsSaid() throws Exception {
        CommandHarness harness = harness();
        String port = "127.0.0.1:" + FreePorts.take();
        assertThat(harness.run(given("action", "search", "what", "hosts", "name-server", port)))
                .isEqualTo(CommandPlugin.NOT_CARRIED_OUT);
        assertThat(harness.run(given("action", "clique", "what", "x", "members", port + ",127.0.0.1:1")))
                .isEqualTo(CommandPlugin.NOT_CARRIED_OUT);
        assertThat(harness.told()).contains("expected a member that starts the clique, got: " + port);
    }

    private static InetSocketAddress host(Host.Kind kind, Host.Service service) throws IOException {
        return new InetSocketAddress(
                "127.0.0.1", new Host(kind, new InetSocketAddress("127.0.0.1", FreePorts.take()), service).port());
    }

    @Test
    @SuppressWarnings("unchecked")
    void aSeriesIsFoundAndForecastWithItsErrors() throws Exception {
        InetSocketAddress nameServer = host(Host.Kind.NAMESERVER, new NameServer(new Registry(NanoClock.SYSTEM)));
        SeriesStore store = new SeriesStore(folder, 100);
        InetSocketAddress memory = host(Host.Kind.MEMORY, new Memory(store));
        Series series = Series.local("h:8060", "freeMemory");
        for (int i = 0; i < 4; i++) {
            store.store(series.name(), 100 + i, List.of(State.record(100 + i, i == 3 ? 8 : 4)));
        }
        Registrar.register(nameServer, series.registered("127.0.0.1:" + memory.getPort()), Duration.ofSeconds(60));
        String at = "127.0.0.1:" + nameServer.getPort();

        CommandHarness search = harness();
        assertThat(search.run(given("action", "search", "what", "series", "name-server", at)))
                .isZero();
        assertThat(search.printed()).contains("name:h:8060.freeMemory.p", "label:Megabytes");

        CommandHarness extract = harness();
        assertThat(extract.run(given("action", "extract", "what", "freeMemory", "from", "h", "name-server", at)))
                .as(extract.told())
                .isZero();
        assertThat(extract.printed().lines())
                .contains("time value mae-forecast mae mse-forecast rmse", "100 4.00000 - 0.00000 - 0.00000")
                .contains("102 4.00000 4.00000 0.00000 4.00000 0.00000")
                // Three forecasts, of which one was 4 off: 4/3, and the root of 16/3.
                .contains("103 8.00000 4.00000 1.33333 4.00000 2.30940");

        CommandHarness json = harness();
        assertThat(json.run(
                        given("action", "extract", "what", "h:8060.freeMemory.p", "name-server", at, "json", "true")))
                .isZero();
        List<Map<String, ?>> values = (List<Map<String, ?>>) json.tree().get("values");
        assertThat(values).hasSize(4);
        assertThat((double) values.get(3).get("mae")).isEqualTo(4 / 3.0);

        CommandHarness none = harness();
        assertThat(none.run(given("action", "extract", "what", "x", "name-server", at)))
                .isEqualTo(CommandPlugin.NOT_CARRIED_OUT);
        assertThat(none.told()).contains("expected a registered name, got 'x'");
    }
}
