package org.diperf.analyzer.load;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.diperf.analyzer.run.RunReader;
import org.diperf.analyzer.run.TesterBlocks;
import org.diperf.core.sample.Block;
import org.diperf.core.sample.CallWriter;
import org.diperf.core.sample.Calls;
import org.diperf.core.sample.Outcome;
import org.diperf.core.sample.SampleColumn;

/**
 * Finds from when on the load generator was warm, by nothing but its own part of the calls: how late they were sent, and the bounds on what it
 * added to them. A service that is slow at first moves nothing. Confined to one thread.
 */
public final class ColdStart implements RunReader.Sink {

    private static final long SLICE_NANOS = 100_000_000L;
    private static final int LONGEST_SLICES = 30;
    /** What is never more than warming up: the rest of a part has to be longer. */
    private static final int SHARE = 3;

    private static final int WARM_SLICES = 5;
    private static final long ADDED_NANOS = 1_000_000L;
    private static final double COLD_SHARE = 0.01;
    /** Blocks that begin later have nothing but calls that took very long. */
    private static final long LATEST_NANOS = 15_000_000_000L;

    private final Calls calls = new Calls(SampleColumn.ERROR_IN, SampleColumn.ERROR_OUT);
    private final long from;
    private final int[] all;
    private final int[] cold;

    private ColdStart(long from, int slices) {
        this.from = from;
        this.all = new int[slices];
        this.cold = new int[slices];
    }

    /**
     * Returns how much of a part is to be left out: until 99 % of the calls due in each tenth of a second, for half a second, had at most half of their
     * time added by the load generator, or at most 1 ms. A load generator that is not warm after 3 s or a third of the part never is: then it is 0.
     *
     * @param from ns after the start of the run
     * @param to likewise
     */
    public static long nanos(RunReader reader, long from, long to) throws IOException {
        int most = (int) Math.max(0, Math.min(LONGEST_SLICES, (to - from) / SHARE / SLICE_NANOS));
        ColdStart start = new ColdStart(from, most + WARM_SLICES);
        reader.read(start);
        int warm = 0;
        for (int i = 0; i < start.all.length; i++) {
            warm = start.cold[i] > COLD_SHARE * start.all[i] ? 0 : warm + 1;
            if (warm == WARM_SLICES) {
                return (i + 1 - warm) * SLICE_NANOS;
            }
        }
        return 0;
    }

    @Override
    public void calls(Block header, ByteBuffer data, TesterBlocks tester) throws IOException {
        if (tester.clock().sinceStart(header.firstNanos()) - from > LATEST_NANOS) {
            return;
        }
        calls.decode(data, header);
        for (int row = 0; row < calls.rows(); row++) {
            long since = tester.clock().sinceStart(calls.intendedNanos(row)) - from;
            long slice = Math.floorDiv(since, SLICE_NANOS);
            if (slice >= 0 && slice < all.length && calls.outcome(row).equals(Outcome.OK)) {
                all[(int) slice]++;
                long added =
                        calls.lagNanos(row) + error(SampleColumn.ERROR_IN, row) + error(SampleColumn.ERROR_OUT, row);
                cold[(int) slice] += added > ADDED_NANOS && 2 * added > calls.latencyNanos(row) ? 1 : 0;
            }
        }
    }

    /** A call without bounds, of which many clients have a few, says nothing here. */
    private long error(SampleColumn column, int row) {
        long error = calls.has(column) ? calls.value(column, row) : 0;
        return error == CallWriter.UNKNOWN ? 0 : error;
    }
}
