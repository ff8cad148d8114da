package org.diperf.plugins.nws;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.diperf.core.contract.CallProbe;
import org.diperf.core.contract.JdkLoop;
import org.diperf.core.contract.PluginHarness;
import org.diperf.core.ports.FreePorts;
import org.diperf.core.spi.Url;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class NwsTests {

    @TempDir
    Path folder;

    private PluginHarness harness(Url target, Map<String, ?> with) throws Exception {
        return new PluginHarness(new NwsPlugin(), List.of(target), with, Duration.ofSeconds(10), folder, new JdkLoop());
    }

    @ParameterizedTest
    @ValueSource(strings = {"1", "64KiB", "5MB"})
    void aProbeMeasuresAndItsForecastsAreScoredByTheNextOnes(String size) throws Exception {
        try (Sensor sensor = new Sensor(new InetSocketAddress(InetAddress.getLoopbackAddress(), FreePorts.take()));
                PluginHarness harness = harness(sensor.target(), Map.of("size", size));
                PluginHarness.Owned client = harness.client(0)) {
            CallProbe first = client.call();
            assertThat(first.failure()).isNull();
            assertThat(first.metrics()).containsOnlyKeys("connect", "turn", "latency", "bandwidth");

            CallProbe second = client.call();
            assertThat(second.metrics().get("bandwidth.forecast"))
                    .isEqualTo(first.metrics().get("bandwidth"));
            double error = second.metrics().get("bandwidth") - first.metrics().get("bandwidth");
            assertThat(second.metrics().get("bandwidth.rmse"))
                    .isCloseTo(Math.abs(error), within(1e-9 * Math.abs(error)));
            for (int i = 0; i < 30; i++) {
                second = client.call();
            }
            assertThat(second.metrics()).containsKeys("bandwidth.low", "bandwidth.high", "latency.low", "connect.high");
        }
    }

    @Test
    void forecastsCanBeLeftOut() throws Exception {
        try (Sensor sensor = new Sensor(new InetSocketAddress(InetAddress.getLoopbackAddress(), FreePorts.take()));
                PluginHarness harness = harness(sensor.target(), Map.of("forecaster", "none"));
                PluginHarness.Owned client = harness.client(0)) {
            client.call();
            assertThat(client.call().metrics()).containsOnlyKeys("connect", "turn", "latency", "bandwidth");
        }
    }

    @Test
    void whatCannotBeIsToldBeforeTheRun() {
        Url any = Url.of("nws://127.0.0.1");
        assertThatThrownBy(() -> harness(any, Map.of("buffer", 10)).close())
                .hasMessageContaining("buffer: expected 1024 to 67108864 bytes, got 10");
        assertThatThrownBy(() -> harness(any, Map.of("forecaster", "nvs")).close())
                .hasMessageContaining("expected one of [nws, nws-fixed, none]");
    }
}
