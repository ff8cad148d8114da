package org.diperf.analyzer;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.diperf.analyzer.run.PlausibilityCheck;
import org.diperf.analyzer.run.RunReader;
import org.diperf.analyzer.run.TesterBlocks;
import org.diperf.core.sample.Block;
import org.diperf.core.sample.Calls;
import org.diperf.core.sample.Outcome;
import org.diperf.core.spi.Annex.Asked;
import org.diperf.core.spi.Annex.What;

/**
 * For how long testers had no call that ended well, in the spans that annexes ask for, to a millisecond. Reads the samples once more.
 * Confined to one thread.
 */
final class Outages implements RunReader.Sink {

    private static final long MILLI = 1_000_000;
    /** Who had no call in that time before an outage has none. */
    private static final long BEFORE_MILLIS = 10_000;

    private static final long MAX_MILLIS = 3_600_000;

    private final Calls calls = new Calls();
    private final List<Window> windows = new ArrayList<>();

    private static final class Window {

        final Asked asked;
        final long beginMillis;
        final long atMillis;
        final long untilMillis;
        /** By tester, the milliseconds in which calls ended well. */
        final Map<Integer, BitSet> ends = new TreeMap<>();

        Window(Asked asked, long lengthNanos) {
            this.asked = asked;
            atMillis = asked.fromNanos() / MILLI;
            beginMillis = Math.max(0, asked.what() == What.OUTAGE ? atMillis - BEFORE_MILLIS : atMillis);
            untilMillis = Math.min(atMillis + MAX_MILLIS, Math.min(asked.toNanos(), lengthNanos) / MILLI);
        }

        void add(int tester, long endNanos) {
            long millis = endNanos / MILLI;
            if (millis >= beginMillis && millis < untilMillis) {
                ends.computeIfAbsent(tester, key -> new BitSet()).set((int) (millis - beginMillis));
            }
        }

        /** Returns the longest, ms; negative: there is none. */
        long longest() {
            return ends.values().stream()
                    .mapToLong(asked.what() == What.OUTAGE ? this::outage : Window::pause)
                    .max()
                    .orElse(-1);
        }

        private long outage(BitSet of) {
            int at = (int) (atMillis - beginMillis);
            int last = of.previousSetBit(at - 1);
            if (last < 0) {
                return -1;
            }
            long longest = -1;
            for (int next = of.nextSetBit(at); next >= 0; next = of.nextSetBit(next + 1)) {
                longest = Math.max(longest, next - Math.max(last, at));
                last = next;
            }
            return Math.max(longest, untilMillis - beginMillis - Math.max(last, at));
        }

        private static long pause(BitSet of) {
            long longest = -1;
            int last = of.nextSetBit(0);
            for (int next = of.nextSetBit(last + 1); next >= 0; next = of.nextSetBit(next + 1)) {
                longest = Math.max(longest, next - last);
                last = next;
            }
            return longest;
        }
    }

    private Outages(List<Asked> asked, long lengthNanos) {
        for (Asked each : asked) {
            if (each.fromNanos() >= 0 && each.fromNanos() < Math.min(each.toNanos(), lengthNanos)) {
                windows.add(new Window(each, lengthNanos));
            }
        }
    }

    @Override
    public void calls(Block header, ByteBuffer data, TesterBlocks of) throws IOException {
        calls.decode(data, header);
        PlausibilityCheck.check(header, calls);
        for (int row = 0; row < calls.rows(); row++) {
            if (calls.outcome(row).equals(Outcome.OK)) {
                long endNanos = of.clock().sinceStart(calls.intendedNanos(row) + calls.latencyNanos(row));
                windows.forEach(window -> window.add(header.tester(), endNanos));
            }
        }
    }

    /**
     * Finds them, ms; what nobody had is absent.
     *
     * @param asked for times alone
     * @param lengthNanos of the run
     */
    static Map<Asked, Double> of(RunReader samples, List<Asked> asked, long lengthNanos) throws IOException {
        Outages outages = new Outages(asked, lengthNanos);
        Map<Asked, Double> found = new HashMap<>();
        if (!outages.windows.isEmpty()) {
            samples.read(outages);
        }
        for (Window window : outages.windows) {
            long longest = window.longest();
            if (longest >= 0) {
                found.put(window.asked, (double) longest);
            }
        }
        return found;
    }
}
