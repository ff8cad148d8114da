package org.diperf.examples.echo;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.diperf.core.contract.CallProbe;
import org.diperf.core.contract.JdkLoop;
import org.diperf.core.contract.PluginHarness;
import org.diperf.core.plugin.Plugins;
import org.diperf.core.spi.Url;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(30)
class EchoClientTests {

    @TempDir
    Path folder;

    private PluginHarness harness(EchoServer server, Map<String, ?> with) throws Exception {
        return harness(List.of(server.uri()), with);
    }

    private PluginHarness harness(List<Url> targets, Map<String, ?> with) throws Exception {
        return new PluginHarness(
                Plugins.ofClass(EchoClient.class), targets, with, Duration.ofSeconds(5), folder, new JdkLoop());
    }

    @Test
    void everyCallGetsItsLineBack() throws Exception {
        try (EchoServer server = new EchoServer(0);
                PluginHarness harness = harness(server, Map.of("text", "call ${call} ", "repeat", 2));
                PluginHarness.Owned client = harness.client(0)) {
            for (int i = 0; i < 10; i++) {
                CallProbe call = client.call();
                assertThat(call.isOk()).as(call.toString()).isTrue();
                assertThat(call.isFirst()).isEqualTo(i == 0);
                assertThat(call.bytes()).isEqualTo(2 * "call 0 call 0 \n".length());
            }
        }
    }

    @Test
    void aLineThatComesBackChangedIsAFailedCall() throws Exception {
        try (EchoServer server = new EchoServer(1);
                PluginHarness harness = harness(server, Map.of());
                PluginHarness.Owned client = harness.client(0)) {
            assertThat(client.call().failure()).isEqualTo("wrong echo");
        }
    }

    @Test
    void aConnectionThatTheServerClosedIsMadeAnewAfterOneFailedCall() throws Exception {
        try (EchoServer server = new EchoServer(0);
                PluginHarness harness = harness(server, Map.of());
                PluginHarness.Owned client = harness.client(0)) {
            assertThat(client.call().isOk()).isTrue();
            server.hangUp();
            assertThat(client.call().isOk()).isFalse();
            CallProbe third = client.call();
            assertThat(third.isOk()).as(third.toString()).isTrue();
            assertThat(third.isFirst()).isTrue();
        }
    }

    @Test
    void eachTargetHasAConnectionOfItsOwn() throws Exception {
        try (EchoServer good = new EchoServer(0);
                EchoServer wrong = new EchoServer(1);
                PluginHarness harness = harness(List.of(good.uri(), wrong.uri()), Map.of());
                PluginHarness.Owned client = harness.client(0)) {
            assertThat(client.call(0).isOk()).isTrue();
            assertThat(client.call(1).failure()).isEqualTo("wrong echo");
            CallProbe third = client.call(0);
            assertThat(third.isOk()).as(third.toString()).isTrue();
            assertThat(third.isFirst()).isFalse();
        }
    }

    @Test
    void theServiceFileNamesItAndItServesItsScheme() {
        try (Plugins plugins = Plugins.bundled()) {
            assertThat(plugins.broken()).isEmpty();
            assertThat(plugins.clients().plugin("echo").orElseThrow().schemes()).contains("echo");
        }
    }
}
