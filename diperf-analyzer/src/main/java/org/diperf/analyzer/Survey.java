package org.diperf.analyzer;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.diperf.core.run.RunRecord;
import org.diperf.core.run.RunRecord.StageRecord;
import org.diperf.core.sample.Block;
import org.diperf.core.sample.Calls;
import org.diperf.core.sample.Outcome;
import org.diperf.core.sample.SampleReader;

/**
 * A first look at the samples of a run whose plan alone does not tell what it offered: when clients with a quota, or that
 * retire, were done, and which level served most. Confined to one thread.
 */
final class Survey implements SampleReader.Visitor {

    /** What the plan alone does tell. */
    static final Survey NONE = new Survey(List.of());

    private static final int MOST_CLIENTS = 1 << 24;

    private final List<StageShape> shapes;
    private final long[] okInStage;
    private final boolean sideBySide;
    private final Map<Integer, TesterClock> clocks = new HashMap<>();
    private final Map<Integer, BlockNumbers> blocks = new HashMap<>();
    private final Calls calls = new Calls();
    private long[] ends = new long[0];
    private long[] last = new long[16];
    private boolean[] failed = new boolean[16];
    private long lastEnd;
    /** The stage that was found last. */
    private int hint;

    private Survey(List<StageShape> shapes) {
        this.shapes = shapes;
        this.okInStage = new long[shapes.size()];
        this.sideBySide = shapes.stream().anyMatch(shape -> shape.record().group() != null);
    }

    /** Says whether the plan of a run needs it. */
    static boolean isNeeded(RunRecord run) {
        boolean levels = run.stages().stream().anyMatch(stage -> stage.level() != null);
        return levels && run.search() == null || run.stages().stream().anyMatch(Survey::isNeeded);
    }

    private static boolean isNeeded(StageRecord stage) {
        return StageShape.isUnbounded(stage) || StageShape.hasQuota(stage) || StageShape.retiresClients(stage);
    }

    static Survey of(RunRecord run, ClockFile clockFile, Path samples) throws IOException {
        Survey survey = new Survey(StageShape.of(run.stages(), Long.MAX_VALUE));
        SampleReader.read(samples, new SampleReader.Visitor() {
            @Override
            public void block(Block header, ByteBuffer data) throws IOException {
                survey.clocks.computeIfAbsent(header.tester(), number -> TesterClock.of(run, clockFile, header));
                survey.block(header, data);
            }

            @Override
            public void damaged(Path file, long offset, String reason) {
                survey.damaged(file, offset, reason);
            }
        });
        return survey;
    }

    @Override
    public void block(Block header, ByteBuffer data) throws IOException {
        BlockNumbers seen = blocks.computeIfAbsent(header.tester(), number -> new BlockNumbers());
        TesterClock clock = clocks.get(header.tester());
        if (header.kind() != Block.CALLS || clock == null || seen.contains(header.number())) {
            return;
        }
        calls.decode(data, header);
        seen.add(header.number());
        int ok = calls.outcomes().indexOf(Outcome.OK);
        int dropped = calls.outcomes().indexOf(Outcome.DROPPED);
        boolean[] failures = new boolean[calls.outcomes().size()];
        for (int i = 0; i < failures.length; i++) {
            failures[i] = Outcome.isFailure(calls.outcomes().get(i));
        }
        if (ends.length < calls.rows()) {
            ends = new long[calls.rows()];
        }
        clock.sinceStart(calls.intendedNanos(), calls.latencyNanos(), ends, calls.rows());
        for (int row = 0; row < calls.rows(); row++) {
            int outcome = calls.outcomeIndex(row);
            long end = Math.max(0, ends[row]);
            lastEnd = Math.max(lastEnd, end);
            int client = calls.client(row);
            if (client >= 0 && client < MOST_CLIENTS && outcome != dropped) {
                ended(client, end, failures[outcome]);
            }
            if (outcome == ok) {
                int stage = stageAt(end);
                if (stage >= 0 && end >= shapes.get(stage).settled()) {
                    okInStage[stage]++;
                }
            }
        }
    }

    @Override
    public void damaged(Path file, long offset, String reason) {
        // Counted in the pass that counts all.
    }

    private void ended(int client, long end, boolean isFailure) {
        if (client >= last.length) {
            int length = Math.min(MOST_CLIENTS, Math.max(client + 1, 2 * last.length));
            last = Arrays.copyOf(last, length);
            failed = Arrays.copyOf(failed, length);
        }
        if (end >= last[client]) {
            last[client] = end;
            failed[client] = isFailure;
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
            StageShape shape = shapes.get(middle);
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

    /** Gives the end of the last call of all. */
    long lastEnd() {
        return lastEnd;
    }

    /** Gives the end of a client's last call; 0: it made none. */
    long lastEnd(int client) {
        return client < last.length ? last[client] : 0;
    }

    /** Says whether a client's last call failed. */
    boolean failedLast(int client) {
        return client < failed.length && failed[client];
    }

    /** Counts the ok calls that ended in the settled part of a stage. */
    long ok(int stage) {
        return stage < okInStage.length ? okInStage[stage] : 0;
    }
}
