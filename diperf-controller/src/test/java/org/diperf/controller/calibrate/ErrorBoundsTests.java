package org.diperf.controller.calibrate;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import org.diperf.controller.calibrate.Calibration.Spread;
import org.diperf.core.sample.CallWriter;
import org.diperf.core.sample.SampleWriter;
import org.diperf.core.sample.TestCall;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ErrorBoundsTests {

    private static final long START = 5_000_000_000L;
    private static final int CALLS = 200;
    private static final long MILLISECOND = 1_000_000;

    @TempDir
    private Path folder = Path.of("");

    private final CallWriter calls = new CallWriter(1, 1_000, 0);

    private void call(long millis, String outcome, long errorIn, long errorOut) {
        calls.add(new TestCall(START + millis * MILLISECOND, 0, 1_000)
                .outcome(outcome)
                .errors(errorIn, errorOut, 0));
    }

    private Path run() throws IOException {
        ByteBuffer block = ByteBuffer.allocate(calls.maxEncodedLength());
        calls.encode(block, 1);
        try (SampleWriter samples = new SampleWriter(folder.resolve("samples"), 1 << 20)) {
            samples.append(block.flip());
        }
        return folder;
    }

    @Test
    void aWidthIsTheSumOfBothEnds() throws IOException {
        for (int i = 0; i < CALLS; i++) {
            call(i, "ok", i < CALLS - 4 ? 4_096 : 65_536, 2_048);
        }
        Spread spread = requireNonNull(ErrorBounds.read(run(), START, START + CALLS * MILLISECOND));

        assertThat(spread.p50()).isEqualTo(0.006144);
        assertThat(spread.p99()).isEqualTo(0.067584);
    }

    @Test
    void callsBeforeAndAfterAndThoseThatFailedAreLeftOut() throws IOException {
        for (int i = 0; i < CALLS; i++) {
            boolean counts = i >= 50 && i < 150 && i % 2 == 0;
            call(i, i % 2 == 0 ? "ok" : "dropped", counts ? 4_096 : 1 << 20, 4_096);
        }

        assertThat(ErrorBounds.read(run(), START + 50 * MILLISECOND, START + 150 * MILLISECOND))
                .isEqualTo(new Spread(0.008192, 0.008192));
    }

    @Test
    void aBoundThatIsNotKnownForMoreThanOneInAHundredIsNotMeasured() throws IOException {
        for (int i = 0; i < CALLS; i++) {
            call(i, "ok", i < 3 ? CallWriter.UNKNOWN : 4_096, 4_096);
        }
        Path run = run();

        assertThat(ErrorBounds.read(run, START, START + CALLS * MILLISECOND)).isNull();
        assertThat(ErrorBounds.read(run, START + 2 * MILLISECOND, START + CALLS * MILLISECOND))
                .isNotNull();
        assertThat(ErrorBounds.read(run, START + 900 * MILLISECOND, Long.MAX_VALUE))
                .isNull();
    }

    @Test
    void callsWithoutColumnsAreNotMeasured() throws IOException {
        call(0, "ok", CallWriter.UNKNOWN, CallWriter.UNKNOWN);

        assertThat(ErrorBounds.read(run(), START, START + MILLISECOND)).isNull();
    }
}
