package org.diperf.tester.engine.loop;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.Consumer;
import org.diperf.core.plan.ClosedLoad;
import org.diperf.core.plan.Stage;
import org.diperf.core.sample.Outcome;
import org.diperf.core.spi.AsyncClient;
import org.diperf.core.spi.Client;
import org.diperf.tester.engine.bounds.ReceiveTimes;
import org.diperf.tester.engine.call.Failures;
import org.diperf.tester.engine.call.RunSetup;
import org.jspecify.annotations.Nullable;

/**
 * The clients of one loop. A client is released when its life in the load is
 * over, and closed when its last call has ended; when its place is due again a new client is opened there shortly before.
 * Clients are opened and closed one a turn of the loop, so that calls that are due meanwhile get theirs. Confined to its
 * loop.
 */
public final class LoopClients {

    /** How long before it is due a client is opened again. */
    static final long OPEN_AHEAD_NANOS = 1_000_000_000L;

    private static final int MAX_CALLS_AT_ONCE = 1_000;

    private final CallLoop loop;
    private final RunSetup setup;
    private final ClientFactory maker;
    private final @Nullable ReceiveTimes looks;
    private final List<ClientState> cells = new ArrayList<>();
    /** Those whose place was given to another before they were closed. */
    private final List<ClientState> replaced = new ArrayList<>();

    private final ArrayDeque<ClientState> toClose = new ArrayDeque<>();
    private final ArrayDeque<ClientState> toRenew = new ArrayDeque<>();
    private int openAtMost;
    private int wanted;
    private int opening;
    private int closing;
    private boolean anySelfTimed;
    private boolean closeFailed;

    LoopClients(CallLoop loop, RunSetup setup, ClientFactory maker, @Nullable ReceiveTimes looks) {
        this.looks = looks;
        this.loop = loop;
        this.setup = setup;
        this.maker = maker;
    }

    /** Counts the places of a stage, among the tester's, whose clients are open before they are needed. */
    public int openedAhead(Stage stage) {
        int places = setup.clientsOf(stage);
        return stage.load() instanceof ClosedLoad ? places : Math.min(places, openAtMost);
    }

    /** Lists the clients by their places. */
    public List<ClientState> cells() {
        return Collections.unmodifiableList(cells);
    }

    // ---- opening ----

    /** Opens the clients that are to be open before the start: all of closed load, the first of open load. */
    void openFirst(int atMost) {
        openAtMost = atMost;
        grown();
        while (cells.size() < wanted) {
            openNext();
        }
    }

    /** Notes that the plan has grown, so that more clients may be wanted, or some again. */
    void grown() {
        for (Stage stage : setup.plan().stages()) {
            wanted = Math.max(wanted, loop.share().ownPlaces(openedAhead(stage)));
        }
        renewReleased();
        if (anySelfTimed && loop.stages().current() != null) {
            checkSelfTimed();
        }
    }

    /** Opens the client of the next place. */
    public ClientState openNext() {
        ClientState cell = open(loop.share().place(cells.size()));
        cells.add(cell);
        return cell;
    }

    /** Opens another client at the place of one that is stuck. */
    ClientState replace(ClientState old) {
        old.abandoned = true;
        return renew(old);
    }

    /** Opens another client at the place of one that is released or lost. */
    public ClientState renew(ClientState old) {
        loop.timers().disarm(old.renewal());
        ClientState fresh = open(old.place());
        fresh.numberFrom(old);
        cells.set(old.place() / loop.share().loops(), fresh);
        if (!old.closed) {
            replaced.add(old);
        }
        return fresh;
    }

    private ClientState open(int place) {
        int number = setup.plan().clientAt(setup.slot(), place);
        AsyncClient opened = null;
        String failure = null;
        int lanes = 1;
        ReceiveTimes.Client looked = new ReceiveTimes.Client();
        if (looks != null) {
            looks.serves(looked);
        }
        try {
            Client client = maker.newClient();
            if (!(client instanceof AsyncClient async)) {
                throw new IllegalStateException(
                        "Session.newClient: expected an AsyncClient, as declared by kind(); got "
                                + client.getClass().getName());
            }
            opened = async;
            async.open(maker.context(number, loop));
            lanes = async.callsAtOnce();
            if (lanes > 1 && setup.script().steps() > 0) {
                throw new IllegalStateException(
                        "client.before: expected clients that make one call at a time, got one that makes " + lanes
                                + " at once");
            }
            if (lanes < 1 || lanes > MAX_CALLS_AT_ONCE) {
                throw new IllegalStateException("callsAtOnce: expected 1 to " + MAX_CALLS_AT_ONCE + ", got " + lanes);
            }
        } catch (Throwable thrown) {
            lanes = 1;
            failure = notOpened(number, thrown);
        }
        if (looks != null) {
            looks.served();
        }
        ClientState cell = new ClientState(loop, place, number, setup.plan().indexOf(number), opened, failure, looked);
        if (opened instanceof ThreadedClient threaded) {
            opening++;
            cell.slots(threaded.slot(loop, cell, setup));
        } else {
            cell.slots(loop, setup, lanes);
        }
        return cell;
    }

    private String notOpened(int client, Throwable thrown) {
        String failure = Failures.outcome(thrown);
        setup.log("Client " + client + " could not be opened: " + Outcome.cause(failure));
        return failure;
    }

    /**
     * Notes that a client with a thread of its own has been opened.
     *
     * @param thrown by it, {@code null} when all went well
     */
    void opened(ClientState cell, boolean selfTimed, @Nullable Throwable thrown) {
        opening--;
        if (thrown != null) {
            cell.fail(notOpened(cell.client(), thrown));
        }
        anySelfTimed |= selfTimed;
        if (selfTimed && loop.stages().current() != null) {
            checkSelfTimed();
        }
    }

    private void checkSelfTimed() {
        try {
            setup.checkSelfTimed();
        } catch (IllegalArgumentException e) {
            setup.abort(String.valueOf(e.getMessage()), 0);
        }
    }

    /** Counts the clients that are being opened on their threads. */
    public int opening() {
        return opening;
    }

    /** Returns whether any client times its calls itself. */
    public boolean anySelfTimed() {
        return anySelfTimed;
    }

    // ---- the end of a client's life, and another one ----

    /** Notes that a client's life in the load is over; its calls in flight continue. Idempotent. */
    public void release(ClientState cell) {
        if (cell.released) {
            return;
        }
        cell.released = true;
        for (CallSlot slot : cell.slots()) {
            slot.user = null;
            slot.disarm();
            if (!slot.busy) {
                loop.deactivate(slot);
            } else if (slot.isSelfTimed()) {
                loop.endSelfTimed(slot, loop.nanoTime());
            }
        }
        closeWhenIdle(cell);
        renewWhenDue(cell);
    }

    /** Notes that a slot's iteration has ended. */
    void freed(CallSlot slot) {
        ClientState cell = slot.cell;
        if (cell.released) {
            loop.deactivate(slot);
            if (cell.closed) {
                slot.forget();
            }
            closeWhenIdle(cell);
        }
    }

    private void closeWhenIdle(ClientState cell) {
        if (!cell.isBusy() && !cell.closed) {
            toClose.add(cell);
        }
    }

    /** Has the places of all released clients opened again in time for their next start, as far as the plan is known. */
    public void renewReleased() {
        for (int i = 0; i < cells.size(); i++) {
            renewWhenDue(cells.get(i));
        }
    }

    private void renewWhenDue(ClientState cell) {
        if (!cell.released || cell.retired) {
            return;
        }
        long now = loop.nanoTime();
        long lead = loop.stages().untilNextStart(cell, now);
        if (lead == Stages.NEVER) {
            loop.timers().disarm(cell.renewal());
        } else {
            // Not before half the time has passed, so that a short stage without the client is one.
            loop.timers().arm(cell.renewal(), now + Math.max(lead / 2, lead - OPEN_AHEAD_NANOS));
        }
    }

    /** Queues a place whose next client is to be opened now. */
    void renewNow(ClientState cell) {
        toRenew.add(cell);
    }

    /** Returns whether clients wait to be opened or closed. */
    boolean haveWork() {
        return !toClose.isEmpty() || !toRenew.isEmpty() || cells.size() < wanted;
    }

    /** Opens or closes one of the clients that wait for it. */
    void workOnce() {
        ClientState closing = toClose.poll();
        if (closing != null) {
            close(closing);
            return;
        }
        ClientState old = toRenew.poll();
        if (old == null) {
            loop.stages().opened(openNext());
        } else if (cells.get(old.place() / loop.share().loops()) == old) {
            loop.stages().opened(renew(old));
        }
    }

    // ---- closing ----

    /** Closes all that are not closed. */
    void closeAll() {
        wanted = 0;
        toClose.clear();
        toRenew.clear();
        cells.forEach(this::close);
        List.copyOf(replaced).forEach(this::close);
    }

    private void close(ClientState cell) {
        AsyncClient client = cell.opened();
        if (cell.closed) {
            return;
        }
        cell.closed = true;
        replaced.remove(cell);
        for (CallSlot slot : cell.slots()) {
            slot.abandonCode();
            if (!slot.busy) {
                slot.forget();
            }
        }
        if (client == null) {
            return;
        }
        if (client instanceof ThreadedClient && !cell.isDead()) {
            closing++;
            loop.timers()
                    .arm(
                            cell.closeLimit(),
                            loop.nanoTime() + setup.longestTimeout().toNanos());
        }
        try {
            client.close();
        } catch (Throwable thrown) {
            notClosed(thrown);
        }
    }

    /** Notes that a client could not be closed. */
    void notClosed(Throwable thrown) {
        if (!closeFailed) {
            setup.log("A client could not be closed: " + Failures.describe(thrown));
        }
        closeFailed = true;
    }

    /** Notes that a client with a thread of its own has been closed, or that nobody waits for that any longer. */
    void closed(ClientState cell) {
        if (cell.closeLimit().isArmed()) {
            loop.timers().disarm(cell.closeLimit());
            closing--;
        }
    }

    /** Gives up a client that takes too long to close. */
    void closeLimitPassed(ClientState cell) {
        closing--;
        if (cell.opened() instanceof ThreadedClient threaded) {
            threaded.interrupt();
        }
        setup.log("Client " + cell.client() + " took too long to close and was abandoned");
        loop.clientClosed(cell);
    }

    /** Returns whether every client whose closing was begun is closed. */
    boolean areClosed() {
        return closing == 0;
    }

    /** Does something with every slot, those of replaced clients too. */
    void forEachSlot(Consumer<CallSlot> action) {
        for (ClientState cell : cells) {
            for (CallSlot slot : cell.slots()) {
                action.accept(slot);
            }
        }
        for (ClientState cell : replaced) {
            for (CallSlot slot : cell.slots()) {
                action.accept(slot);
            }
        }
    }
}
