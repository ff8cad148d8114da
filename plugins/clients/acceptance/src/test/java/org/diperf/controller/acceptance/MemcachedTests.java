package org.diperf.controller.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.diperf.controller.cli.Main;
import org.diperf.core.spi.StandIn;
import org.diperf.plugins.memcached.MemcachedPlugin;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A pack with a client, a command, nested parameters and an annex, through the whole program. */
@Timeout(value = 2, unit = TimeUnit.MINUTES)
class MemcachedTests {

    @TempDir
    Path folder;

    private StandIn server;
    private String out = "";

    @BeforeEach
    void start() throws Exception {
        server = new MemcachedPlugin()
                .server(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
                .orElseThrow();
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private int diperf(String... arguments) {
        StringWriter said = new StringWriter();
        int code = Main.run(arguments, new PrintWriter(said), new PrintWriter(said));
        out = said.toString();
        return code;
    }

    private Path experiment(String operations) throws Exception {
        return Files.writeString(folder.resolve("cache.yml"), """
                target: %s
                client:
                  plugin: memcached
                  with:
                    operations: %s
                load: { clients: 2, calls: 50 }
                testbed: { kind: in-process }
                thresholds: [ "annexes.memcached.hits > 10" ]
                """.formatted(server.target(), operations));
    }

    @Test
    void nestedParametersAreInSchemaInitAndCheck() throws Exception {
        assertThat(diperf("schema")).isZero();
        String schema = out.substring(out.indexOf('{'));
        JsonNode keys = JsonMapper.builder().build().readTree(schema).findValue("operations");
        assertThat(keys.at("/items/properties").propertyNames()).containsExactly("do", "weight", "key", "value");
        assertThat(keys.toString()).contains("\"expires\"");

        Path started = folder.resolve("new.yml");
        assertThat(diperf("init", started.toString(), "--for", "memcached"))
                .as(out)
                .isZero();
        assertThat(Files.readString(started))
                .contains("operations: [ { do: set, value: 1KiB }, { do: get, weight: 9 } ]");
        assertThat(diperf("check", started.toString(), "--set", "target=" + server.target()))
                .as(out)
                .isZero();

        Path typo = experiment("[ { do: set, value: { size: 1KiB, expries: 1m } } ]");
        assertThat(diperf("check", typo.toString())).isEqualTo(2);
        assertThat(out)
                .contains("cache.yml:5:51: expected one of [size, expires] in 'client.with.operations.0.value'")
                .contains("Did you mean 'expires'?");
        Path tooLarge = experiment("[ { do: get }, { do: set, value: 2MiB } ]");
        assertThat(diperf("check", tooLarge.toString())).isEqualTo(2);
        assertThat(out).contains("client.with.operations.1.value.size: expected at most 1MiB");
    }

    @Test
    void aRunShowsTheAnnexAndTheCommandWhatTheServerCounted() throws Exception {
        Path file = experiment("[ { do: set, key: a }, { do: get, key: a, weight: 3 } ]");
        assertThat(diperf("run", file.toString(), "--out", folder.resolve("run").toString()))
                .as(out)
                .isZero();

        assertThat(out).contains("cache", "of all gets since the servers' start found their key");
        Path run = folder.resolve("run");
        assertThat(Files.readString(run.resolve("report.html"))).contains("annex-memcached", "evictions", "Cache");
        JsonNode summary = JsonMapper.builder().build().readTree(Files.readString(run.resolve("summary.json")));
        assertThat(summary.at("/annexes/memcached/numbers/hits/value").asDouble())
                .isBetween(90.0, 100.0);
        assertThat(summary.at("/annexes/memcached/tables/servers/0/items").asInt())
                .isEqualTo(1);
        assertThat(run.resolve("annex-memcached-servers.csv")).exists();

        assertThat(diperf("memcached", server.target().getAuthority(), "--only", "get_"))
                .isZero();
        assertThat(out.lines()).hasSize(2).allMatch(line -> line.matches("get_(hits [1-9]|misses )\\d*"));
        assertThat(diperf("memcached", "http://a/")).isEqualTo(2);
        assertThat(diperf("--help")).isZero();
        assertThat(out).contains("memcached");
    }
}
