package org.diperf.analyzer;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.diperf.analyzer.result.NetworkSummary.Rerouting;
import org.diperf.analyzer.run.PlausibilityCheck;
import org.diperf.analyzer.run.RunReader;
import org.diperf.analyzer.run.TesterBlocks;
import org.diperf.core.sample.Block;
import org.diperf.core.sample.Calls;
import org.diperf.core.sample.Outcome;
import org.diperf.core.spi.Testbed.Network;
import org.jspecify.annotations.Nullable;

/**
 * For how long clients had no answer after links of the network were changed: the longest time of a tester without a call that ended well, from the
 * change on and until the next one, to a millisecond. Reads the samples once more. Confined to one thread.
 */
final class Outages implements RunReader.Sink {

    private static final long MILLI = 1_000_000;
    /** Before a change, to compare with; what is before that does not count. */
    private static final long BEFORE_MILLIS = 10_000;
    /** After a change. */
    private static final long MAX_MILLIS = 3_600_000;

    private final Calls calls = new Calls();
    private final List<Window> windows = new ArrayList<>();

    /** What comes after a change. */
    private static final class Window {

        final Network.Rerouting rerouting;
        final long fromMillis;
        final long atMillis;
        final long untilMillis;
        final boolean isFirst;
        /** By tester, the milliseconds in which calls ended well. */
        final Map<Integer, BitSet> ends = new TreeMap<>();

        Window(Network.Rerouting rerouting, long untilNanos, boolean isFirst) {
            this.isFirst = isFirst;
            this.rerouting = rerouting;
            atMillis = rerouting.atNanos() / MILLI;
            fromMillis = Math.max(0, atMillis - BEFORE_MILLIS);
            untilMillis = Math.min(atMillis + MAX_MILLIS, untilNanos / MILLI);
        }

        void add(int tester, long endNanos) {
            long millis = endNanos / MILLI;
            if (millis >= fromMillis && millis < untilMillis) {
                ends.computeIfAbsent(tester, key -> new BitSet()).set((int) (millis - fromMillis));
            }
        }

        Rerouting result() {
            int at = (int) (atMillis - fromMillis);
            long outage = -1;
            long before = -1;
            for (BitSet ofTester : ends.values()) {
                int last = ofTester.nextSetBit(0);
                if (last >= at) {
                    // It had not begun.
                    continue;
                }
                for (int next = ofTester.nextSetBit(last + 1); next >= 0; next = ofTester.nextSetBit(next + 1)) {
                    if (next < at) {
                        before = Math.max(before, next - last);
                    } else {
                        outage = Math.max(outage, next - Math.max(last, at));
                    }
                    last = next;
                }
                outage = Math.max(outage, untilMillis - fromMillis - Math.max(last, at));
            }
            return new Rerouting(
                    rerouting.cause(),
                    millis(rerouting.atNanos()),
                    outage < 0 ? null : (Double) (double) outage,
                    before < 0 || !isFirst ? null : (Double) (double) before,
                    rerouting.broke(),
                    since(rerouting.restoredNanos()),
                    since(rerouting.settledNanos()));
        }

        private @Nullable Double since(@Nullable Long nanos) {
            return nanos == null ? null : (Double) millis(nanos - rerouting.atNanos());
        }

        private static double millis(long nanos) {
            return Math.round(nanos / 1e3) / 1e3;
        }
    }

    private Outages(List<Network.Rerouting> reroutings, long lengthNanos) {
        for (int i = 0; i < reroutings.size(); i++) {
            long next = i + 1 < reroutings.size() ? reroutings.get(i + 1).atNanos() : lengthNanos;
            if (reroutings.get(i).atNanos() < lengthNanos) {
                windows.add(new Window(reroutings.get(i), Math.min(next, lengthNanos), i == 0));
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
     * Returns what followed each change.
     *
     * @param lengthNanos of the run
     */
    static List<Rerouting> of(RunReader samples, List<Network.Rerouting> reroutings, long lengthNanos)
            throws IOException {
        Outages outages = new Outages(reroutings, lengthNanos);
        if (!outages.windows.isEmpty()) {
            samples.read(outages);
        }
        return outages.windows.stream().map(Window::result).toList();
    }
}
