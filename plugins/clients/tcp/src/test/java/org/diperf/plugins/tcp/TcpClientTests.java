package org.diperf.plugins.tcp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.diperf.core.contract.CallProbe;
import org.diperf.core.contract.JdkLoop;
import org.diperf.core.contract.NettyLoop;
import org.diperf.core.contract.PluginHarness;
import org.diperf.core.contract.TestLoop;
import org.diperf.core.spi.Url;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@Timeout(30)
class TcpClientTests {

    @TempDir
    Path folder;

    static Stream<TestLoop> loops() {
        return Stream.of(new JdkLoop(), new NettyLoop());
    }

    private PluginHarness harness(Url target, Map<String, ?> with, TestLoop loop) throws Exception {
        return new PluginHarness(new TcpPlugin(), List.of(target), with, Duration.ofSeconds(5), folder, loop);
    }

    private CallProbe call(Map<String, ?> with, UnaryOperator<byte[]> answer) throws Exception {
        try (Server server = new Server(answer);
                PluginHarness harness = harness(server.uri(), with, new NettyLoop());
                PluginHarness.Owned client = harness.client(0)) {
            return client.call();
        }
    }

    private static UnaryOperator<byte[]> says(String text) {
        return bytes -> text.getBytes(StandardCharsets.UTF_8);
    }

    @ParameterizedTest
    @MethodSource("loops")
    void everyCallGetsItsEchoOverOneConnection(TestLoop loop) throws Exception {
        try (Server server = new Server(bytes -> bytes);
                PluginHarness harness = harness(server.uri(), Map.of("send", "grüße ${call}"), loop);
                PluginHarness.Owned client = harness.client(0)) {
            for (int i = 0; i < 10; i++) {
                CallProbe call = client.call();
                assertThat(call.isOk()).as(call.toString()).isTrue();
                assertThat(call.isFirst()).isEqualTo(i == 0);
                assertThat(call.bytes()).isEqualTo(2 * 9);
            }
        }
    }

    @Test
    void aLargeEchoThatComesInPiecesIsWhole() throws Exception {
        CallProbe call = call(Map.of("send", "0123456789".repeat(20_000)), bytes -> bytes);
        assertThat(call.failure()).isNull();
        assertThat(call.bytes()).isEqualTo(400_000);
    }

    @Test
    void anEchoThatComesBackChangedOrWithMoreFails() throws Exception {
        assertThat(call(Map.of(), says("y")).failure()).isEqualTo("wrong echo");
        assertThat(call(Map.of(), says("xx")).failure()).isEqualTo("more than the answer");
    }

    @Test
    void anAnswerMayEndWithItsLine() throws Exception {
        CallProbe call = call(Map.of("send", "PING", "answer", "line"), says("+PONG\r\n"));
        assertThat(call.failure()).isNull();
        assertThat(call.bytes()).isEqualTo(4 + 7);
    }

    @Test
    void aConnectionThatTheServerClosedIsMadeAnew() throws Exception {
        try (Server server = new Server(bytes -> bytes);
                PluginHarness harness = harness(server.uri(), Map.of(), new NettyLoop());
                PluginHarness.Owned client = harness.client(0)) {
            assertThat(client.call().isOk()).isTrue();
            server.hangUp();
            // The call may meet the end of the connection, or come after it.
            CallProbe met = client.call();
            CallProbe next = met.isOk() ? met : client.call();
            assertThat(next.isOk()).as(next.toString()).isTrue();
            assertThat(next.isFirst()).isTrue();
        }
    }

    @Test
    void whatCannotBeIsToldBeforeTheRun() {
        Url any = Url.of("tcp://127.0.0.1:7");
        assertThatThrownBy(() -> harness(any, Map.of("send", ""), new JdkLoop()).close())
                .hasMessageContaining("send: expected at least one character, got none");
        assertThatThrownBy(() -> harness(Url.of("tcp://127.0.0.1"), Map.of(), new JdkLoop())
                        .close())
                .hasMessageContaining("target: expected tcp://HOST:PORT, got 'tcp://127.0.0.1'");
    }
}
