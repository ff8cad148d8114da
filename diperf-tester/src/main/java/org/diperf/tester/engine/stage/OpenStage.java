package org.diperf.tester.engine.stage;

import java.util.ArrayDeque;
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
 * is sent at once, however late; nothing is filled in or left out. Where no client with a connection is free an arrival waits for one: for a
 * new connection, or until a call ends. So few connections are opened at a time, and a moment in which calls pile up costs no storm of handshakes.
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
    private final TimerHeap.Due expiry = new TimerHeap.Due(false, this::expire);
    private final OpenLoad load;
    private final boolean debug;
    private final SlotStack free = new SlotStack();
    /** Of clients that have not connected. */
    private final SlotStack unconnected = new SlotStack();

    private final ArrayDeque<Arrival> waiting = new ArrayDeque<>();
    private boolean serving;
    private long endNanos;
    private long drawn;
    private long nextNanos;
    private int nextPlace;

    /**
     * One that waits for a slot.
     *
     * @param sinceNanos when it was to be sent
     */
    private record Arrival(long intendedNanos, long sinceNanos) {}

    /** @param startNanos of the stage, on the tester's clock */
    OpenStage(CallLoop loop, RunSetup setup, Stage stage, OpenLoad load, long startNanos) {
        this.loop = loop;
        this.stage = stage;
        this.load = load;
        this.debug = setup.debug();
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
        (slot.connected ? free : unconnected).push(slot);
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
            if (loop.busy() >= places) {
                loop.drop(stage, intended);
                continue;
            }
            CallSlot slot = free.pop();
            if (slot == null) {
                waiting.add(new Arrival(intended, loop.nanoTime()));
                loop.waits(1);
                serve();
            } else {
                slot.waitedNanos = 0;
                loop.iterate(slot, stage, span, intended);
            }
        }
        armNext();
    }

    /** Gives slots to arrivals that wait, and connects for them. */
    private void serve() {
        if (serving) {
            return;
        }
        serving = true;
        while (!waiting.isEmpty()) {
            openNext();
            CallSlot slot = free.pop();
            if (slot != null) {
                iterate(slot, waiting.remove());
                continue;
            }
            boolean more = loop.connecting() < Math.min(waiting.size(), loop.mostConnecting(load));
            slot = more ? unconnected.pop() : null;
            if (slot == null) {
                break;
            }
            loop.connect(slot, stage, span);
        }
        serving = false;
        Arrival oldest = waiting.peek();
        if (oldest != null && !expiry.isArmed() && !debug) {
            loop.timers().arm(expiry, oldest.sinceNanos() + load.timeoutNanos());
        }
    }

    /** Opens clients until a slot is free, as far as there are places. */
    private void openNext() {
        while (free.isEmpty() && unconnected.isEmpty() && nextPlace < places) {
            opened(clientAt(nextPlace++), loop.nanoTime());
        }
    }

    private void iterate(CallSlot slot, Arrival waited) {
        loop.waits(-1);
        slot.waitedNanos = loop.nanoTime() - waited.sinceNanos();
        loop.iterate(slot, stage, span, waited.intendedNanos());
    }

    private void expire(long nowNanos) {
        for (Arrival oldest = waiting.peek();
                oldest != null && oldest.sinceNanos() + load.timeoutNanos() - nowNanos <= 0;
                oldest = waiting.peek()) {
            waiting.remove();
            loop.waits(-1);
            loop.expire(stage, oldest.intendedNanos(), oldest.sinceNanos(), nowNanos);
        }
        serve();
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
        loop.timers().disarm(expiry);
        while (!waiting.isEmpty()) {
            leave(waiting.remove());
        }
        free.clear();
        unconnected.clear();
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

    /** Begins the call of an arrival that waits still, whose client then connects for itself; there is one for each place. */
    private void leave(Arrival waits) {
        openNext();
        CallSlot slot = free.pop();
        slot = slot == null ? unconnected.pop() : slot;
        if (slot == null || loop.isStopping()) {
            loop.waits(-1);
            loop.leaveOut(stage, waits.intendedNanos());
        } else {
            iterate(slot, waits);
        }
    }

    @Override
    public void freed(CallSlot slot, long callEndNanos) {
        if (!slot.cell.retired) {
            push(slot);
            if (!waiting.isEmpty()) {
                serve();
            }
        }
    }

    @Override
    public void connected(CallSlot slot) {
        freed(slot, 0);
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
        free.remove(cell);
        unconnected.remove(cell);
    }
}
