package org.diperf.plugins.formats;

import java.io.IOException;
import java.io.OutputStream;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.diperf.core.spi.CallExport;
import org.diperf.core.spi.ExportPlugin;
import org.diperf.core.spi.ExportedCall;
import org.diperf.core.spi.ExportedRun;

/** One JSON object a call, with the names of the CSV file's columns; what is not known is absent. */
public final class JsonLinesFormat implements ExportPlugin {

    private static final int MAX_WORDS = 10_000;

    @Override
    public String id() {
        return "json-lines";
    }

    @Override
    public String summary() {
        return "one JSON object per call, with all measured values";
    }

    @Override
    public CallExport begin(ExportedRun run, OutputStream to) {
        return new Lines(run, new Utf8Writer(to), EpochNanos.of(run.startedAt()));
    }

    private static final class Lines implements CallExport {

        private final ExportedRun run;
        private final Utf8Writer out;
        private final long startEpochNanos;
        private final List<String> metrics;
        private final Map<String, String> words = new HashMap<>();

        Lines(ExportedRun run, Utf8Writer out, long startEpochNanos) {
            this.run = run;
            this.out = out;
            this.startEpochNanos = startEpochNanos;
            this.metrics = run.metrics().stream()
                    .map(CsvFormat::header)
                    .map(Lines::quoted)
                    .toList();
        }

        @Override
        public void add(ExportedCall call) throws IOException {
            out.put("{\"intended_epoch_ns\":").put(startEpochNanos + call.intendedNanos());
            out.put(",\"intended_ns\":").put(call.intendedNanos());
            known(",\"send_lag_ns\":", call.lagNanos());
            out.put(",\"response_ns\":").put(call.responseNanos());
            out.put(",\"outcome\":").put(word(call.outcome()));
            out.put(",\"tester\":").put(call.tester()).put(",\"client\":").put(call.client());
            known(",\"call\":", call.call());
            out.put(",\"stage\":").put(call.stage());
            out.put(",\"request\":").put(word(run.request(call.request())));
            out.put(",\"target\":").put(word(run.target(call.target())));
            known(",\"bytes\":", call.bytes());
            out.put(call.first() ? ",\"first\":true" : ",\"first\":false");
            for (int i = 0; i < metrics.size(); i++) {
                double value = call.metric(i);
                if (Double.isFinite(value)) {
                    out.put(',').put(metrics.get(i)).put(':').put(Decimals.plain(value));
                }
            }
            String trace = call.trace();
            if (!trace.isEmpty()) {
                out.put(",\"trace\":\"").put(trace).put('"');
            }
            out.put("}\n");
        }

        private void known(String name, long number) throws IOException {
            if (number != ExportedCall.UNKNOWN) {
                out.put(name).put(number);
            }
        }

        private String word(String text) {
            String known = words.get(text);
            if (known == null) {
                known = quoted(text);
                if (words.size() < MAX_WORDS) {
                    words.put(text, known);
                }
            }
            return known;
        }

        private static String quoted(String text) {
            StringBuilder quoted = new StringBuilder("\"");
            for (int i = 0; i < text.length(); i++) {
                char c = text.charAt(i);
                if (c == '"' || c == '\\') {
                    quoted.append('\\').append(c);
                } else if (c < ' ') {
                    quoted.append("\\u00")
                            .append(Character.forDigit(c >> 4, 16))
                            .append(Character.forDigit(c & 15, 16));
                } else {
                    quoted.append(c);
                }
            }
            return quoted.append('"').toString();
        }

        @Override
        public void close() throws IOException {
            out.flush();
        }
    }
}
