package org.diperf.plugins.formats;

import java.io.IOException;
import java.io.OutputStream;
import java.util.List;
import org.diperf.core.spi.CallExport;
import org.diperf.core.spi.ExportPlugin;
import org.diperf.core.spi.ExportedCall;
import org.diperf.core.spi.ExportedRun;
import org.diperf.core.spi.ExportedRun.ExportedMetric;

/** One line a call (RFC 4180, with line feeds); every number as it was measured, what is not known empty. */
public final class CsvFormat implements ExportPlugin {

    /** The columns that every file has; metrics come behind, as {@code name (unit)}, then trace ids. */
    static final List<String> COLUMNS = List.of(
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
            "first");

    @Override
    public String id() {
        return "csv";
    }

    @Override
    public String summary() {
        return "one line per call, with all measured values";
    }

    @Override
    public CallExport begin(ExportedRun run, OutputStream to) throws IOException {
        Utf8Writer out = new Utf8Writer(to);
        out.put(String.join(",", COLUMNS));
        for (ExportedMetric metric : run.metrics()) {
            out.put(',').field(header(metric));
        }
        if (run.traced()) {
            out.put(",trace");
        }
        out.put('\n');
        return new Lines(run, out, EpochNanos.of(run.startedAt()));
    }

    /** Names the column of a metric. */
    static String header(ExportedMetric metric) {
        return metric.unit().isEmpty() ? metric.name() : metric.name() + " (" + metric.unit() + ")";
    }

    private record Lines(ExportedRun run, Utf8Writer out, long startEpochNanos) implements CallExport {

        @Override
        public void add(ExportedCall call) throws IOException {
            out.put(startEpochNanos + call.intendedNanos()).put(',').put(call.intendedNanos());
            known(call.lagNanos());
            out.put(',').put(call.responseNanos()).put(',').field(call.outcome());
            out.put(',').put(call.tester()).put(',').put(call.client());
            known(call.call());
            out.put(',').put(call.stage()).put(',').field(run.request(call.request()));
            out.put(',').field(run.target(call.target()));
            known(call.bytes());
            out.put(',').put(call.first() ? '1' : '0');
            for (int i = 0; i < run.metrics().size(); i++) {
                out.put(',');
                double value = call.metric(i);
                if (!Double.isNaN(value)) {
                    out.put(Decimals.plain(value));
                }
            }
            if (run.traced()) {
                out.put(',').put(call.trace());
            }
            out.put('\n');
        }

        private void known(long number) throws IOException {
            out.put(',');
            if (number != ExportedCall.UNKNOWN) {
                out.put(number);
            }
        }

        @Override
        public void close() throws IOException {
            out.flush();
        }
    }
}
