package org.diperf.core.contract;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.diperf.core.spi.ImportedCall;
import org.diperf.core.spi.ImportedCalls;

/** Keeps calls that are imported, copied, since their object may be reused. Used by one test thread. */
public final class ImportProbe implements ImportedCalls.Sink {

    private final List<Call> calls = new ArrayList<>();
    private final List<String> skipped = new ArrayList<>();

    /** What was read of a call. */
    public record Call(
            int tester,
            int client,
            int request,
            int target,
            long intendedNanos,
            long runStartNanos,
            long lagNanos,
            long responseNanos,
            String outcome,
            boolean isCause,
            long bytes,
            boolean isFirst,
            List<Double> metrics) {}

    @Override
    public void add(ImportedCall call) {
        calls.add(new Call(
                call.tester(),
                call.client(),
                call.request(),
                call.target(),
                call.intendedNanos(),
                call.runStartNanos(),
                call.lagNanos(),
                call.responseNanos(),
                call.outcome(),
                call.isCause(),
                call.bytes(),
                call.isFirst(),
                Arrays.stream(call.metrics()).boxed().toList()));
    }

    @Override
    public void skip(String reason) {
        skipped.add(reason);
    }

    /** Returns the calls, as they were read. */
    public List<Call> calls() {
        return List.copyOf(calls);
    }

    /** Returns why rows were skipped. */
    public List<String> skipped() {
        return List.copyOf(skipped);
    }

    /** Counts the calls by how they ended. */
    public Map<String, Long> outcomes() {
        Map<String, Long> outcomes = new TreeMap<>();
        calls.forEach(call -> outcomes.merge(call.outcome(), 1L, Long::sum));
        return outcomes;
    }
}
