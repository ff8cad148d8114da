package org.diperf.tester.engine.stage;

import org.diperf.core.plan.ArrivalStream;
import org.diperf.core.plan.OpenLoad;
import org.diperf.core.plan.Stage;
import org.diperf.tester.engine.call.RunSetup;
import org.diperf.tester.engine.loop.CallLoop;
import org.diperf.tester.engine.loop.CallSlot;
import org.diperf.tester.engine.loop.ClientState;
import org.diperf.tester.engine.loop.Deadlines;
import org.diperf.tester.engine.loop.LoopClients;
import org.diperf.tester.engine.loop.StageRun;
import org.diperf.tester.engine.loop.Stages;
import org.diperf.tester.engine.loop.TimerHeap;
import org.jspecify.annotations.Nullable;

/**
 * Open load on one loop: its share of the tester's arrivals, each given to the slot that was freed last. All that is due
 * is sent at once, however late; nothing is filled in or left out.
 *
 * <p>The places in flight are handed out to the loops once, exactly, as the arrivals are; a loop asks no other at a call.
 * An arrival is therefore dropped when its own loop has no place left, though another one may have.
 */
final class OpenStage implements StageRun {

    /** Arrivals sent before I/O gets its turn. */
    private static final int BATCH = 512;

    private final CallLoop loop;
    private final Stage stage;
    private final Deadlines.Span span;
    private final long startNanos;
    private final long joinNanos;
    private final ArrivalStream arrivals;
    private final int places;
    private final int sharing;
    private final TimerHeap.Due arrival;
    private long endNanos;
    private long drawn;
    private long nextNanos;
    private int nextPlace;
    private @Nullable CallSlot free;

    /** @param startNanos of the stage, on the tester's clock */
    OpenStage(CallLoop loop, RunSetup setup, Stage stage, OpenLoad load, long startNanos) {
        this.loop = loop;
        this.stage = stage;
        this.span = loop.deadlines().of(load);
        this.startNanos = startNanos;
        this.endNanos = startNanos + load.lengthNanos();
        this.joinNanos = setup.joinNanos() - stage.startNanos();
        this.arrivals = load.arrivals(
                setup.plan().seed(), stage.number(), setup.slot(), setup.plan().testers());
        int ofTester = setup.clientsOf(stage);
        this.places = loop.share().ownPlaces(ofTester);
        // A loop without a place would drop its share of the arrivals.
        this.sharing = Math.max(1, Math.min(loop.share().loops(), ofTester));
        this.arrival = new TimerHeap.Due(true, this::send);
    }

    @Override
    public void begin(long nowNanos) {
        for (int i = Math.min(places, loop.clients().cells().size()) - 1; i >= 0; i--) {
            ClientState cell = loop.clients().cells().get(i);
            if (!cell.released) {
                takeIn(cell);
            }
        }
        draw();
        armNext();
    }

    private void takeIn(ClientState cell) {
        cell.enter(stage, null);
        CallSlot[] slots = cell.slots();
        for (int s = slots.length - 1; s >= 0; s--) {
            if (!slots[s].dead && !cell.retired) {
                slots[s].user = this;
                if (!slots[s].busy) {
                    push(slots[s]);
                }
            }
        }
    }

    private void push(CallSlot slot) {
        slot.linked = true;
        slot.linkedNext = free;
        free = slot;
    }

    private @Nullable CallSlot pop() {
        CallSlot slot = free;
        if (slot != null) {
            free = slot.linkedNext;
            slot.linked = false;
            slot.linkedNext = null;
        }
        return slot;
    }

    /** Draws this loop's next arrival: those of the tester whose number is the loop's modulo the number of loops. */
    private void draw() {
        long next = ArrivalStream.END;
        if (loop.share().index() < sharing) {
            do {
                next = arrivals.next();
            } while (next != ArrivalStream.END
                    && (drawn++ % sharing != loop.share().index() || next < joinNanos));
        }
        nextNanos = next;
    }

    private void armNext() {
        if (nextNanos != ArrivalStream.END) {
            loop.timers().arm(arrival, startNanos + nextNanos);
        }
    }

    private void send(long nowNanos) {
        int sent = 0;
        while (nextNanos != ArrivalStream.END && startNanos + nextNanos - nowNanos <= 0 && sent++ < BATCH) {
            long intended = startNanos + nextNanos;
            if (intended - endNanos >= 0) {
                nextNanos = ArrivalStream.END;
                return;
            }
            draw();
            CallSlot slot = takeFree();
            if (slot == null) {
                loop.drop(stage, intended);
            } else {
                loop.iterate(slot, stage, span, intended);
            }
        }
        armNext();
    }

    private @Nullable CallSlot takeFree() {
        if (loop.busy() >= places) {
            return null;
        }
        while (free == null && nextPlace < places) {
            opened(clientAt(nextPlace++), loop.nanoTime());
        }
        return pop();
    }

    /** Returns the client of a place, opened where it is not. */
    private ClientState clientAt(int place) {
        LoopClients clients = loop.clients();
        if (place >= clients.cells().size()) {
            return clients.openNext();
        }
        ClientState cell = clients.cells().get(place);
        return cell.released && !cell.retired ? clients.renew(cell) : cell;
    }

    @Override
    public void opened(ClientState cell, long nowNanos) {
        if (cell.stage != stage.number() && !cell.released && hasPlace(cell)) {
            takeIn(cell);
        }
    }

    private boolean hasPlace(ClientState cell) {
        return cell.place() / loop.share().loops() < places;
    }

    @Override
    public boolean keeps(ClientState cell) {
        return hasPlace(cell) && !cell.retired && !cell.released;
    }

    @Override
    public long untilStart(ClientState cell, long nowNanos) {
        boolean ahead = cell.place() < loop.clients().openedAhead(stage);
        return ahead && cell.stage != stage.number() ? startNanos - nowNanos : Stages.NEVER;
    }

    @Override
    public void endAt(long nanos) {
        endNanos = nanos;
    }

    @Override
    public void leave(@Nullable StageRun next) {
        loop.timers().disarm(arrival);
        while (pop() != null) {
            // it is unlinked, which is all
        }
        for (ClientState cell : loop.clients().cells()) {
            if (cell.lived && (next == null || !next.keeps(cell))) {
                loop.clients().release(cell);
            }
            for (CallSlot slot : cell.slots()) {
                slot.user = null;
            }
        }
        nextNanos = ArrivalStream.END;
    }

    @Override
    public void freed(CallSlot slot, long callEndNanos) {
        if (!slot.cell.retired) {
            push(slot);
        }
    }

    @Override
    public void startNext(CallSlot slot, long nowNanos) {
        throw new IllegalStateException("In open load, only arrivals start calls");
    }

    @Override
    public void replaced(ClientState old, ClientState fresh, long nowNanos) {
        unlist(old);
        takeIn(fresh);
    }

    @Override
    public void retired(ClientState cell) {
        unlist(cell);
        loop.clients().release(cell);
    }

    private void unlist(ClientState cell) {
        for (CallSlot slot : cell.slots()) {
            slot.user = null;
        }
        CallSlot kept = null;
        for (CallSlot slot = pop(); slot != null; slot = pop()) {
            if (slot.cell != cell) {
                slot.linkedNext = kept;
                kept = slot;
            }
        }
        while (kept != null) {
            CallSlot slot = kept;
            kept = slot.linkedNext;
            push(slot);
        }
    }
}
