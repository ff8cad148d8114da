package org.diperf.analyzer.load;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.function.IntPredicate;
import org.diperf.analyzer.result.Series;
import org.diperf.analyzer.sets.TimeWeightedCount;
import org.diperf.core.plan.ClosedLoad;
import org.diperf.core.plan.OpenLoad;
import org.diperf.core.run.RunRecord;
import org.diperf.core.run.TesterRecord;
import org.jspecify.annotations.Nullable;

/**
 * What the plan offered, as far as the run followed it: when which client was active, and where the peak lies. A client that
 * continues from one stage into the next is active all the time. All times are ns after the start of the run.
 */
public final class PlannedLoad {

    /** A part of the run; {@code clients} of closed load, -1 in open load. */
    public record Part(long from, long to, int clients) {}

    private static final long[] NEVER = {};

    private final long runEnd;
    private final FirstPass survey;
    private final ClientShares shares;
    private final List<StageTiming> stages;
    private final boolean closed;
    private final SlotHistory slotHistory;
    private final boolean hasQuota;
    /** Of each client begin and end, begin and end, ... of the times in which it was active, rising. */
    private final long[][] spans;

    private final @Nullable Part peak;

    /**
     * @param runEnd when the run ended, if it was cut short; else {@link Long#MAX_VALUE}
     * @param doubtful numbers of levels that are known to be in doubt
     */
    public PlannedLoad(RunRecord run, long runEnd, FirstPass survey, Set<Integer> doubtful) {
        this.runEnd = runEnd;
        this.survey = survey;
        this.shares = ClientShares.of(run);
        this.stages = StageTiming.of(run.stages(), survey.lastEnd());
        this.hasQuota = stages.stream().map(StageTiming::record).anyMatch(StageTiming::hasQuota);
        this.closed = stages.stream().anyMatch(StageTiming::isClosed);
        this.slotHistory = new SlotHistory(run, shares);
        this.spans = new long
                [stages.stream()
                        .mapToInt(stage -> stage.isClosed() ? first(stage) + stage.clients() : 0)
                        .max()
                        .orElse(0)]
                [];
        Arrays.fill(spans, NEVER);
        for (StageTiming stage : stages) {
            ClosedLoad closedLoad = stage.record().closed();
            if (closedLoad != null) {
                addSpans(stage, closedLoad);
            }
        }
        this.peak = new Peak(this, survey, doubtful).find(run);
    }

    private void addSpans(StageTiming stage, ClosedLoad load) {
        boolean quota = StageTiming.hasQuota(stage.record());
        boolean retires = StageTiming.retiresClients(stage.record());
        for (int index = 0; index < stage.clients(); index++) {
            int client = first(stage) + index;
            for (TesterRecord tester : slotHistory.of(client)) {
                if (!tester.started()) {
                    continue;
                }
                long until = Math.min(runEnd, StageTiming.or(tester.lostNanos(), Long.MAX_VALUE));
                if (quota || retires && survey.failedLast(client)) {
                    until = Math.min(until, survey.lastEnd(client));
                }
                long from = Math.max(SlotHistory.from(tester), stage.clientStart(load, index));
                long to = Math.min(until, stage.clientEnd(load, index));
                if (from < to) {
                    spans[client] = with(spans[client], from, to);
                }
            }
        }
    }

    /** Returns the number of the first client of a stage in the whole run. */
    private int first(StageTiming stage) {
        return shares.firstClient(shares.of(stage.record()));
    }

    private static long[] with(long[] spans, long from, long to) {
        int n = spans.length;
        if (n > 0 && spans[n - 1] >= from) {
            spans[n - 1] = Math.max(to, spans[n - 1]);
            return spans;
        }
        long[] longer = Arrays.copyOf(spans, n + 2);
        longer[n] = from;
        longer[n + 1] = to;
        return longer;
    }

    public boolean isClosed() {
        return closed;
    }

    public List<StageTiming> stages() {
        return stages;
    }

    /** Returns the end of the run, if it was cut short; else {@link Long#MAX_VALUE}. */
    public long runEnd() {
        return runEnd;
    }

    /** Returns begin and end, begin and end, ... of the times in which a client was active, rising. */
    public long[] spans(int client) {
        return client < spans.length ? spans[client] : NEVER;
    }

    /**
     * Returns the first instant behind one of a client's spans. A quota ends it with a call, which belongs to it: the whole run may be
     * that call.
     *
     * @param begin where the span begins in {@link #spans}
     */
    long behind(int client, int begin) {
        long end = spans[client][begin + 1];
        return end == survey.lastEnd(client) && hasQuota ? end + 1 : end;
    }

    /** Returns whether a client was active all through a part of the run. */
    public boolean isActive(int client, long from, long to) {
        long[] of = spans(client);
        for (int i = 0; i < of.length; i += 2) {
            if (of[i] <= from && behind(client, i) >= to) {
                return true;
            }
        }
        return false;
    }

    @Nullable
    public Part peak() {
        return peak;
    }

    /** Returns which tester had which share of the plan. */
    public SlotHistory slotHistory() {
        return slotHistory;
    }

    /** Returns whether a client took part to the end: its last tester was not lost, and it did not retire. */
    public boolean isSteady(int client) {
        return slotHistory.isKept(client) && !retired(client);
    }

    private boolean retired(int client) {
        return survey.failedLast(client)
                && stages.stream().map(StageTiming::record).anyMatch(StageTiming::retiresClients);
    }

    /** Returns the end of the plan: a quota that is used up ends it early. */
    public long plannedEnd() {
        long end = stages.stream().mapToLong(StageTiming::end).max().orElse(0);
        return hasQuota ? Math.min(end, survey.lastEnd()) : end;
    }

    /** Returns the first number that no client of closed load has. */
    public int clients() {
        return spans.length;
    }

    /** Counts the clients of closed load: of groups the sum of the most that each has. */
    public int closedClients() {
        int[] most = new int[shares.count()];
        for (StageTiming stage : stages) {
            int share = shares.of(stage.record());
            most[share] = Math.max(most[share], stage.clients());
        }
        return Arrays.stream(most).sum();
    }

    /** Returns the highest rate of open load, per second, of groups their sum; {@code null} where there is none. */
    @Nullable
    public Double highestRate() {
        double[] highest = new double[shares.count()];
        for (StageTiming stage : stages) {
            OpenLoad load = stage.open();
            int share = shares.of(stage.record());
            if (load != null) {
                highest[share] = Math.max(highest[share], Math.max(load.fromPerSecond(), load.perSecond()));
            }
        }
        double sum = Arrays.stream(highest).sum();
        return sum == 0 ? null : sum;
    }

    public ClientShares shares() {
        return shares;
    }

    /** Returns the clients' spans as a time-weighted count. */
    public TimeWeightedCount active(long quantum, long durationNanos) {
        return active(quantum, durationNanos, client -> true);
    }

    /** Returns the spans of some clients as a time-weighted count. */
    public TimeWeightedCount active(long quantum, long durationNanos, IntPredicate which) {
        TimeWeightedCount active = new TimeWeightedCount(Series.MAX_QUANTA);
        for (int client = 0; client < spans.length; client++) {
            long[] of = spans[client];
            for (int i = 0; which.test(client) && i < of.length; i += 2) {
                active.add(of[i], Math.min(durationNanos, of[i + 1]), quantum);
            }
        }
        return active;
    }

    /** Lists all instants at which a client starts or ends, rising, each once. */
    public long[] boundaries() {
        return Arrays.stream(spans)
                .flatMapToLong(Arrays::stream)
                .sorted()
                .distinct()
                .toArray();
    }

    /** Returns the end of what the plan wanted a tester to do. */
    public long plannedEndOf(TesterRecord tester) {
        long end = 0;
        int share = shares.ofSlot(tester.slot());
        for (StageTiming stage : stages) {
            if (shares.of(stage.record()) != share) {
                continue;
            }
            ClosedLoad load = stage.record().closed();
            if (load == null) {
                end = Math.max(end, stage.end());
                continue;
            }
            for (int i = 0; i < stage.clients(); i++) {
                if (shares.slotOf(first(stage) + i) == tester.slot()) {
                    end = Math.max(end, stage.clientEnd(load, i));
                }
            }
        }
        return end;
    }

    /** Lists the parts in which the load grew. */
    public List<Part> ramps() {
        List<Part> ramps = new ArrayList<>();
        for (StageTiming stage : stages) {
            long to = Math.min(runEnd, stage.grewUntil());
            if (to > stage.start()) {
                ramps.add(new Part(stage.start(), to, 0));
            }
        }
        return ramps;
    }

    /** Returns the calls that quotas allow; -1 where there is none, or not in every group. */
    public long quotaCalls() {
        long[] quotas = new long[shares.count()];
        for (StageTiming stage : stages) {
            int share = shares.of(stage.record());
            quotas[share] = Math.max(quotas[share], quotaCalls(stage));
        }
        boolean all = Arrays.stream(quotas).allMatch(quota -> quota > 0);
        return all ? Arrays.stream(quotas).sum() : -1;
    }

    private static long quotaCalls(StageTiming stage) {
        ClosedLoad load = stage.record().closed();
        return load == null ? 0 : load.quota().calls();
    }
}
