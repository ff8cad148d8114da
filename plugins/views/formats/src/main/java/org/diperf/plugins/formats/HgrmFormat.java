package org.diperf.plugins.formats;

import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.HdrHistogram.Histogram;
import org.diperf.core.spi.CallExport;
import org.diperf.core.spi.ExportPlugin;
import org.diperf.core.spi.ExportedCall;
import org.diperf.core.spi.ExportedRun;

/** Response times of ok calls as a table of percentiles, in milliseconds, as HdrHistogram's plotters read it. */
public final class HgrmFormat implements ExportPlugin {

    private static final int DIGITS = 4;
    private static final int TICKS = 5;
    private static final double MILLI = 1e6;

    @Override
    public String id() {
        return "hgrm";
    }

    @Override
    public String summary() {
        return "response time percentiles in ms, for the HdrHistogram plotter";
    }

    @Override
    public CallExport begin(ExportedRun run, OutputStream to) {
        Histogram all = new Histogram(DIGITS);
        return new CallExport() {
            @Override
            public void add(ExportedCall call) {
                if (call.outcome().equals(ExportedCall.OK)) {
                    all.recordValue(Math.max(0, call.responseNanos()));
                }
            }

            @Override
            public void close() throws IOException {
                PrintStream print = new PrintStream(to, false, StandardCharsets.UTF_8);
                all.outputPercentileDistribution(print, TICKS, MILLI);
                print.flush();
                if (print.checkError()) {
                    throw new IOException("The percentiles could not be written");
                }
            }
        };
    }
}
