package org.diperf.core.run;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * One tester.
 *
 * @param number from 1
 * @param host its name for the machine
 * @param started whether it was told to start
 * @param lostNanos instant from which its load does not count, after the start of the run: from when on nothing was
 *     heard of it, or, where it came back, when its lease ran out; {@code null}: not lost
 * @param lostReason in words, also why it did not start; {@code null}: not lost
 * @param startNanos the start instant it was told, on its own clock; {@code null} when it was never told
 * @param sent calls it says it sent
 * @param dropped arrivals it says it dropped
 * @param lateEnds ends of calls that came after they were recorded or twice, ignored
 * @param stuckClients clients that did not let go of a call and were replaced
 * @param rejected what its clients could not use, kind to count
 * @param facts what it ran on: name to value, in the order to show (JVM, flags, cores, memory, operating system)
 * @param slot its share of the load, from 1 in the whole run; 0: it had none, and the others shared its load
 * @param replaces number of the lost tester whose share it took; {@code null}: none
 * @param joinedNanos from when on it began calls, after the start of the run; {@code null}: from the start
 * @param returnedNanos when it was heard again after it was lost; its load stayed stopped; {@code null}: never
 * @param node name of the node it was placed on; {@code null}: the testbed does not tell
 */
public record TesterRecord(
        int number,
        String host,
        boolean started,
        @Nullable Long lostNanos,
        @Nullable String lostReason,
        @Nullable Long startNanos,
        long sent,
        long dropped,
        long lateEnds,
        int stuckClients,
        Map<String, Long> rejected,
        Map<String, String> facts,
        int slot,
        @Nullable Integer replaces,
        @Nullable Long joinedNanos,
        @Nullable Long returnedNanos,
        @Nullable String node) {

    /** Returns the same record with the texts that the tester and its testbed gave changed. */
    TesterRecord masked(UnaryOperator<String> mask) {
        Map<String, Long> maskedKinds = new LinkedHashMap<>();
        rejected.forEach((kind, count) -> maskedKinds.merge(mask.apply(kind), count, Long::sum));
        Map<String, String> maskedFacts = new LinkedHashMap<>();
        facts.forEach((name, value) -> maskedFacts.put(name, mask.apply(value)));
        return new TesterRecord(
                number,
                mask.apply(host),
                started,
                lostNanos,
                lostReason == null ? null : mask.apply(lostReason),
                startNanos,
                sent,
                dropped,
                lateEnds,
                stuckClients,
                maskedKinds,
                maskedFacts,
                slot,
                replaces,
                joinedNanos,
                returnedNanos,
                node);
    }

    /** Makes a tester that took part from the start, with the slot of its number. */
    public TesterRecord(
            int number,
            String host,
            boolean started,
            @Nullable Long lostNanos,
            @Nullable String lostReason,
            @Nullable Long startNanos,
            long sent,
            long dropped,
            long lateEnds,
            int stuckClients,
            Map<String, Long> rejected,
            Map<String, String> facts) {
        this(
                number,
                host,
                started,
                lostNanos,
                lostReason,
                startNanos,
                sent,
                dropped,
                lateEnds,
                stuckClients,
                rejected,
                facts,
                number,
                null,
                null,
                null,
                null);
    }
}
