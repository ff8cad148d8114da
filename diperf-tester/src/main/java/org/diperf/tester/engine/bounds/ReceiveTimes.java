package org.diperf.tester.engine.bounds;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.diperf.core.clock.NanoClock;
import org.diperf.core.clock.WallClock;
import org.diperf.core.sample.CallWriter;
import org.diperf.tester.engine.call.CallState;
import org.diperf.tester.machine.SocketArrivals;
import org.jspecify.annotations.Nullable;

/**
 * Since when at the earliest, and by when at the latest, an answer was there that a loop reads. What the loop finds when it looks at its
 * connections was not there, or still on its way through the kernel, when it looked the time before. Where that was long ago, because
 * the loop slept or was kept from running, the kernel's stamp of what came says it better; and it alone says so where the kernel itself
 * took long, because what handles packets was kept from running. By its stamp, too, an answer that has been read whole was there at the
 * latest: what the loop took to wake up and to look is then no part of the call. Confined to the loop's thread.
 */
public final class ReceiveTimes {

    /** A loop that waits longer than this for something to come sleeps. */
    static final long LATE_NANOS = 20_000;

    /**
     * A loop that has slept of late, or found nothing, has the time to ask the kernel of whatever it finds. One that has not for so long
     * does not: then looks alone say when an answer came, unless something stopped the loop.
     */
    static final long BUSY_NANOS = 200_000;

    /** A busy loop's looks are not so far apart, unless it was kept from running or has very many connections. */
    static final long STOPPED_NANOS = 2_000_000;

    /**
     * What the kernel takes at most, as a rule, from a segment's coming until a look finds it. It is done within two microseconds, unless
     * an interrupt comes in between, such as that of a timer.
     */
    static final long RECEIVE_NANOS = 16_000;

    /** What it takes at most, as a rule, until it stamps the segment: that is the first that it does. */
    static final long STAMP_NANOS = 4_000;

    /**
     * No call is known better, both ends together: an interrupt may come in between wherever the kernel is at it, as before it stamps a
     * segment, and takes a virtual machine 12 to 30 microseconds.
     */
    public static final long MIN_NANOS = 27_000;

    /** Where looks say enough, the kernel is asked so often all the same: what is found may have waited before it reached its connection. */
    static final long ASK_NANOS = 1_000_000;

    /** What the loop had to do is known of about so long. */
    private static final long TURNS_NANOS = 2_000_000;

    /** When something has, the kernel is asked of whatever is found in this time. */
    static final long SUSPECT_NANOS = 20_000_000;

    /** How often the distance of the two clocks is looked up: nothing but a step of the wall clock changes it. */
    private static final long DISTANCE_NANOS = 10_000_000;

    /** So near must two readings of one clock be for that of the other between them. */
    private static final long NEAR_NANOS = 2_000;

    /** What a reading of the wall clock may be off, as the number that it is given as. */
    private static final long WALL_CLOCK_NANOS = 250;

    private static final int ATTEMPTS = 4;

    private final NanoClock clock;
    private final WallClock wall;
    /** An instant at which whatever had come was found. */
    private long last;

    private long begun;
    private long number;

    /** For how long the loop has turned of late, and for how long of that it had nothing to do, ns. */
    private long turned;

    private long idle;

    /** For how long it slept in this turn, and whether it has found nothing. */
    private long slept;

    private boolean inVain;
    /** When the loop slept or found nothing last. */
    private long sleptAt;

    /** Whether the kernel is asked of what this look finds. */
    private boolean asks;

    /** Whether a connection is being read; else nothing is known of what ends. */
    private boolean reading;

    private long since;
    private long sinceLook;

    /** By when at the latest all was there that there is to be read, if that is known, and nothing comes meanwhile. */
    private long by;

    private boolean byKnown;
    private long bytes;
    private int descriptor;
    private @Nullable SocketArrivals arrivals;

    /** Who opens connections now; {@code null}: whoever had the descriptor. */
    private @Nullable Client serving;

    /** By descriptor. */
    private @Nullable Client[] owners = new Client[64];

    /** Who has been late since the loop slept. */
    private final List<Client> lateOnes = new ArrayList<>();

    /** What is being read. */
    private Connection read = new Connection(new Client());

    /** Whose request has been made of late, with the ticket of its call. */
    private @Nullable CallState out;

    private long outTicket;

    /** Calls whose requests leave when the calls of this turn have begun, and their tickets. */
    private final List<CallState> leaving = new ArrayList<>();

    private long[] leavingTickets = new long[16];

    /** Whether what is being read has ended a call. */
    private boolean ended;

    /** From when on the kernel is asked again, and until when of everything. */
    private long askAt;

    private long suspectUntil;

    /** What has to be added to a stamp of the kernel for the tester's clock, ns: at least, and at most. */
    private long distance;

    private long mostDistance;

    private long distanceAt;
    private boolean distanceKnown;

    public ReceiveTimes(NanoClock clock, WallClock wall) {
        this.clock = clock;
        this.wall = wall;
        this.last = clock.nanoTime();
        this.begun = last;
        this.sleptAt = last - BUSY_NANOS;
        this.askAt = last + ASK_NANOS;
        this.suspectUntil = last;
    }

    /** A client, whose calls may take several looks: at a connection that has been made, at each answer before the last. */
    public static final class Client {
        /** By how much at most those of the call under way that did not end it were late, ns. */
        private long lateBefore;

        /** Whether it is late until the loop sleeps, and since when. */
        private boolean late;

        private long lateSince;
    }

    /** What is kept of a connection from look to look. */
    public static final class Connection {
        private final Client client;
        private long number = -1;
        private long since;
        private long sinceLook;

        /** Whether the last read ended a call: what comes now is the answer to a request that was made since. */
        private boolean answered;

        /** Segments that came before others that they were sent after, as far as is known. */
        private int outOfOrder;

        Connection(Client client) {
            this.client = client;
        }
    }

    /** Notes that a client opens connections or makes a call now, until {@link #served}. */
    public void serves(Client client) {
        serving = client;
        client.lateBefore = 0;
        client.late = false;
    }

    public void served() {
        serving = null;
    }

    /** Returns what is kept of a connection that is made now, or is handed on within the client that has made it. */
    public Connection connection(int descriptor) {
        if (descriptor >= owners.length) {
            owners = Arrays.copyOf(owners, Math.max(descriptor + 1, 2 * owners.length));
        }
        Client owner = serving == null ? owners[descriptor] : serving;
        Client found = owner == null ? new Client() : owner;
        owners[descriptor] = found;
        isLate(found, clock.nanoTime());
        return new Connection(found);
    }

    /** Notes that what a client does now may be left to tasks of the loop, which come before it sleeps. */
    private void isLate(Client client, long sinceNanos) {
        if (!client.late) {
            client.late = true;
            client.lateSince = sinceNanos;
            lateOnes.add(client);
        }
    }

    /**
     * Notes that a client has made its request: by the next instant that is looked up for something else, as it costs time to do so.
     *
     * @param later whether requests leave only when the calls of this turn have begun, by {@link #ranAfterCalls}
     */
    public void handedOut(CallState call, long ticket, boolean later) {
        if (later) {
            int place = leaving.size();
            if (place == leavingTickets.length) {
                leavingTickets = Arrays.copyOf(leavingTickets, 2 * place);
            }
            leavingTickets[place] = ticket;
            leaving.add(call);
        } else {
            out = call;
            outTicket = ticket;
        }
    }

    /** Notes that what was to be done after the calls of a turn has been done. */
    public void ranAfterCalls() {
        if (!leaving.isEmpty()) {
            long now = clock.nanoTime();
            for (int i = 0; i < leaving.size(); i++) {
                leaving.get(i).handedOut(leavingTickets[i], now);
            }
            leaving.clear();
        }
    }

    /** Notes an instant by which the last request has been made. */
    public void passed(long nanos) {
        if (out != null) {
            out.handedOut(outTicket, nanos);
            out = null;
        }
    }

    /** Notes that the loop is about to look. */
    public void begin() {
        long now = clock.nanoTime();
        turned += now - begun;
        idle += inVain ? now - begun : slept;
        if (turned > TURNS_NANOS) {
            turned >>= 1;
            idle >>= 1;
        }
        inVain = false;
        slept = 0;
        begun = now;
        passed(begun);
        number++;
    }

    /**
     * Notes that it has been told what there is.
     *
     * @param waited whether it would have waited for something to come; else it has tasks, and is late where it took long
     */
    public void told(boolean waited) {
        long now = clock.nanoTime();
        boolean hasSlept = waited && now - begun > LATE_NANOS;
        slept = hasSlept ? now - begun : 0;
        sleptAt = hasSlept ? now : sleptAt;
        asks = now - sleptAt < BUSY_NANOS || now - last > STOPPED_NANOS;
        if (hasSlept && !lateOnes.isEmpty()) {
            // A loop that sleeps has no tasks left.
            for (Client client : lateOnes) {
                client.lateBefore += client.late ? begun - client.lateSince : 0;
                client.late = false;
            }
            lateOnes.clear();
        }
    }

    /**
     * @param found how much
     * @param all whether everything that there was has been found
     */
    public void end(int found, boolean all) {
        if (found == 0) {
            // A loop that spins has the time too.
            sleptAt = begun;
            inVain = true;
        }
        if (all) {
            last = begun;
        }
    }

    /**
     * Notes that a connection is read now.
     *
     * @param arrivals what the kernel says of the descriptor; {@code null}: it is not to be asked
     */
    public void reads(Connection connection, @Nullable SocketArrivals arrivals, int descriptor) {
        // What was found at the last look too may be what was left unread then.
        boolean again = connection.number == number - 1 && !connection.answered;
        since = again ? connection.since : last - RECEIVE_NANOS;
        sinceLook = again ? connection.sinceLook : last - RECEIVE_NANOS;
        byKnown = false;
        if (arrivals != null && (asks || begun - askAt >= 0 || begun - suspectUntil < 0)) {
            askAt = begun + ASK_NANOS;
            this.descriptor = descriptor;
            this.arrivals = arrivals;
            came(connection, arrivals);
        }
        connection.number = number;
        connection.since = since;
        connection.sinceLook = sinceLook;
        connection.answered = false;
        read = connection;
        serving = connection.client;
        ended = false;
        reading = true;
    }

    public void hasRead() {
        if (!ended) {
            isLate(read.client, since);
        }
        reading = false;
        serving = null;
    }

    /**
     * Returns the end of a call as {@link #end(long, long, Client, boolean)} does, and has the call know how much later than its answer
     * that may be.
     */
    public long end(CallState call, long nowNanos, Client client, boolean alone) {
        long end = end(nowNanos, call.sentNanos(), client, alone);
        call.answeredWithin(errorIn(end, client, alone), MIN_NANOS);
        return end;
    }

    /**
     * Returns the end of a call that its client ends now, or the instant of an event in it: when its answer was there at the latest, where
     * that is known.
     *
     * @param sentNanos when the call was begun
     * @param client that made it
     * @param alone whether its connection has no other call's answers
     */
    public long end(long nowNanos, long sentNanos, Client client, boolean alone) {
        passed(nowNanos);
        boolean known = reading && byKnown && alone && read.client == client && by - nowNanos < 0 && by - sentNanos > 0;
        return known && nothingCame() ? by : nowNanos;
    }

    /**
     * Returns by how much at most the end of a call, or an event in it, is later than the answer came.
     *
     * @param endNanos as {@link #end} says
     * @param client that made it
     * @param alone whether its connection has no other call's answers
     */
    public long errorIn(long endNanos, Client client, boolean alone) {
        ended = true;
        if (!reading) {
            return CallWriter.UNKNOWN;
        }
        if (!alone) {
            return Math.max(0, endNanos - sinceLook);
        }
        read.answered |= read.client == client;
        long from = client.late && client.lateSince - since < 0 ? client.lateSince : since;
        return Math.max(0, endNanos - from) + client.lateBefore;
    }

    /** Returns whether all that has been read since the kernel was asked was there then. */
    private boolean nothingCame() {
        return arrivals != null && arrivals.look(descriptor) && arrivals.bytes() == bytes;
    }

    /** Takes the kernel's word of when what is read came, which is on another clock, unless that cannot be. */
    private void came(Connection connection, SocketArrivals of) {
        // A loop that has nothing to do for half of its time can spend some on the exact end of each call.
        boolean counted = 2 * idle >= turned && of.look(descriptor);
        bytes = of.bytes();
        // What was sent last came last, unless segments overtook one another.
        boolean inOrder = counted && of.outOfOrder() == connection.outOfOrder;
        connection.outOfOrder = counted ? of.outOfOrder() : connection.outOfOrder;
        long first = of.first(descriptor);
        if (first == SocketArrivals.NONE || !knowsDistance()) {
            return;
        }
        long at = first + distance;
        // Behind the present if the wall clock was set back just now.
        if (at - clock.nanoTime() > 0) {
            return;
        }
        long came = at - STAMP_NANOS;
        boolean expected = at - since >= 0;
        if (!expected) {
            // It had come when the look before did not find it, and so may others have.
            suspectUntil = begun + SUSPECT_NANOS;
            sinceLook = came - sinceLook < 0 ? came : sinceLook;
        }
        since = came;
        // A wall clock that was set just now can hardly move the end of a call beyond the look before.
        long last = inOrder && expected ? of.last(descriptor) : SocketArrivals.NONE;
        byKnown = last != SocketArrivals.NONE && last - first >= 0;
        by = last + mostDistance;
    }

    private boolean knowsDistance() {
        if (!distanceKnown || begun - distanceAt > DISTANCE_NANOS) {
            distanceKnown = false;
            for (int i = 0; i < ATTEMPTS && !distanceKnown; i++) {
                long before = clock.nanoTime();
                long now = Math.round(1e9 * wall.unixSeconds());
                distanceAt = clock.nanoTime();
                distance = before - now - WALL_CLOCK_NANOS;
                mostDistance = distanceAt - now + WALL_CLOCK_NANOS;
                distanceKnown = distanceAt - before <= NEAR_NANOS;
            }
        }
        return distanceKnown;
    }
}
