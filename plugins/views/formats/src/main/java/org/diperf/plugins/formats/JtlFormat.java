package org.diperf.plugins.formats;

import java.io.IOException;
import java.io.OutputStream;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.diperf.core.spi.CallExport;
import org.diperf.core.spi.ExportPlugin;
import org.diperf.core.spi.ExportedCall;
import org.diperf.core.spi.ExportedRun;

/**
 * Results as JMeter writes them into a CSV file, for its report generator and those who read such files. Milliseconds;
 * {@code elapsed} is the response time, from the intended start. Calls that were never sent or never ended are left out,
 * as JMeter has none. The code of an ok call is {@code 200}, which JMeter writes of a sampler without codes of its own.
 *
 * <p><b>Caveats</b> {@code Latency} and {@code Connect} are what clients report as {@code connect}, {@code tls} and
 * {@code first-byte}, else 0; {@code allThreads} counts the clients that had made a call by then.
 */
public final class JtlFormat implements ExportPlugin {

    private static final double MILLI = 1e6;
    private static final long MILLI_NANOS = 1_000_000;
    private static final Pattern STATUS = Pattern.compile("status ([0-9]{3})");
    private static final String COLUMNS =
            "timeStamp,elapsed,label,responseCode,responseMessage,threadName,dataType,success,failureMessage,bytes,"
                    + "sentBytes,grpThreads,allThreads,URL,Latency,IdleTime,Connect";

    @Override
    public String id() {
        return "jtl";
    }

    @Override
    public String summary() {
        return "results in JMeter's CSV format, for its report generator";
    }

    @Override
    public CallExport begin(ExportedRun run, OutputStream to) throws IOException {
        Utf8Writer out = new Utf8Writer(to);
        out.put(COLUMNS).put('\n');
        return new Lines(run, out);
    }

    private static final class Lines implements CallExport {

        private final ExportedRun run;
        private final Utf8Writer out;
        private final long startEpochNanos;
        private final int connect;
        private final int tls;
        private final int firstByte;
        private final Map<Integer, BitSet> clients = new HashMap<>();
        private final Map<String, String> codes = new HashMap<>();
        private long threads;

        Lines(ExportedRun run, Utf8Writer out) {
            this.run = run;
            this.out = out;
            this.startEpochNanos = EpochNanos.of(run.startedAt());
            List<String> metrics =
                    run.metrics().stream().map(metric -> metric.name()).toList();
            this.connect = metrics.indexOf("connect");
            this.tls = metrics.indexOf("tls");
            this.firstByte = metrics.indexOf("first-byte");
        }

        @Override
        public void add(ExportedCall call) throws IOException {
            String outcome = call.outcome();
            if (outcome.equals(ExportedCall.DROPPED) || outcome.equals(ExportedCall.UNFINISHED)) {
                return;
            }
            boolean ok = outcome.equals(ExportedCall.OK);
            long connected = millis(millisOf(call, connect) + millisOf(call, tls));
            long first = millis(millisOf(call, connect) + millisOf(call, tls) + millisOf(call, firstByte));
            out.put(Math.floorDiv(startEpochNanos + call.intendedNanos(), MILLI_NANOS));
            out.put(',').put(Math.round(call.responseNanos() / MILLI));
            out.put(',').field(run.request(call.request()));
            out.put(',').field(ok ? "200" : codes.computeIfAbsent(outcome, Lines::code));
            out.put(',').field(ok ? "OK" : outcome);
            out.put(",tester-")
                    .put(call.tester())
                    .put(' ')
                    .put(call.tester())
                    .put('-')
                    .put(call.client());
            out.put(ok ? ",text,true," : ",text,false,");
            if (!ok) {
                out.field(outcome);
            }
            out.put(',').put(Math.max(0, call.bytes()));
            out.put(",0,").put(threads(call)).put(',').put(threads);
            out.put(',').field(run.target(call.target()));
            out.put(',').put(first).put(",0,").put(connected).put('\n');
        }

        private static String code(String outcome) {
            Matcher status = STATUS.matcher(outcome);
            return status.matches() ? status.group(1) : "Non HTTP response code: " + outcome;
        }

        private static double millisOf(ExportedCall call, int metric) {
            double value = metric < 0 ? 0 : call.metric(metric);
            return Double.isNaN(value) ? 0 : value;
        }

        private static long millis(double value) {
            return Math.round(value);
        }

        private long threads(ExportedCall call) {
            BitSet of = clients.computeIfAbsent(call.tester(), number -> new BitSet());
            int client = Math.max(0, call.client());
            if (!of.get(client)) {
                of.set(client);
                threads++;
            }
            return of.cardinality();
        }

        @Override
        public void close() throws IOException {
            out.flush();
        }
    }
}
