package org.diperf.analyzer.monitors;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.diperf.analyzer.run.PlausibilityCheck;
import org.diperf.analyzer.run.RunReader;
import org.diperf.analyzer.run.TesterBlocks;
import org.diperf.analyzer.run.TesterClock;
import org.diperf.core.run.AnnexRecord;
import org.diperf.core.run.MonitorRecord;
import org.diperf.core.run.RunRecord;
import org.diperf.core.sample.Block;
import org.diperf.core.sample.CallWriter;
import org.diperf.core.sample.Calls;
import org.diperf.core.sample.Observations;
import org.diperf.core.sample.SampleColumn;
import org.diperf.core.spi.Annex;

/**
 * How much a testbed can have added to a call, by an {@link Annex.Delay}. A call waits for a chain of steps, such as packets, each of
 * which begins after the one before has ended. Two bounds hold of how much later than declared the last of them ends, of which the
 * smaller counts:
 *
 * <ul>
 *   <li>the time, from the call's sending to its end, in which any step was overdue, because those of a chain are not overdue at the
 *       same time;
 *   <li>as many times the largest delay of a step in that time as steps fit one after another into it.
 * </ul>
 *
 * <p><b>Caveats.</b> What programs do because of a delay, such as sending again what is thought lost, is not bounded. Immutable.
 */
public final class AddedDelay {

    /** Nothing was late, or nobody knows. */
    public static final AddedDelay NONE = new AddedDelay(new Slices(0), 0);

    private static final double PERCENT = 100;
    private static final double NANOS_A_MILLI = 1e6;

    private final long[] begins;
    private final long[] ends;
    /** Time in which steps were overdue before each slice, ns, and at the end in all. */
    private final long[] before;

    private final long[] most;
    private final long stepNanos;

    private static final class Slices {
        private long[] begins;
        private long[] ends;
        private long[] overdue;
        private long[] most;
        private int count;

        Slices(int room) {
            begins = new long[room];
            ends = new long[room];
            overdue = new long[room];
            most = new long[room];
        }

        void add(long begin, long end, long nanos) {
            if (count == begins.length) {
                int room = 2 * Math.max(count, 512);
                begins = Arrays.copyOf(begins, room);
                ends = Arrays.copyOf(ends, room);
                overdue = Arrays.copyOf(overdue, room);
                most = Arrays.copyOf(most, room);
            }
            begins[count] = begin;
            ends[count] = end;
            overdue[count] = nanos;
            most[count] = 0;
            count++;
        }
    }

    private AddedDelay(Slices slices, long stepNanos) {
        this.begins = Arrays.copyOf(slices.begins, slices.count);
        this.ends = Arrays.copyOf(slices.ends, slices.count);
        this.most = Arrays.copyOf(slices.most, slices.count);
        this.before = new long[slices.count + 1];
        for (int i = 0; i < slices.count; i++) {
            before[i + 1] = before[i] + slices.overdue[i];
        }
        this.stepNanos = stepNanos;
    }

    /** Reads what the monitor kept of which an annex says that it tells of delays; of several annexes the first counts. */
    public static AddedDelay read(Path runDir, RunRecord run, List<AnnexRecord> annexes) throws IOException {
        List<MonitorRecord> monitors = run.monitors();
        RunReader reader = RunReader.ofMonitors(runDir, run);
        for (AnnexRecord annex : annexes) {
            Annex.Delay delay = annex.annex().delay();
            Integer number = monitors == null || delay == null
                    ? null
                    : monitors.stream()
                            .filter(monitor -> monitor.name().equals(annex.monitor()))
                            .map(MonitorRecord::number)
                            .findFirst()
                            .orElse(null);
            if (delay != null && number != null && reader.isPresent()) {
                Scan scan = new Scan(number, delay);
                reader.read(scan);
                return new AddedDelay(scan.slices, delay.stepNanos());
            }
        }
        return NONE;
    }

    private static final class Scan implements RunReader.Sink {

        private final int monitor;
        private final String overdue;
        private final String largest;
        private final Slices slices = new Slices(0);
        private final Observations observations = new Observations();
        private long lastAt;
        private boolean isBegun;

        Scan(int monitor, Annex.Delay delay) {
            this.monitor = monitor;
            this.overdue = "rate " + delay.share() + " [";
            this.largest = "gauge " + delay.largest() + " [";
        }

        @Override
        public void calls(Block header, ByteBuffer data, TesterBlocks tester) {}

        @Override
        public void observations(Block header, ByteBuffer data, TesterBlocks tester) throws IOException {
            if (header.tester() != monitor) {
                return;
            }
            observations.decode(data, header);
            for (int row = 0; row < observations.rows(); row++) {
                String metric = observations.metric(row);
                double value = observations.value(row);
                if (metric.startsWith(overdue)) {
                    long at = tester.clock().sinceStart(observations.timeNanos(row));
                    if (isBegun && at > lastAt && PlausibilityCheck.isValue(value) && value > 0) {
                        slices.add(lastAt, at, Math.round(Math.min(PERCENT, value) / PERCENT * (at - lastAt)));
                    }
                    isBegun = true;
                    lastAt = Math.max(lastAt, at);
                } else if (metric.startsWith(largest)
                        && PlausibilityCheck.isValue(value)
                        && slices.count > 0
                        && tester.clock().sinceStart(observations.timeNanos(row)) == slices.ends[slices.count - 1]) {
                    slices.most[slices.count - 1] = Math.round(value * NANOS_A_MILLI);
                }
            }
        }
    }

    /** Returns whether nothing was late, as far as is known. */
    public boolean isNothing() {
        return begins.length == 0;
    }

    /**
     * Returns by how much what happened between two instants can have been held up, ns.
     *
     * @param from ns after the start of the run
     * @param to likewise
     */
    public long atMost(long from, long to) {
        int first = firstBehind(ends, from);
        int behind = first;
        long largest = 0;
        while (behind < begins.length && begins[behind] < to) {
            largest = Math.max(largest, most[behind]);
            behind++;
        }
        if (behind == first) {
            return 0;
        }
        long overdue = before[behind]
                - before[first]
                - beyond(first, from - begins[first], from)
                - beyond(behind - 1, ends[behind - 1] - to, to);
        long together = Math.min(to - from, overdue);
        if (stepNanos <= 0) {
            return together;
        }
        long steps = (to - from) / stepNanos;
        return largest == 0 || steps < together / largest + 1 ? Math.min(together, steps * largest) : together;
    }

    /** Of a slice that is cut off, what must lie outside even if as much as can be lies inside. */
    private long beyond(int slice, long outside, long at) {
        if (outside <= 0) {
            return 0;
        }
        long inside = ends[slice] - begins[slice] - outside;
        assert at > begins[slice] && at < ends[slice] : "the cut lies outside the slice";
        return Math.max(0, before[slice + 1] - before[slice] - inside);
    }

    /**
     * Adds to the bounds of calls what can have held up each of them: as if it had been noticed so much later than it came.
     *
     * @param calls decoded with the bounds, where their block has them
     * @param clock of their tester, by whose error they may lie earlier or later
     */
    public void addTo(Calls calls, TesterClock clock) {
        if (isNothing() || !calls.has(SampleColumn.ERROR_IN)) {
            return;
        }
        long[] errors = calls.values(SampleColumn.ERROR_IN);
        for (int row = 0; row < calls.rows(); row++) {
            if (errors[row] != CallWriter.UNKNOWN) {
                long local = calls.intendedNanos(row) + calls.latencyNanos(row);
                long end = clock.sinceStart(local);
                long sent = end - (calls.latencyNanos(row) - calls.lagNanos(row));
                long off = clock.boundNanos(local);
                errors[row] = Math.min(Long.MAX_VALUE / 2, errors[row]) + atMost(sent - off, end + off);
            }
        }
    }

    /** Finds the first of some rising numbers that is above another. */
    private static int firstBehind(long[] numbers, long than) {
        int low = 0;
        int high = numbers.length;
        while (low < high) {
            int middle = low + high >>> 1;
            if (numbers[middle] <= than) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }
}
