package org.diperf.plugins.parquet;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.ServiceLoader;
import org.apache.parquet.format.RowGroup;
import org.diperf.core.spi.CallExport;
import org.diperf.core.spi.ExportPlugin;
import org.diperf.core.spi.ExportedCall;
import org.diperf.core.spi.ExportedRun;
import org.diperf.core.spi.ExportedRun.ExportedMetric;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What is written, read back by the format's own description. */
@Timeout(60)
class ParquetExportTests {

    private static final Instant START = Instant.parse("2026-11-21T10:00:00.123456789Z");
    private static final long START_NANOS = 1_795_255_200_123_456_789L;
    private static final ExportedRun RUN = new ExportedRun(
            "shop",
            START,
            List.of("browse", "order, \"ü\""),
            List.of("http://a/", "http://b/"),
            List.of(new ExportedMetric("connect", "ms"), new ExportedMetric("tries", "")),
            false,
            1_000_000_000L);

    /** A call, given outright. */
    private record Call(
            long intendedNanos,
            long lagNanos,
            long responseNanos,
            String outcome,
            int tester,
            int client,
            long call,
            int stage,
            int request,
            int target,
            long bytes,
            boolean first,
            double connect)
            implements ExportedCall {

        @Override
        public double metric(int index) {
            return index == 0 ? connect : Double.NaN;
        }
    }

    private static ParquetFile written(Iterable<? extends ExportedCall> calls) throws IOException {
        ByteArrayOutputStream to = new ByteArrayOutputStream();
        try (CallExport export = new ParquetExport().begin(RUN, to)) {
            for (ExportedCall call : calls) {
                export.add(call);
            }
        }
        return ParquetFile.of(to.toByteArray());
    }

    @Test
    void itIsFoundAsAPluginOfItsName() {
        assertThat(ServiceLoader.load(ExportPlugin.class).stream()
                        .map(plugin -> plugin.get().id()))
                .contains("parquet");
    }

    @Test
    void everyColumnHasItsValuesAndWhatIsNotKnownIsNull() throws IOException {
        ParquetFile file = written(List.of(
                new Call(-5, 1, 1_000_000_007, "ok", 1, 3, 0, 0, 0, 1, 512, true, 0.25),
                new Call(
                        10,
                        ExportedCall.UNKNOWN,
                        9,
                        "timeout",
                        2,
                        4,
                        ExportedCall.UNKNOWN,
                        1,
                        1,
                        0,
                        -1,
                        false,
                        Double.NaN)));

        assertThat(file.columns())
                .containsOnlyKeys(
                        "intended_epoch_ns",
                        "intended_ns",
                        "send_lag_ns",
                        "response_ns",
                        "outcome",
                        "tester",
                        "client",
                        "call",
                        "stage",
                        "request",
                        "target",
                        "bytes",
                        "first",
                        "connect (ms)",
                        "tries");
        assertThat(file.columns().get("intended_epoch_ns")).containsExactly(START_NANOS - 5, START_NANOS + 10);
        assertThat(file.columns().get("intended_ns")).containsExactly(-5L, 10L);
        assertThat(file.columns().get("send_lag_ns")).containsExactly(1L, null);
        assertThat(file.columns().get("response_ns")).containsExactly(1_000_000_007L, 9L);
        assertThat(file.columns().get("outcome")).containsExactly("ok", "timeout");
        assertThat(file.columns().get("tester")).containsExactly(1, 2);
        assertThat(file.columns().get("client")).containsExactly(3, 4);
        assertThat(file.columns().get("call")).containsExactly(0L, null);
        assertThat(file.columns().get("stage")).containsExactly(0, 1);
        assertThat(file.columns().get("request")).containsExactly("browse", "order, \"ü\"");
        assertThat(file.columns().get("target")).containsExactly("http://b/", "http://a/");
        assertThat(file.columns().get("bytes")).containsExactly(512L, null);
        assertThat(file.columns().get("first")).containsExactly(true, false);
        assertThat(file.columns().get("connect (ms)")).containsExactly(0.25, null);
        assertThat(file.columns().get("tries")).containsExactly(null, null);
    }

    @Test
    void aRunWithoutCallsIsAFileWithoutRows() throws IOException {
        ParquetFile file = written(List.of());

        assertThat(file.footer().getNum_rows()).isZero();
        assertThat(file.footer().getSchemaSize()).isEqualTo(16);
    }

    @Test
    void manyCallsAreSeveralGroupsOfRowsThatHoldEachOfThem() throws IOException {
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        List<Call> calls = new ArrayList<>();
        int count = 2 * ParquetExport.GROUP_ROWS + 1_001;
        for (int i = 0; i < count; i++) {
            calls.add(new Call(
                    i * 1_000L,
                    random.nextInt(3) == 0 ? ExportedCall.UNKNOWN : random.nextInt(1000),
                    random.nextLong() >>> 20,
                    "status " + random.nextInt(300),
                    1,
                    random.nextInt(50),
                    i,
                    0,
                    random.nextInt(2),
                    0,
                    random.nextInt(9) - 1,
                    random.nextInt(5) == 0,
                    random.nextBoolean() ? Double.NaN : random.nextDouble()));
        }

        ParquetFile file = written(calls);

        assertThat(file.footer().getRow_groups())
                .extracting(RowGroup::getNum_rows)
                .containsExactly((long) ParquetExport.GROUP_ROWS, (long) ParquetExport.GROUP_ROWS, 1_001L);
        assertThat(file.columns().get("response_ns"))
                .as("seed %d", seed)
                .isEqualTo(calls.stream().map(Call::responseNanos).toList());
        assertThat(file.columns().get("outcome"))
                .as("seed %d", seed)
                .isEqualTo(calls.stream().map(Call::outcome).toList());
        assertThat(file.columns().get("first"))
                .as("seed %d", seed)
                .isEqualTo(calls.stream().map(Call::first).toList());
        assertThat(file.columns().get("send_lag_ns"))
                .as("seed %d", seed)
                .isEqualTo(calls.stream().map(call -> known(call.lagNanos())).toList());
        assertThat(file.columns().get("bytes"))
                .as("seed %d", seed)
                .isEqualTo(calls.stream().map(call -> known(call.bytes())).toList());
        assertThat(file.columns().get("connect (ms)"))
                .as("seed %d", seed)
                .isEqualTo(calls.stream()
                        .map(call -> Double.isNaN(call.connect()) ? null : call.connect())
                        .toList());
    }

    private static @Nullable Long known(long value) {
        return value == ExportedCall.UNKNOWN ? null : value;
    }
}
