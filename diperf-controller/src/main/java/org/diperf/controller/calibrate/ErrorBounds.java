package org.diperf.controller.calibrate;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Arrays;
import org.diperf.analyzer.run.RunFiles;
import org.diperf.controller.calibrate.Calibration.Spread;
import org.diperf.core.sample.Block;
import org.diperf.core.sample.CallWriter;
import org.diperf.core.sample.Calls;
import org.diperf.core.sample.Outcome;
import org.diperf.core.sample.SampleColumn;
import org.diperf.core.sample.SampleReader;
import org.jspecify.annotations.Nullable;

/** The widths of the bounds of a run's ok calls, which are few enough to be kept. Confined to one thread. */
final class ErrorBounds implements SampleReader.Visitor {

    private final Calls calls = new Calls(SampleColumn.ERROR_IN, SampleColumn.ERROR_OUT);
    private final long fromNanos;
    private final long toNanos;
    private long[] widths = new long[1 << 10];
    private int count;

    private ErrorBounds(long fromNanos, long toNanos) {
        this.fromNanos = fromNanos;
        this.toNanos = toNanos;
    }

    /**
     * Reads them.
     *
     * @param fromNanos calls that were due before are left out, on the clock of the run's only tester
     * @param toNanos from which on they are left out
     * @return {@code null} where more than one call in a hundred has none
     */
    static @Nullable Spread read(Path run, long fromNanos, long toNanos) throws IOException {
        ErrorBounds bounds = new ErrorBounds(fromNanos, toNanos);
        SampleReader.read(run.resolve(RunFiles.SAMPLES), bounds);
        return bounds.spread();
    }

    @Override
    public void block(Block header, ByteBuffer data) throws IOException {
        if (header.kind() != Block.CALLS) {
            return;
        }
        calls.decode(data, header);
        boolean bounded = calls.has(SampleColumn.ERROR_IN) && calls.has(SampleColumn.ERROR_OUT);
        for (int row = 0; row < calls.rows(); row++) {
            if (calls.intendedNanos(row) >= fromNanos
                    && calls.intendedNanos(row) < toNanos
                    && calls.outcome(row).equals(Outcome.OK)) {
                add(
                        bounded
                                ? sum(calls.value(SampleColumn.ERROR_IN, row), calls.value(SampleColumn.ERROR_OUT, row))
                                : CallWriter.UNKNOWN);
            }
        }
    }

    private static long sum(long in, long out) {
        return in == CallWriter.UNKNOWN || out == CallWriter.UNKNOWN ? CallWriter.UNKNOWN : in + out;
    }

    private void add(long width) {
        if (count == widths.length) {
            widths = Arrays.copyOf(widths, 2 * count);
        }
        widths[count++] = width;
    }

    @Override
    public void damaged(Path file, long offset, String reason) {
        // The run has just been written, and its analysis says so.
    }

    private @Nullable Spread spread() {
        Arrays.sort(widths, 0, count);
        if (count == 0 || quantile(0.99) == CallWriter.UNKNOWN) {
            return null;
        }
        return new Spread(quantile(0.5) / 1e6, quantile(0.99) / 1e6);
    }

    private long quantile(double share) {
        return widths[(int) Math.max(0, Math.ceil(share * count) - 1)];
    }
}
