package org.diperf.tester.engine;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.Consumer;
import org.diperf.core.plan.ClosedLoad;
import org.diperf.core.plan.Stage;
import org.diperf.core.spi.AsyncClient;
import org.diperf.core.spi.Client;

/** The clients of one loop: place j of the tester is on loop j mod loops. Confined to its loop. */
final class LoopClients {

    private static final int MOST_CALLS_AT_ONCE = 1_000;

    private final CallLoop loop;
    private final RunSetup setup;
    private final ClientMaker maker;
    private final int index;
    private final int loops;
    private final List<ClientCell> cells = new ArrayList<>();
    private final List<ClientCell> abandoned = new ArrayList<>();
    private boolean closeFailed;

    LoopClients(CallLoop loop, RunSetup setup, ClientMaker maker, int index, int loops) {
        this.loop = loop;
        this.setup = setup;
        this.maker = maker;
        this.index = index;
        this.loops = loops;
    }

    /** Counts those of the tester's first places that are this loop's. */
    int ownPlaces(int places) {
        return places / loops + (index < places % loops ? 1 : 0);
    }

    /** Counts this loop's clients that are to be open before the start: all of closed load, the first of open load. */
    int ownPlacesFirst(int openAtMost) {
        int wanted = 0;
        for (Stage stage : setup.plan().stages()) {
            int places = setup.clientsOf(stage);
            wanted = Math.max(wanted, stage.load() instanceof ClosedLoad ? places : Math.min(places, openAtMost));
        }
        return ownPlaces(wanted);
    }

    /** Lists the clients by their places. */
    List<ClientCell> cells() {
        return Collections.unmodifiableList(cells);
    }

    /** Opens clients until there are so many. */
    void openUpTo(int own) {
        while (cells.size() < own) {
            openNext();
        }
    }

    /** Opens the client of the next place. */
    ClientCell openNext() {
        ClientCell cell = open(cells.size() * loops + index);
        cells.add(cell);
        return cell;
    }

    /** Opens another client at the place of one that is stuck. */
    ClientCell replace(ClientCell old) {
        old.abandoned = true;
        abandoned.add(old);
        ClientCell fresh = open(old.place());
        fresh.calls = old.calls;
        cells.set(cells.indexOf(old), fresh);
        return fresh;
    }

    private ClientCell open(int place) {
        int number = setup.plan().clientAt(setup.slot(), place);
        AsyncClient opened = null;
        String failure = null;
        int lanes = 1;
        try {
            Client client = maker.newClient();
            if (!(client instanceof AsyncClient async)) {
                throw new IllegalStateException("Session.newClient wanted an AsyncClient, as kind() says; found "
                        + client.getClass().getName());
            }
            opened = async;
            async.open(maker.context(number, loop));
            lanes = async.callsAtOnce();
            if (lanes > 1 && setup.script().steps() > 0) {
                throw new IllegalStateException(
                        "before wanted clients that make one call at a time, found one that makes " + lanes
                                + " at once");
            }
            if (lanes < 1 || lanes > MOST_CALLS_AT_ONCE) {
                throw new IllegalStateException(
                        "callsAtOnce wanted from 1 to " + MOST_CALLS_AT_ONCE + ", found " + lanes);
            }
        } catch (Throwable thrown) {
            lanes = 1;
            failure = Failures.describe(thrown);
            setup.log("Client " + number + " could not be opened: " + failure);
        }
        ClientCell cell = new ClientCell(place, number, setup.plan().indexOf(number), opened, failure);
        cell.slots(loop, setup, lanes);
        return cell;
    }

    /** Does something with every slot, those of replaced clients too. */
    void forEachSlot(Consumer<CallSlot> action) {
        for (ClientCell cell : cells) {
            for (CallSlot slot : cell.slots()) {
                action.accept(slot);
            }
        }
        for (ClientCell cell : abandoned) {
            for (CallSlot slot : cell.slots()) {
                action.accept(slot);
            }
        }
    }

    void closeAll() {
        cells.forEach(this::close);
        abandoned.forEach(this::close);
    }

    private void close(ClientCell cell) {
        AsyncClient client = cell.opened();
        if (client != null) {
            try {
                client.close();
            } catch (Throwable thrown) {
                if (!closeFailed) {
                    setup.log("A client could not be closed: " + Failures.describe(thrown));
                }
                closeFailed = true;
            }
        }
    }
}
