package org.diperf.plugins.formats;

import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogWriter;
import org.diperf.core.spi.CallExport;
import org.diperf.core.spi.ExportPlugin;
import org.diperf.core.spi.ExportedCall;
import org.diperf.core.spi.ExportedRun;

/**
 * Response times of ok calls, in nanoseconds, as a log of histograms: one for each quantum in which calls ended, without
 * a tag, and where there are several kinds of request one more for each of them, with its name as the tag. The width of a
 * quantum doubles until there are at most {@link #MAX_QUANTA}.
 */
public final class HlogFormat implements ExportPlugin {

    static final int MAX_QUANTA = 4_096;
    private static final int MAX_TAGS = 100;
    private static final double MILLI = 1e6;
    private static final double SECOND = 1e9;
    /** Stands for all kinds of request. */
    private static final int ALL = -1;

    @Override
    public String id() {
        return "hlog";
    }

    @Override
    public String summary() {
        return "log of response time histograms in ns, one per interval and kind of request, for HdrHistogram's "
                + "tools";
    }

    @Override
    public CallExport begin(ExportedRun run, OutputStream to) {
        return new Log(run, to);
    }

    private static final class Log implements CallExport {

        private final ExportedRun run;
        private final OutputStream to;
        private final boolean tagged;
        private final CompressedHistograms intervals = new CompressedHistograms();
        private long quantum;

        Log(ExportedRun run, OutputStream to) {
            this.run = run;
            this.to = to;
            this.quantum = run.quantumNanos();
            this.tagged = run.requests().size() > 1 && run.requests().size() <= MAX_TAGS;
        }

        @Override
        public void add(ExportedCall call) {
            if (!call.outcome().equals(ExportedCall.OK)) {
                return;
            }
            long end = Math.max(0, call.intendedNanos() + call.responseNanos());
            while (end / quantum >= MAX_QUANTA) {
                quantum *= 2;
                intervals.halve();
            }
            int at = (int) (end / quantum);
            intervals.at(ALL, at).recordValue(Math.max(0, call.responseNanos()));
            if (tagged) {
                intervals.at(call.request(), at).recordValue(Math.max(0, call.responseNanos()));
            }
        }

        @Override
        public void close() throws IOException {
            PrintStream print = new PrintStream(to, false, StandardCharsets.UTF_8);
            HistogramLogWriter log = new HistogramLogWriter(print);
            long start = run.startedAt().toEpochMilli();
            log.outputComment("[Response times of ok calls in " + run.experiment() + ", ns; Interval_Max in ms]");
            log.outputLogFormatVersion();
            log.outputStartTime(start);
            log.setBaseTime(start);
            log.outputBaseTime(start);
            log.outputLegend();
            for (int at = 0; at < MAX_QUANTA; at++) {
                for (int request : intervals.tags(at)) {
                    Histogram one = intervals.at(request, at);
                    if (request != ALL) {
                        one.setTag(run.request(request).replaceAll("[\\s,]", "_"));
                    }
                    log.outputIntervalHistogram(at * quantum / SECOND, (at + 1) * quantum / SECOND, one, MILLI);
                }
            }
            print.flush();
            if (print.checkError()) {
                throw new IOException("The histogram log could not be written");
            }
        }
    }
}
