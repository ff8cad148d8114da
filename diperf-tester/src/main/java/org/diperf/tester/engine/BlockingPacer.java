package org.diperf.tester.engine;

import java.util.concurrent.locks.LockSupport;
import org.diperf.core.plan.ArrivalStream;
import org.diperf.core.plan.OpenLoad;
import org.diperf.core.plan.Stage;
import org.jspecify.annotations.Nullable;

/** The thread that goes from stage to stage of blocking load, and hands out the arrivals of those of open load. */
final class BlockingPacer {

    private final BlockingLoad load;
    private final RunSetup setup;
    private final Records records;
    private final FreeWorkers free = new FreeWorkers();
    private final Thread thread;
    private volatile int stagesOver;
    private volatile boolean idle = true;

    BlockingPacer(BlockingLoad load, RunSetup setup, Records records) {
        this.load = load;
        this.setup = setup;
        this.records = records;
        this.thread = new Thread(this::pace, "diperf-pacer");
        thread.setDaemon(true);
    }

    void start() {
        idle = false;
        thread.start();
    }

    void wake() {
        LockSupport.unpark(thread);
    }

    /** Says whether it gives no more arrivals, be it not started or at its end. */
    boolean isIdle() {
        return idle;
    }

    /** Counts the stages that are over. */
    int stagesOver() {
        return stagesOver;
    }

    FreeWorkers free() {
        return free;
    }

    private void pace() {
        try {
            Stage stage = load.awaitStage(0, load::isHalted);
            while (stage != null) {
                if (stage.load() instanceof OpenLoad open && !load.isHalted()) {
                    pace(stage, open);
                }
                Stage ending = stage;
                load.waitUntil(() -> load.endNanos(ending), load::isHalted);
                free.close();
                stagesOver = stage.number() + 1;
                load.wakeAll();
                stage = load.awaitStage(stage.number() + 1, load::isHalted);
            }
        } finally {
            idle = true;
            load.wakeWatchdog();
        }
    }

    private void pace(Stage stage, OpenLoad open) {
        int places = setup.clientsOf(stage);
        ArrivalStream arrivals = open.arrivals(
                setup.plan().seed(), stage.number(), setup.slot(), setup.plan().testers());
        long stageStart = load.startNanos() + stage.startNanos();
        free.open(places, load.workers());
        for (long next = arrivals.next(); next != ArrivalStream.END; next = arrivals.next()) {
            long intended = stageStart + next;
            if (stage.startNanos() + next < setup.joinNanos()) {
                continue;
            }
            boolean due = load.waitUntil(() -> intended, () -> load.isHalted() || intended - load.endNanos(stage) >= 0);
            if (!due) {
                return;
            }
            load.counts().delayed(load.now() - intended);
            BlockingWorker worker = takeFree(stage, places);
            if (worker == null) {
                records.addDropped(stage, intended);
                load.counts().dropped();
            } else {
                worker.give(new BlockingWorker.Arrival(stage, intended));
            }
        }
    }

    private @Nullable BlockingWorker takeFree(Stage stage, int places) {
        if (load.counts().inFlight() >= places) {
            return null;
        }
        BlockingWorker worker = free.take();
        return worker == null ? load.addNext(places, stage.number(), true) : worker;
    }
}
