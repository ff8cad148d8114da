package org.diperf.analyzer;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.diperf.core.plan.ArrivalStream;
import org.diperf.core.plan.OpenLoad;
import org.diperf.core.run.RunRecord;
import org.diperf.core.run.RunRecord.StageRecord;
import org.diperf.core.run.RunRecord.TesterRecord;
import org.jspecify.annotations.Nullable;

/**
 * What the plan offered, as far as the run followed it: when which client was active, and where the peak lies. All times are
 * ns after the start of the run.
 */
final class Offered {

    private static final long COUNTED_ONE_BY_ONE = 100_000_000;

    /** A part of the run; {@code clients} of closed load, -1 in open load. */
    record Part(long from, long to, int clients) {}

    /** The clients of a closed stage by number; those that never ran have {@code from == to}. */
    record Spans(int stage, long[] from, long[] to) {}

    private final RunRecord run;
    private final long runEnd;
    private final List<Spans> spans = new ArrayList<>();
    private final boolean[] steady;
    private final @Nullable Part peak;

    /** @param runEnd when the run ended, if it was cut short; else {@link Long#MAX_VALUE} */
    Offered(RunRecord run, long runEnd) {
        this.run = run;
        this.runEnd = runEnd;
        this.steady = new boolean[run.testers().size()];
        for (int i = 0; i < steady.length; i++) {
            TesterRecord tester = run.testers().get(i);
            steady[i] = tester.started() && tester.lostNanos() == null;
        }
        Part longest = null;
        for (StageRecord stage : run.stages()) {
            Part part = isClosed(stage) ? closed(stage) : open(stage);
            if (part != null && (longest == null || better(part, longest))) {
                longest = part;
            }
        }
        this.peak = longest;
    }

    private static boolean better(Part part, Part than) {
        return part.clients() > than.clients()
                || (part.clients() == than.clients() && part.to() - part.from() > than.to() - than.from());
    }

    static boolean isClosed(StageRecord stage) {
        return stage.model().equals("closed");
    }

    boolean isClosed() {
        return !spans.isEmpty();
    }

    List<Spans> spans() {
        return spans;
    }

    @Nullable
    Part peak() {
        return peak;
    }

    /** Says whether a client's tester took part to the end. */
    boolean isSteady(int client) {
        return steady[client % steady.length];
    }

    /** Gives the end of the plan. */
    long plannedEnd() {
        return run.stages().stream().mapToLong(StageRecord::endNanos).max().orElse(0);
    }

    int clients() {
        return spans.stream().mapToInt(stage -> stage.from().length).max().orElse(0);
    }

    private @Nullable Part closed(StageRecord stage) {
        int clients = or(stage.clients(), 0);
        long every = or(stage.startEveryNanos(), 0L);
        long runFor = or(stage.runForNanos(), stage.endNanos() - stage.startNanos());
        Spans made = new Spans(stage.number(), new long[clients], new long[clients]);
        long lastStart = -1;
        long firstEnd = Long.MAX_VALUE;
        int steadyClients = 0;
        for (int i = 0; i < clients; i++) {
            TesterRecord tester = run.testers().get(i % run.testers().size());
            long from = stage.startNanos() + i * every;
            long until = Math.min(runEnd, or(tester.lostNanos(), Long.MAX_VALUE));
            made.from()[i] = from;
            made.to()[i] = tester.started() ? Math.max(from, Math.min(from + runFor, until)) : from;
            if (steady[i % steady.length] && from < runEnd) {
                lastStart = Math.max(lastStart, from);
                firstEnd = Math.min(firstEnd, made.to()[i]);
                steadyClients++;
            }
        }
        spans.add(made);
        return steadyClients > 0 && lastStart < firstEnd ? new Part(lastStart, firstEnd, steadyClients) : null;
    }

    private @Nullable Part open(StageRecord stage) {
        long from = stage.startNanos() + or(stage.rampNanos(), 0L);
        long to = Math.min(runEnd, stage.endNanos());
        return from < to ? new Part(from, to, -1) : null;
    }

    private static <T> T or(@Nullable T value, T otherwise) {
        return value == null ? otherwise : value;
    }

    /** Gives the clients' spans as a time-weighted count. */
    Overlap active(long quantum, long durationNanos) {
        Overlap active = new Overlap(Quanta.MOST);
        for (Spans stage : spans) {
            for (int i = 0; i < stage.from().length; i++) {
                active.add(stage.from()[i], Math.min(durationNanos, stage.to()[i]), quantum);
            }
        }
        return active;
    }

    /** Lists all instants at which a client starts or ends, rising, each once. */
    long[] boundaries() {
        return spans.stream()
                .flatMapToLong(stage ->
                        java.util.stream.LongStream.concat(Arrays.stream(stage.from()), Arrays.stream(stage.to())))
                .sorted()
                .distinct()
                .toArray();
    }

    /** Gives the end of what the plan wanted a tester to do. */
    long plannedEndOf(int tester) {
        long end = 0;
        for (StageRecord stage : run.stages()) {
            if (!isClosed(stage)) {
                end = Math.max(end, stage.endNanos());
                continue;
            }
            int clients = or(stage.clients(), 0);
            int testers = run.testers().size();
            if (clients >= tester) {
                long last = (clients - tester) / testers * (long) testers + tester - 1;
                long runFor = or(stage.runForNanos(), stage.endNanos() - stage.startNanos());
                end = Math.max(end, stage.startNanos() + last * or(stage.startEveryNanos(), 0L) + runFor);
            }
        }
        return end;
    }

    /** Lists the parts in which the load grew. */
    List<Part> ramps() {
        List<Part> ramps = new ArrayList<>();
        for (StageRecord stage : run.stages()) {
            long length = isClosed(stage)
                    ? Math.max(0, or(stage.clients(), 1) - 1) * or(stage.startEveryNanos(), 0L)
                    : or(stage.rampNanos(), 0L);
            long to = Math.min(runEnd, stage.startNanos() + length);
            if (to > stage.startNanos()) {
                ramps.add(new Part(stage.startNanos(), to, 0));
            }
        }
        return ramps;
    }

    /** Counts the arrivals that the plan has in each of some windows; closed stages have none. */
    long[] arrivals(List<Part> windows) {
        long[] counts = new long[windows.size()];
        for (StageRecord stage : run.stages()) {
            if (!isClosed(stage)) {
                count(stage, windows, counts);
            }
        }
        return counts;
    }

    private void count(StageRecord stage, List<Part> windows, long[] counts) {
        long ramp = or(stage.rampNanos(), 0L);
        boolean constant = "constant".equals(stage.arrivals());
        OpenLoad load = new OpenLoad(
                or(stage.perSecond(), 0.0),
                constant ? OpenLoad.Arrivals.CONSTANT : OpenLoad.Arrivals.POISSON,
                ramp,
                stage.endNanos() - stage.startNanos() - ramp,
                or(stage.maxInFlight(), 1),
                stage.timeoutNanos());
        if (constant || load.expectedArrivals() > COUNTED_ONE_BY_ONE) {
            // Without Poisson's scatter where there are too many to be drawn again.
            for (int i = 0; i < counts.length; i++) {
                long from = Math.max(0, windows.get(i).from() - stage.startNanos());
                long to = Math.min(load.lengthNanos(), windows.get(i).to() - stage.startNanos());
                counts[i] += Math.max(0, before(load, to) - before(load, from));
            }
            return;
        }
        int testers = run.testers().size();
        for (int tester = 1; tester <= testers; tester++) {
            ArrivalStream stream = load.arrivals(run.seed(), stage.number(), tester, testers);
            for (long at = stream.next(); at != ArrivalStream.END; at = stream.next()) {
                for (int i = 0; i < counts.length; i++) {
                    long global = at + stage.startNanos();
                    counts[i] += global >= windows.get(i).from()
                                    && global < windows.get(i).to()
                            ? 1
                            : 0;
                }
            }
        }
    }

    /** Counts evenly spaced arrivals before an instant of the stage. */
    private static long before(OpenLoad load, long instant) {
        long low = 0;
        long high = (long) load.expectedArrivals() + 2;
        while (low < high) {
            long middle = (low + high) >>> 1;
            if ((long) load.instantNanos(middle) < instant) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }
}
