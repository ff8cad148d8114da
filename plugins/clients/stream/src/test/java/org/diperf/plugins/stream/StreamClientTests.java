package org.diperf.plugins.stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.diperf.core.clock.NanoClock;
import org.diperf.core.contract.CallProbe;
import org.diperf.core.contract.JdkLoop;
import org.diperf.core.contract.PluginHarness;
import org.diperf.core.contract.RecorderProbe;
import org.diperf.core.spi.BlockingClient;
import org.diperf.core.spi.Url;
import org.diperf.plugins.lib.process.RunQueueWait;
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
                List.of(Url.of("stream://here")),
                Map.of("command", command),
                Duration.ofSeconds(5),
                folder,
                new JdkLoop());
    }

    private static RecorderProbe read(String... chunks) {
        RecorderProbe recorder = new RecorderProbe();
        OutputParser lines = new OutputParser(recorder, NanoClock.SYSTEM);
        for (String chunk : chunks) {
            byte[] bytes = chunk.getBytes(StandardCharsets.UTF_8);
            lines.take(bytes, bytes.length);
        }
        lines.end();
        return recorder;
    }

    @Test
    void aProgramThatIsNotThereIsMissedBeforeTheLoad() {
        assertThatThrownBy(() -> harness(List.of("my-client-x", "a")))
                .hasMessage("command: expected a program on the tester, got none named 'my-client-x'; install it there,"
                        + " or correct the command");
    }

    @Test
    void aProgramThatIsNotThereIsOneFailedCallOfAReadableKind() throws Exception {
        try (PluginHarness harness = harness(List.of("my-client-${client}", "a"));
                PluginHarness.Owned client = harness.client(0)) {
            CallProbe call = client.call();
            assertThat(call.failure()).isEqualTo("cannot start my-client-0: no such file");
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

    /** A program that writes a line after each call, and how long it had waited when the line was read. */
    @Test
    void theProgramsWaitsSinceBeforeTheCallBeganBoundItsError() {
        RecorderProbe recorder = new RecorderProbe();
        AtomicLong now = new AtomicLong();
        AtomicLong waited = new AtomicLong(5_000);
        OutputParser lines = new OutputParser(recorder, now::get);
        lines.waits(waited::get);
        take(lines, now, 1_010_000_000L, "response 1.000 1.010000 h 0\n");
        waited.set(65_000);
        take(lines, now, 1_020_000_000L, "response 1.000 1.020000 h 0\nresponse 15.000 1.020000 h 0\n");
        waited.set(90_000);
        take(lines, now, 1_030_000_000L, "error broken 1.030000 h 0\nresponse 12 1.030000 h 0\n");
        waited.set(RunQueueWait.UNKNOWN);
        take(lines, now, 1_040_000_000L, "response 1.000 1.040000 h 0\n");
        assertThat(recorder.calls())
                .extracting(RecorderProbe.Recorded::waitedNanos)
                .containsExactly(5_000L, 60_000L, 65_000L, Long.MAX_VALUE, 85_000L, Long.MAX_VALUE);
    }

    /** Of a LOCAL_TIME in whole seconds nobody knows when in that second the call began. */
    @Test
    void roundedTimesMayBeOffByAUnitOfTheirLastDigit() {
        RecorderProbe recorder = new RecorderProbe();
        AtomicLong now = new AtomicLong();
        AtomicLong waited = new AtomicLong(5_000);
        OutputParser lines = new OutputParser(recorder, now::get);
        lines.waits(waited::get);
        take(lines, now, 9_500_000_000L, "# begins\n");
        waited.set(8_000);
        take(lines, now, 10_000_000_000L, "response 100 10 h 0\nresponse 100 10.0 h 0\nresponse 100.0 10.000 h 0\n");
        assertThat(recorder.calls())
                .extracting(RecorderProbe.Recorded::waitedNanos)
                .containsExactly(8_000L, 3_000L, 3_000L);
    }

    private static void take(OutputParser lines, AtomicLong now, long atNanos, String text) {
        now.set(atNanos);
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        lines.take(bytes, bytes.length);
    }

    @Test
    void aProgramOfOneThreadHasBoundsAndOneWithChildrenHasNone() throws Exception {
        String alone = "while :; do echo response 1 1000 h 0; read -t 0.01 x; done";
        String withChildren = "while :; do echo response 1 1000 h 0; sleep 0.01; done";
        assertThat(waitsOfThirdCall(alone)).isLessThan(Long.MAX_VALUE);
        assertThat(waitsOfThirdCall(withChildren)).isEqualTo(Long.MAX_VALUE);
    }

    private long waitsOfThirdCall(String line) throws Exception {
        try (PluginHarness harness = harness(List.of("bash", "-c", line));
                PluginHarness.Owned client = harness.client(0)) {
            CallProbe call = client.begin(0);
            while (harness.recorder().calls().size() < 3) {
                Thread.onSpinWait();
            }
            client.cancel(call);
            assertThat(call.awaitEnd(1_000)).isTrue();
            return harness.recorder().calls().get(2).waitedNanos();
        }
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
