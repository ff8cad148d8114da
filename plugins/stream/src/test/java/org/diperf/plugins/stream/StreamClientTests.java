package org.diperf.plugins.stream;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.diperf.core.contract.CallProbe;
import org.diperf.core.contract.JdkLoop;
import org.diperf.core.contract.PluginHarness;
import org.diperf.core.contract.RecorderProbe;
import org.diperf.core.spi.BlockingClient;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class StreamClientTests {

    @TempDir
    Path folder;

    private PluginHarness harness(String script) throws Exception {
        return harness(List.of("sh", "-c", script));
    }

    private PluginHarness harness(List<String> command) throws Exception {
        return new PluginHarness(
                new StreamPlugin(),
                List.of(URI.create("stream://here")),
                Map.of("command", command),
                Duration.ofSeconds(5),
                folder,
                new JdkLoop());
    }

    private static RecorderProbe read(String... chunks) {
        RecorderProbe recorder = new RecorderProbe();
        Lines lines = new Lines(recorder);
        for (String chunk : chunks) {
            byte[] bytes = chunk.getBytes(StandardCharsets.UTF_8);
            lines.take(bytes, bytes.length);
        }
        lines.end();
        return recorder;
    }

    @Test
    void aProgramThatIsNotThereIsOneFailedCallOfAReadableKind() throws Exception {
        try (PluginHarness harness = harness(List.of("my-client-x", "a"));
                PluginHarness.Owned client = harness.client(0)) {
            CallProbe call = client.call();
            assertThat(call.failure()).isEqualTo("cannot start my-client-x: no such file");
            assertThat(call.ends()).isEqualTo(1);
            assertThat(harness.recorder().calls()).isEmpty();
        }
    }

    @Test
    void aResponseIsACallThatEndedAtItsLocalTime() {
        assertThat(read("response 250 1000.5 host 3\n").calls())
                .containsExactly(new RecorderProbe.Recorded(1_000_250_000_000L, 1_000_500_000_000L, 0, null));
    }

    @Test
    void anErrorIsAFailedCallAndItsReasonMayHaveSeveralWords() {
        assertThat(read("error no route to host 1000 host 3\n").calls())
                .containsExactly(
                        new RecorderProbe.Recorded(1_000_000_000_000L, 1_000_000_000_000L, 0, "no route to host"));
    }

    @Test
    void anyOtherNameIsAMetric() {
        assertThat(read("queue.length -4.5 1000 host 3").observations())
                .singleElement()
                .satisfies(observed -> {
                    assertThat(observed.metric().name()).isEqualTo("queue.length");
                    assertThat(observed.value()).isEqualTo(-4.5);
                    assertThat(observed.atNanos()).isEqualTo(1_000_000_000_000L);
                });
    }

    @Test
    void linesMayBeSplitAnywhere() {
        String all = "# comment\n\nresponse 1 1000 h 0\r\nerror x 1000 h 0\nm 1 1000 h 0\n";
        for (int at = 0; at <= all.length(); at++) {
            RecorderProbe recorder = read(all.substring(0, at), all.substring(at));
            assertThat(recorder.calls()).hasSize(2);
            assertThat(recorder.observations()).hasSize(1);
            assertThat(recorder.rejected()).isEmpty();
        }
    }

    @Test
    void whatIsMalformedIsRejectedWithAnExampleAndTheRestIsRead() {
        RecorderProbe recorder = read(
                "response 1 1000 h\n",
                "response 1 1000 h 0 more\n",
                "response -1 1000 h 0\n",
                "response NaN 1000 h 0\n",
                "response x 1000 h 0\n",
                "response 1 yesterday h 0\n",
                "response 1 1e300 h 0\n",
                "error 1000 h 0\n",
                "9lives 1 1000 h 0\n",
                "x".repeat(100_000) + "\n",
                "response 1 1000 h 0\n");
        assertThat(recorder.rejected()).hasSize(10);
        assertThat(recorder.rejected().get(0).example()).isEqualTo("response 1 1000 h");
        assertThat(recorder.calls()).hasSize(1);
    }

    @Test
    void theProgramRunsUntilTheClientEndsAndIsThenKilled() throws Exception {
        try (PluginHarness harness = harness("while :; do echo response 1 1000 h 0; sleep 0.01; done");
                PluginHarness.Owned client = harness.client(0)) {
            assertThat(((BlockingClient) client.client()).selfTimed()).isTrue();
            CallProbe call = client.begin(0);
            while (harness.recorder().calls().size() < 3) {
                Thread.onSpinWait();
            }
            client.cancel(call);
            assertThat(call.awaitEnd(1_000)).isTrue();
            assertThat(call.isOk()).isTrue();
            assertThat(ProcessHandle.current().children().findAny()).isEmpty();
        }
    }

    @Test
    void aProgramThatEndsEarlyIsAFailureAfterItsLinesWereTaken() throws Exception {
        try (PluginHarness harness = harness("printf 'response 1 1000 h 0'; exit 2");
                PluginHarness.Owned client = harness.client(0)) {
            assertThat(client.call().failure()).isEqualTo("program ended: exit 2");
            assertThat(harness.recorder().calls()).hasSize(1);
        }
    }
}
