package org.diperf.plugins.emulated.engine;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Pipes that have packets, the one whose packet is due first at the front, and of several at one instant the one of the lowest number: so the
 * order does not depend on what else is in here. A binary heap whose members know their places. Not thread-safe.
 */
final class PipeHeap {

    private @Nullable Pipe[] heap = new Pipe[64];
    private int count;

    @Nullable
    Pipe first() {
        return count == 0 ? null : heap[0];
    }

    /** Puts a pipe where it belongs, after its first packet has changed. */
    void update(Pipe pipe) {
        if (pipe.isEmpty()) {
            remove(pipe);
            return;
        }
        if (pipe.place < 0) {
            if (count == heap.length) {
                heap = Arrays.copyOf(heap, 2 * count);
            }
            put(pipe, count++);
        }
        rise(pipe);
        sink(pipe);
    }

    private void remove(Pipe pipe) {
        int place = pipe.place;
        if (place < 0) {
            return;
        }
        pipe.place = -1;
        Pipe moved = at(--count);
        heap[count] = null;
        if (moved != pipe) {
            put(moved, place);
            rise(moved);
            sink(moved);
        }
    }

    private Pipe at(int place) {
        Pipe pipe = heap[place];
        if (pipe == null) {
            throw new IllegalStateException("No pipe at index " + place + " of " + count);
        }
        return pipe;
    }

    private void put(Pipe pipe, int place) {
        heap[place] = pipe;
        pipe.place = place;
    }

    private static boolean isBefore(Pipe one, Pipe other) {
        long difference = one.dueNanos() - other.dueNanos();
        return difference < 0 || difference == 0 && one.number < other.number;
    }

    private void rise(Pipe pipe) {
        int place = pipe.place;
        while (place > 0) {
            Pipe above = at(place - 1 >> 1);
            if (isBefore(above, pipe)) {
                break;
            }
            int higher = above.place;
            put(above, place);
            place = higher;
        }
        put(pipe, place);
    }

    private void sink(Pipe pipe) {
        int place = pipe.place;
        while (2 * place + 1 < count) {
            Pipe below = at(2 * place + 1);
            if (2 * place + 2 < count && isBefore(at(2 * place + 2), below)) {
                below = at(2 * place + 2);
            }
            if (isBefore(pipe, below)) {
                break;
            }
            int lower = below.place;
            put(below, place);
            place = lower;
        }
        put(pipe, place);
    }
}
