package org.diperf.analyzer.count;

import java.util.Arrays;
import org.diperf.analyzer.load.PlannedLoad;
import org.diperf.analyzer.sets.Durations;
import org.diperf.analyzer.sets.Durations.Kind;
import org.diperf.analyzer.sets.Sums;
import org.jspecify.annotations.Nullable;

/** What is counted of each client, and of all ok calls between the instants at which clients start and end. */
public final class ClientTally {

    /** No run has more; a number beyond it is not counted for any client. */
    static final int MOST = 1 << 24;

    private static final int PENDING = 32;

    private final PlannedLoad offered;
    private final long[] boundaries;
    private final long[] okBefore;
    private @Nullable One[] clients = new One[16];
    private int size;
    private int hint;
    /** By client: by how much its ok calls of the peak may have been prolonged, ns; of those of which it is known. */
    private long[] addedInPeak = new long[0];

    private final Sums sums = new Sums();
    private final ClientGroups groups = new ClientGroups();
    /** Within it all clients are active: the time in which the last begins until the first ends. */
    private final long allFrom;

    private final long allTo;

    /** One client. */
    public static final class One {
        public final Durations response = new Durations(Kind.CLIENT);
        public long ok;
        public long failed;
        public long bytes;
        public long okActive;
        public long okPeak;
        /** Of calls that ended in the peak while it was active, which {@link #flush} adds to all three. */
        private long okInside;

        /** When calls were under way; only kept of clients of which the plan does not say when they were active. */
        public long first = Long.MAX_VALUE;

        public long last = Long.MIN_VALUE;
        /** The one time in which it was active; where there were none or several, nothing lies within. */
        private final long activeFrom;

        private final long activeTo;
        private final long[] spans;
        private final int[] pending;
        private int waiting;

        /** Makes one that nothing is counted of. */
        public One() {
            this(new long[0], 0);
        }

        private One(long[] spans, int room) {
            this.spans = spans;
            this.activeFrom = spans.length == 2 ? spans[0] : Long.MAX_VALUE;
            this.activeTo = spans.length == 2 ? spans[1] : Long.MIN_VALUE;
            this.pending = new int[room];
        }

        /** Thousands of clients do not fit into a processor's cache: a few times wait until they can be added together. */
        private void responded(long nanos, Sums sums) {
            if (nanos < 0 || nanos > Integer.MAX_VALUE) {
                response.add(nanos);
                return;
            }
            pending[waiting++] = (int) nanos;
            if (waiting == pending.length) {
                flush(sums);
            }
        }

        private void flush(Sums sums) {
            if (waiting > 0) {
                response.addAll(pending, waiting, sums.of(pending, waiting));
                waiting = 0;
            }
            ok += okInside;
            okPeak += okInside;
            okActive += okInside;
            okInside = 0;
        }

        private boolean wasActive(long at) {
            if (spans.length == 2) {
                return at >= activeFrom && at < activeTo;
            }
            return isActive(place(at));
        }

        /** Finds the last begin or end at or before an instant; -1: there is none. */
        private int place(long at) {
            int found = Arrays.binarySearch(spans, at);
            return found >= 0 ? found : -found - 2;
        }

        /** Returns whether what follows a begin or end is a time in which it was active: begins are at even places. */
        private static boolean isActive(int place) {
            return place % 2 == 0;
        }

        /** Notes from when until when a call was under way. */
        void sent(long from, long to) {
            if (spans.length > 0) {
                return;
            }
            first = Math.min(first, Math.max(0, from));
            last = Math.max(last, to);
        }

        private void addAll(One other) {
            response.addAll(other.response);
            ok += other.ok;
            failed += other.failed;
            bytes += other.bytes;
            okActive += other.okActive;
            okPeak += other.okPeak;
            first = Math.min(first, other.first);
            last = Math.max(last, other.last);
        }
    }

    ClientTally(PlannedLoad offered) {
        this.offered = offered;
        this.boundaries = offered.boundaries();
        this.okBefore = new long[boundaries.length + 1];
        this.size = offered.clients();
        long from = Long.MIN_VALUE;
        long to = size == 0 ? Long.MIN_VALUE : Long.MAX_VALUE;
        for (int client = 0; client < size; client++) {
            long[] spans = offered.spans(client);
            boolean one = spans.length == 2;
            from = Math.max(from, one ? spans[0] : Long.MAX_VALUE);
            to = Math.min(to, one ? spans[1] : Long.MIN_VALUE);
        }
        this.allFrom = from;
        this.allTo = to;
    }

    @Nullable
    One client(int number) {
        if (number < 0 || number >= MOST) {
            return null;
        }
        if (number >= clients.length) {
            clients = Arrays.copyOf(clients, roomFor(number, clients.length));
        }
        size = Math.max(size, number + 1);
        One found = clients[number];
        if (found == null) {
            found = new One(offered.spans(number), PENDING);
            clients[number] = found;
        }
        return found;
    }

    /** Counts ok calls. */
    public void ok(OkCallColumns rows, @Nullable ScopeTally peak) {
        boolean closed = offered.isClosed();
        if (closed) {
            countBetweenBoundaries(rows);
        }
        if (closed && rows.knowsLeast && peak != null && rows.latest >= peak.from && rows.earliest < peak.to) {
            addedInPeak(rows, peak);
        }
        boolean inPeak = closed && peak != null && peak.holds(rows.earliest) && peak.holds(rows.latest);
        boolean beyondPeak = !closed || peak == null || rows.latest < peak.from || rows.earliest >= peak.to;
        if ((inPeak || beyondPeak) && rows.isSummed() && groups.take(rows)) {
            together(rows, inPeak);
        } else {
            oneByOne(rows, peak, inPeak && rows.earliest >= allFrom && rows.latest < allTo);
        }
    }

    private void addedInPeak(OkCallColumns rows, ScopeTally peak) {
        for (int row = 0; row < rows.count; row++) {
            long client = rows.client[row];
            long least = rows.least[row];
            if (least >= 0 && peak.holds(rows.end[row]) && client >= 0 && client < MOST) {
                int number = (int) client;
                if (number >= addedInPeak.length) {
                    addedInPeak = Arrays.copyOf(addedInPeak, roomFor(number, addedInPeak.length));
                }
                addedInPeak[number] += rows.latency[row] - least;
            }
        }
    }

    private static int roomFor(int number, int length) {
        return Math.min(MOST, Math.max(number + 1, 2 * length));
    }

    /** Counts ok calls client by client. */
    private void together(OkCallColumns rows, boolean inPeak) {
        boolean closed = offered.isClosed();
        for (int of = 0; of < groups.clients(); of++) {
            int number = groups.first() + of;
            int begin = groups.begin(of);
            int behind = groups.behind(of);
            One client = begin == behind ? null : known(number);
            if (client != null) {
                sums.of(groups.times, begin, behind);
                client.response.addAll(groups.times, groups.places, begin, behind, sums);
                client.bytes += groups.bytes(rows, of);
                if (client.spans.length == 0) {
                    client.last = Math.max(client.last, groups.lastEnd(rows, of));
                    if (rows.firstSent(0, rows.count) < client.first) {
                        client.sent(firstSent(rows, number), client.last);
                    }
                }
                client.ok += behind - begin;
                client.okPeak += inPeak ? behind - begin : 0;
                client.okActive += closed ? active(client, number, rows, behind - begin) : 0;
            }
        }
    }

    /** Counts those of a client's calls that ended while it was active. */
    private static int active(One client, int number, OkCallColumns rows, int calls) {
        int place = client.place(rows.earliest);
        if (place == client.place(rows.latest)) {
            return One.isActive(place) ? calls : 0;
        }
        int active = 0;
        for (int row = 0; row < rows.count; row++) {
            active += rows.client[row] == number && client.wasActive(rows.end[row]) ? 1 : 0;
        }
        return active;
    }

    private static long firstSent(OkCallColumns rows, int client) {
        long first = Long.MAX_VALUE;
        for (int row = 0; row < rows.count; row++) {
            first = rows.client[row] == client ? Math.min(first, rows.end[row] - rows.service[row]) : first;
        }
        return first;
    }

    private void oneByOne(OkCallColumns rows, @Nullable ScopeTally peak, boolean inside) {
        boolean closed = offered.isClosed();
        for (int row = 0; row < rows.count; row++) {
            One client = known((int) rows.client[row]);
            if (client == null) {
                continue;
            }
            long end = rows.end[row];
            client.sent(end - rows.service[row], end);
            client.bytes += rows.bytes[row];
            client.responded(rows.latency[row], sums);
            if (inside && client.spans.length == 2) {
                client.okInside++;
            } else {
                client.ok++;
                if (closed) {
                    client.okPeak += peak != null && peak.holds(end) ? 1 : 0;
                    client.okActive += client.wasActive(end) ? 1 : 0;
                }
            }
        }
    }

    private @Nullable One known(int number) {
        One found = number >= 0 && number < clients.length ? clients[number] : null;
        return found == null ? client(number) : found;
    }

    private void countBetweenBoundaries(OkCallColumns rows) {
        int first = place(rows.earliest);
        if (first == place(rows.latest)) {
            okBefore[first] += rows.count;
            return;
        }
        for (int from = 0; from < rows.count; ) {
            int place = place(rows.end[from]);
            long since = place == 0 ? Long.MIN_VALUE : boundaries[place - 1];
            long until = place == boundaries.length ? Long.MAX_VALUE : boundaries[place];
            int to = from + 1;
            while (to < rows.count && rows.end[to] >= since && rows.end[to] < until) {
                to++;
            }
            okBefore[place] += to - from;
            from = to;
        }
    }

    /** Counts the boundaries at or before an instant; calls come nearly in order, so the last place mostly fits. */
    private int place(long at) {
        int i = hint;
        if ((i == 0 || boundaries[i - 1] <= at) && (i == boundaries.length || at < boundaries[i])) {
            return i;
        }
        int found = Arrays.binarySearch(boundaries, at);
        hint = found >= 0 ? found + 1 : -found - 1;
        return hint;
    }

    /** Takes over what was counted of the same run elsewhere; the other one is done with. */
    void addAll(ClientTally other) {
        for (int i = 0; i < okBefore.length; i++) {
            okBefore[i] += other.okBefore[i];
        }
        size = Math.max(size, other.size);
        if (other.addedInPeak.length > addedInPeak.length) {
            addedInPeak = Arrays.copyOf(addedInPeak, other.addedInPeak.length);
        }
        for (int i = 0; i < other.addedInPeak.length; i++) {
            addedInPeak[i] += other.addedInPeak[i];
        }
        if (other.clients.length > clients.length) {
            clients = Arrays.copyOf(clients, other.clients.length);
        }
        for (int i = 0; i < other.clients.length; i++) {
            One known = clients[i];
            One more = other.clients[i];
            if (more != null) {
                more.flush(sums);
            }
            if (known == null) {
                clients[i] = more;
            } else if (more != null) {
                known.addAll(more);
            }
            other.clients[i] = null;
        }
    }

    /** Turns counts between boundaries into counts before them; nothing may be added afterwards. */
    void close() {
        for (One client : clients) {
            if (client != null) {
                client.flush(sums);
            }
        }
        for (int i = 1; i < okBefore.length; i++) {
            okBefore[i] += okBefore[i - 1];
        }
    }

    private long okBefore(long boundary) {
        return okBefore[Arrays.binarySearch(boundaries, boundary)];
    }

    /** Counts all ok calls while a client was active. */
    public long okWhileActive(int number) {
        long sum = 0;
        long[] spans = offered.spans(number);
        for (int i = 0; i < spans.length; i += 2) {
            sum += okBefore(spans[i + 1]) - okBefore(spans[i]);
        }
        return sum;
    }

    /** Returns by how much the load generator may have prolonged the ok calls of a client of closed load in the peak, ns together. */
    public long addedInPeak(int number) {
        return number < addedInPeak.length ? addedInPeak[number] : 0;
    }

    public int size() {
        return size;
    }

    @Nullable
    public One existing(int number) {
        return number < clients.length ? clients[number] : null;
    }
}
