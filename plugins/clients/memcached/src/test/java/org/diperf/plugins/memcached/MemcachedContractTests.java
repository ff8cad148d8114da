package org.diperf.plugins.memcached;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.util.List;
import java.util.Map;
import org.diperf.core.contract.ClientPluginContract;
import org.diperf.core.ports.FreePorts;
import org.diperf.core.spi.ClientPlugin;
import org.diperf.core.spi.Parameters;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MemcachedContractTests extends ClientPluginContract {

    @Override
    protected ClientPlugin plugin() {
        return new MemcachedPlugin();
    }

    @Override
    protected URI goodTarget() throws Exception {
        return untilTheEnd(new MemcachedServer(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0)))
                .target();
    }

    @Override
    protected Map<String, ?> goodParameters() {
        return Map.of(
                "operations",
                List.of(
                        Map.of("do", "set", "value", Map.of("size", "1KiB", "expires", "1m")),
                        Map.of("do", "get", "weight", 3),
                        Map.of("do", "delete", "key", "other")));
    }

    @Override
    protected URI failingTarget() {
        return URI.create("memcached://127.0.0.1:" + FreePorts.take());
    }

    @Override
    protected URI silentTarget() throws Exception {
        ServerSocket silent = untilTheEnd(new ServerSocket(FreePorts.take(), 50, InetAddress.getLoopbackAddress()));
        return URI.create("memcached://127.0.0.1:" + silent.getLocalPort());
    }

    private static List<Operation> round(List<Map<String, ?>> operations) {
        return Operation.round(Parameters.read(Operation.parameters(), Map.of("operations", operations), 1));
    }

    @Test
    void aRoundHasEachOperationAsOftenAsItsWeightSays() {
        assertThat(round(List.of(Map.of("do", "get", "weight", 2), Map.of("do", "set", "value", "2KiB"))))
                .extracting(Operation::verb, Operation::valueBytes)
                .hasToString("[(\"get\", 100), (\"get\", 100), (\"set\", 2048)]");
    }

    @ParameterizedTest
    @CsvSource({
        "get, key, a key, expected 1 to 250 characters without spaces",
        "get, value, 1KiB, expected a value for 'set' alone",
        "set, value, 2MiB, expected at most 1MiB",
        "set, weight, 0, expected a whole number from 1 to 1000",
    })
    void whatCannotBeDoneIsRefused(String verb, String key, String value, String expected) {
        assertThatThrownBy(() -> round(List.of(Map.of("do", verb, key, value)))).hasMessageContaining(expected);
    }
}
