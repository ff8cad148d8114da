package org.diperf.analyzer.load;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.diperf.analyzer.run.CallCounter;
import org.diperf.analyzer.run.CountingThreads;
import org.diperf.analyzer.run.Outcomes;
import org.diperf.analyzer.run.Outcomes.Endings;
import org.diperf.analyzer.run.PlausibilityCheck;
import org.diperf.analyzer.run.RunReader;
import org.diperf.analyzer.run.TesterClock;
import org.diperf.core.run.RunRecord;
import org.diperf.core.run.StageRecord;
import org.diperf.core.sample.Block;
import org.diperf.core.sample.Calls;
import org.diperf.core.sample.CorruptBlockException;
import org.jspecify.annotations.Nullable;

/**
 * A first look at the samples of a run whose plan alone does not tell what it offered: when clients with a quota, or that
 * retire, were done, and which level served most. Confined to one thread.
 */
public final class FirstPass implements CallCounter {

    /** What the plan alone does tell. */
    public static final FirstPass NONE = new FirstPass(List.of(), null);

    private static final int MAX_CLIENTS = 1 << 24;

    private final List<StageTiming> shapes;
    private final @Nullable ClientOwners owners;
    private final long[] okInStage;
    private final boolean sideBySide;
    private final Map<Integer, TesterClock> clocks = new HashMap<>();
    private final Calls calls = new Calls();
    private long[] ends = new long[0];
    private long[] last = new long[16];
    private boolean[] failed = new boolean[16];
    private long lastEnd;
    /** The stage that was found last. */
    private int hint;

    private FirstPass(List<StageTiming> shapes, @Nullable ClientOwners owners) {
        this.owners = owners;
        this.shapes = shapes;
        this.okInStage = new long[shapes.size()];
        this.sideBySide = shapes.stream().anyMatch(shape -> shape.record().group() != null);
    }

    /** Returns whether the plan of a run needs it. */
    public static boolean isNeeded(RunRecord run) {
        boolean levels = run.stages().stream().anyMatch(stage -> stage.level() != null);
        return levels && run.search() == null || run.stages().stream().anyMatch(FirstPass::isNeeded);
    }

    private static boolean isNeeded(StageRecord stage) {
        return StageTiming.isUnbounded(stage) || StageTiming.hasQuota(stage) || StageTiming.retiresClients(stage);
    }

    /** @param number of threads that count; 0: the caller's */
    public static FirstPass of(RunRecord run, RunReader reader, int number) throws IOException {
        FirstPass first = new FirstPass(StageTiming.of(run.stages(), Long.MAX_VALUE), ClientOwners.of(run));
        Outcomes outcomes = new Outcomes(run);
        try (CountingThreads<FirstPass> threads =
                new CountingThreads<>(first, () -> new FirstPass(first.shapes, first.owners), number)) {
            reader.read((header, data, tester) ->
                    threads.add(header, data, tester.clock(), outcomes.of(Calls.outcomeWords(data, header))));
            threads.finish().forEach(first::addAll);
        }
        return first;
    }

    @Override
    public void count(Block header, ByteBuffer data, TesterClock clock, Endings endings) throws CorruptBlockException {
        calls.decode(data, header);
        PlausibilityCheck.check(header, calls);
        if (owners != null) {
            owners.check(header, calls);
        }
        if (ends.length < calls.rows()) {
            ends = new long[calls.rows()];
        }
        clocks.computeIfAbsent(header.tester(), number -> clock.copy())
                .sinceStart(calls.intendedNanos(), calls.latencyNanos(), ends, calls.rows());
        for (int row = 0; row < calls.rows(); row++) {
            int outcome = endings.numbers()[calls.outcomeIndex(row)];
            long end = Math.max(0, ends[row]);
            lastEnd = Math.max(lastEnd, end);
            int client = calls.client(row);
            if (client >= 0 && client < MAX_CLIENTS && outcome != Outcomes.DROPPED) {
                ended(client, end, outcome >= Outcomes.TIMEOUT);
            }
            if (outcome == Outcomes.OK) {
                int stage = stageAt(end);
                if (stage >= 0 && end >= shapes.get(stage).settled()) {
                    okInStage[stage]++;
                }
            }
        }
    }

    @Override
    public void damaged(String what) {
        // Counted in the pass that counts all.
    }

    private void addAll(FirstPass other) {
        for (int i = 0; i < okInStage.length; i++) {
            okInStage[i] += other.okInStage[i];
        }
        for (int client = 0; client < other.last.length; client++) {
            if (other.last[client] > 0 || other.failed[client]) {
                ended(client, other.last[client], other.failed[client]);
            }
        }
        lastEnd = Math.max(lastEnd, other.lastEnd);
    }

    /** Of calls that ended at the same instant, one that failed counts, in whichever order they come. */
    private void ended(int client, long end, boolean isFailure) {
        if (client >= last.length) {
            int length = Math.min(MAX_CLIENTS, Math.max(client + 1, 2 * last.length));
            last = Arrays.copyOf(last, length);
            failed = Arrays.copyOf(failed, length);
        }
        if (end > last[client]) {
            last[client] = end;
            failed[client] = isFailure;
        } else if (end == last[client]) {
            failed[client] |= isFailure;
        }
    }

    /** Finds the stage under way; groups have no levels, and nobody asks for theirs. */
    private int stageAt(long at) {
        if (sideBySide) {
            return -1;
        }
        if (at >= shapes.get(hint).start() && at < shapes.get(hint).end()) {
            return hint;
        }
        int low = 0;
        int high = shapes.size() - 1;
        while (low <= high) {
            int middle = (low + high) >>> 1;
            StageTiming shape = shapes.get(middle);
            if (at < shape.start()) {
                high = middle - 1;
            } else if (at >= shape.end()) {
                low = middle + 1;
            } else {
                hint = middle;
                return middle;
            }
        }
        return -1;
    }

    /** Returns the end of the last call of all. */
    long lastEnd() {
        return lastEnd;
    }

    /** Returns the end of a client's last call; 0: it made none. */
    long lastEnd(int client) {
        return client < last.length ? last[client] : 0;
    }

    /** Returns whether a client's last call failed. */
    boolean failedLast(int client) {
        return client < failed.length && failed[client];
    }

    /** Counts the ok calls that ended in the settled part of a stage. */
    long ok(int stage) {
        return stage < okInStage.length ? okInStage[stage] : 0;
    }
}
