package org.diperf.tester.engine.stage;

import java.util.List;
import org.diperf.core.plan.ClosedLoad;
import org.diperf.core.plan.Load;
import org.diperf.core.plan.OpenLoad;
import org.diperf.core.plan.Plan;
import org.diperf.core.plan.Stage;
import org.diperf.tester.engine.call.RunSetup;
import org.diperf.tester.engine.loop.CallLoop;
import org.diperf.tester.engine.loop.ClientState;
import org.diperf.tester.engine.loop.StageRun;
import org.diperf.tester.engine.loop.Stages;
import org.diperf.tester.engine.loop.TimerHeap;
import org.jspecify.annotations.Nullable;

/** Leads one loop from stage to stage of a plan that may grow meanwhile. Confined to the loop. */
public final class StageSequencer implements Stages {

    private final CallLoop loop;
    private final RunSetup setup;
    private final Runnable whenOver;
    private final TimerHeap.Due nextStage = new TimerHeap.Due(false, this::beginStage);
    private final TimerHeap.Due end;
    private @Nullable StageRun current;
    private long runStart;
    private int begun;

    /** @param whenOver run when a plan that does not grow is over */
    public StageSequencer(CallLoop loop, RunSetup setup, Runnable whenOver) {
        this.loop = loop;
        this.setup = setup;
        this.whenOver = whenOver;
        this.end = new TimerHeap.Due(false, nowNanos -> whenOver.run());
    }

    @Override
    public void start(long startNanos, long nowNanos) {
        runStart = startNanos;
        List<Stage> stages = setup.plan().stages();
        while (begun + 1 < stages.size() && stages.get(begun + 1).startNanos() <= setup.joinNanos()) {
            begun++;
        }
        beginStage(nowNanos);
    }

    @Override
    public @Nullable StageRun current() {
        return current;
    }

    private void beginStage(long nowNanos) {
        Stage stage = setup.plan().stages().get(begun++);
        Load load = stage.load();
        long stageStart = runStart + stage.startNanos();
        StageRun next = load instanceof ClosedLoad closed
                ? new ClosedStage(loop, this, setup, stage, closed, stageStart)
                : new OpenStage(loop, setup, stage, (OpenLoad) load, stageStart);
        leave(next);
        current = next;
        grown();
        next.begin(nowNanos);
        loop.clients().renewReleased();
    }

    @Override
    public void opened(ClientState cell) {
        StageRun run = current;
        if (run != null) {
            run.opened(cell, loop.nanoTime());
        }
    }

    @Override
    public long untilNextStart(ClientState cell, long nowNanos) {
        StageRun run = current;
        if (run == null) {
            // Between two stages; who is released there is looked at again when the next one has begun.
            return NEVER;
        }
        long inThis = run.untilStart(cell, nowNanos);
        if (inThis != NEVER) {
            return inThis;
        }
        List<Stage> stages = setup.plan().stages();
        for (int i = begun; i < stages.size(); i++) {
            Stage stage = stages.get(i);
            boolean hasPlace = cell.place() < loop.clients().openedAhead(stage);
            if (!(stage.load() instanceof ClosedLoad closed)) {
                if (hasPlace) {
                    return runStart + stage.startNanos() - nowNanos;
                }
            } else if (ClosedStage.takesPart(closed, hasPlace, cell.index())) {
                return runStart + stage.startNanos() + closed.clientStartNanos(cell.index()) - nowNanos;
            }
        }
        return NEVER;
    }

    @Override
    public void grown() {
        StageRun run = current;
        if (run == null) {
            return;
        }
        Plan plan = setup.plan();
        List<Stage> stages = plan.stages();
        run.endAt(runStart + plan.endNanos(stages.get(begun - 1)));
        if (begun < stages.size()) {
            loop.timers().arm(nextStage, runStart + stages.get(begun).startNanos());
        }
        if (!plan.grows()) {
            loop.timers().arm(end, runStart + plan.lengthNanos());
        }
    }

    @Override
    public void leave() {
        leave(null);
        loop.timers().disarm(nextStage);
        loop.timers().disarm(end);
    }

    private void leave(@Nullable StageRun next) {
        StageRun run = current;
        current = null;
        if (run != null) {
            run.leave(next);
            loop.unready();
        }
    }

    /** Returns whether the next stage follows by this instant. */
    boolean isFollowedBy(long nanos) {
        return nextStage.isArmed() && nextStage.atNanos() - nanos <= 0;
    }

    /** Notes that no client of the current stage will ever call in it again. */
    void exhausted() {
        Plan plan = setup.plan();
        if (!plan.grows() && begun == plan.stages().size()) {
            whenOver.run();
        }
    }
}
