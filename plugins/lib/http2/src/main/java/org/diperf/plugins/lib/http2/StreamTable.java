package org.diperf.plugins.lib.http2;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The streams of a connection that are open, by their ids: open addressing, which allocates only to grow. Confined to its connection. */
final class StreamTable {

    private @Nullable Http2Stream[] slots = new Http2Stream[4];
    private int size;

    private int home(int id) {
        // Ids are odd and come one after another.
        return (id >>> 1) & (slots.length - 1);
    }

    @Nullable
    Http2Stream get(int id) {
        int mask = slots.length - 1;
        for (int i = home(id); ; i = (i + 1) & mask) {
            Http2Stream found = slots[i];
            if (found == null || found.id == id) {
                return found;
            }
        }
    }

    void add(Http2Stream stream) {
        if (2 * (size + 1) > slots.length) {
            @Nullable Http2Stream[] before = slots;
            slots = new Http2Stream[2 * before.length];
            for (Http2Stream each : before) {
                if (each != null) {
                    place(each);
                }
            }
        }
        place(stream);
        size++;
    }

    private void place(Http2Stream stream) {
        int mask = slots.length - 1;
        int i = home(stream.id);
        while (slots[i] != null) {
            i = (i + 1) & mask;
        }
        slots[i] = stream;
    }

    /** Removes a stream, and moves those behind it so that each is still found. */
    void remove(Http2Stream stream) {
        int mask = slots.length - 1;
        int hole = home(stream.id);
        while (slots[hole] != stream) {
            hole = (hole + 1) & mask;
        }
        size--;
        int i = hole;
        while (true) {
            i = (i + 1) & mask;
            Http2Stream next = slots[i];
            if (next == null) {
                slots[hole] = null;
                return;
            }
            if (((i - home(next.id)) & mask) >= ((i - hole) & mask)) {
                slots[hole] = next;
                hole = i;
            }
        }
    }

    int size() {
        return size;
    }

    /** Returns a copy of all. */
    List<Http2Stream> all() {
        List<Http2Stream> all = new ArrayList<>(size);
        for (Http2Stream each : slots) {
            if (each != null) {
                all.add(each);
            }
        }
        return all;
    }
}
