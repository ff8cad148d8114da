package org.diperf.plugins.formats;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.diperf.core.spi.CallExport;
import org.diperf.core.spi.ExportPlugin;
import org.diperf.core.spi.ExportedCall;
import org.diperf.core.spi.ExportedRun;

/** Calls of a run, given outright; times are milliseconds after its start. */
final class MadeCalls {

    private static final double MILLI = 1e6;

    private final List<Call> calls = new ArrayList<>();
    private final Map<Integer, Long> numbers = new HashMap<>();
    private final List<String> requests;
    private final long quantumNanos;

    MadeCalls(long quantumNanos, String... requests) {
        this.quantumNanos = quantumNanos;
        this.requests = List.of(requests);
    }

    private record Call(
            int tester,
            int client,
            long call,
            int request,
            long intendedNanos,
            long lagNanos,
            long responseNanos,
            String outcome,
            long bytes)
            implements ExportedCall {

        @Override
        public int stage() {
            return 0;
        }

        @Override
        public int target() {
            return 0;
        }

        @Override
        public boolean first() {
            return false;
        }

        @Override
        public double metric(int index) {
            return Double.NaN;
        }
    }

    MadeCalls call(
            int tester, int client, int request, double due, double sent, double end, String outcome, long bytes) {
        long number = numbers.merge(client, 1L, Long::sum) - 1;
        calls.add(new Call(
                tester,
                client,
                number,
                request,
                Math.round(due * MILLI),
                Math.round((sent - due) * MILLI),
                Math.round((end - due) * MILLI),
                outcome,
                bytes));
        return this;
    }

    /** Returns the response times of ok calls, ms, rising. */
    double[] okMillis() {
        return calls.stream()
                .filter(call -> call.outcome.equals(ExportedCall.OK))
                .mapToDouble(call -> call.responseNanos / MILLI)
                .sorted()
                .toArray();
    }

    String written(ExportPlugin format) throws IOException {
        ExportedRun run = new ExportedRun(
                "made",
                Instant.parse("2026-11-21T10:00:00.123Z"),
                requests,
                List.of("http://127.0.0.1:8080/"),
                List.of(),
                false,
                quantumNanos);
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (CallExport export = format.begin(run, bytes)) {
            for (Call call : calls) {
                export.add(call);
            }
        }
        return bytes.toString(StandardCharsets.UTF_8);
    }
}
