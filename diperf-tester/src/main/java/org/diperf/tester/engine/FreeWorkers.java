package org.diperf.tester.engine;

import java.util.ArrayDeque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The workers that wait for an arrival of open load, the one that was freed last first. Thread-safe. */
final class FreeWorkers {

    /** What open load may do with a worker; guarded by this object's monitor. */
    enum Listing {
        /** It makes a call of its own, or is not there yet. */
        AWAY,
        /** It is among the free ones, once. */
        LISTED,
        /** It was given an arrival that it has not ended yet. */
        TAKEN
    }

    private final ArrayDeque<BlockingWorker> free = new ArrayDeque<>();
    private int places;

    /** Begins a stage with so many places in flight; workers that are still busy come by themselves. */
    synchronized void open(int stagePlaces, List<BlockingWorker> known) {
        close();
        places = stagePlaces;
        for (int i = known.size() - 1; i >= 0; i--) {
            BlockingWorker worker = known.get(i);
            if (!worker.isCalling()) {
                arrived(worker);
            }
        }
    }

    /** Ends a stage: nobody is free any more. */
    synchronized void close() {
        places = 0;
        free.forEach(worker -> worker.listing = Listing.AWAY);
        free.clear();
    }

    /** Takes the worker that was freed last, {@code null} when there is none. */
    synchronized @Nullable BlockingWorker take() {
        BlockingWorker worker = free.poll();
        while (worker != null && worker.isFinished()) {
            worker.listing = Listing.AWAY;
            worker = free.poll();
        }
        if (worker != null) {
            worker.listing = Listing.TAKEN;
        }
        return worker;
    }

    /** Notes a worker that is made for an arrival. */
    synchronized void taken(BlockingWorker worker) {
        worker.listing = Listing.TAKEN;
    }

    /** Lists a worker that has come to serve, unless it is known. */
    synchronized void arrived(BlockingWorker worker) {
        if (worker.listing == Listing.AWAY && worker.place() < places && !worker.isFinished()) {
            worker.listing = Listing.LISTED;
            free.push(worker);
        }
    }

    /** Lists a worker that has ended its arrival. */
    synchronized void freed(BlockingWorker worker) {
        worker.listing = Listing.AWAY;
        arrived(worker);
    }
}
