package org.diperf.analyzer;

import java.util.Arrays;
import org.diperf.analyzer.Durations.Kind;
import org.jspecify.annotations.Nullable;

/** What is counted of each client, and of all ok calls between the instants at which clients start and end. */
final class ClientTally {

    /** No run has more; a number beyond it is not counted for any client. */
    private static final int MOST = 1 << 24;

    private final Offered offered;
    private final long[] boundaries;
    private final long[] okBefore;
    private @Nullable One[] clients = new One[16];
    private int size;
    private int hint;

    /** One client. */
    static final class One {
        final Durations response = new Durations(Kind.CLIENT);
        long ok;
        long failed;
        long bytes;
        long okActive;
        long okPeak;
        long first = Long.MAX_VALUE;
        long last = Long.MIN_VALUE;

        /** Notes from when until when a call was under way. */
        void sent(long from, long to) {
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

    ClientTally(Offered offered) {
        this.offered = offered;
        this.boundaries = offered.boundaries();
        this.okBefore = new long[boundaries.length + 1];
        this.size = offered.clients();
    }

    @Nullable
    One client(int number) {
        if (number < 0 || number >= MOST) {
            return null;
        }
        if (number >= clients.length) {
            clients = Arrays.copyOf(clients, Math.min(MOST, Math.max(number + 1, 2 * clients.length)));
        }
        size = Math.max(size, number + 1);
        One found = clients[number];
        if (found == null) {
            found = new One();
            clients[number] = found;
        }
        return found;
    }

    /** Counts ok calls. */
    void ok(Rows rows, @Nullable Scope peak) {
        boolean closed = offered.isClosed();
        for (int row = 0; row < rows.count; row++) {
            int number = (int) rows.client[row];
            One client = client(number);
            long end = rows.end[row];
            if (client != null) {
                client.sent(end - rows.service[row], end);
                client.ok++;
                client.bytes += rows.bytes[row];
                client.response.add(rows.latency[row]);
                if (closed) {
                    okBefore[place(end)]++;
                    client.okPeak += peak != null && peak.holds(end) ? 1 : 0;
                    client.okActive += isWithin(offered.spans(number), end) ? 1 : 0;
                }
            }
        }
    }

    private static boolean isWithin(long[] spans, long at) {
        if (spans.length == 2) {
            return at >= spans[0] && at < spans[1];
        }
        // A begin at an even place at or before the instant: it lies within the span.
        int found = Arrays.binarySearch(spans, at);
        return (found >= 0 ? found : -found - 2) % 2 == 0;
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
        if (other.clients.length > clients.length) {
            clients = Arrays.copyOf(clients, other.clients.length);
        }
        for (int i = 0; i < other.clients.length; i++) {
            One known = clients[i];
            One more = other.clients[i];
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
        for (int i = 1; i < okBefore.length; i++) {
            okBefore[i] += okBefore[i - 1];
        }
    }

    private long okBefore(long boundary) {
        return okBefore[Arrays.binarySearch(boundaries, boundary)];
    }

    /** Counts all ok calls while a client was active. */
    long okWhileActive(int number) {
        long sum = 0;
        long[] spans = offered.spans(number);
        for (int i = 0; i < spans.length; i += 2) {
            sum += okBefore(spans[i + 1]) - okBefore(spans[i]);
        }
        return sum;
    }

    int size() {
        return size;
    }

    @Nullable
    One existing(int number) {
        return number < clients.length ? clients[number] : null;
    }
}
