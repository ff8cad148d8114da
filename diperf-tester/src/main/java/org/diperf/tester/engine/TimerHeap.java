package org.diperf.tester.engine;

import java.util.Arrays;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Reusable timers in a binary heap by their instants. Arming, moving and disarming take O(log n) and allocate nothing
 * but when the heap grows. Instants are compared by difference, as {@link System#nanoTime} wants it. Confined to one
 * thread.
 */
final class TimerHeap {

    /** One timer; belongs to one heap. */
    static final class Due {

        private long atNanos;
        private int index = -1;
        private final boolean precise;
        private final LongConsumer task;

        /**
         * @param precise whether a call starts with it, so that it is worth spinning for
         * @param task what is due then; takes the instant, and may arm this timer again
         */
        Due(boolean precise, LongConsumer task) {
            this.precise = precise;
            this.task = task;
        }

        void fire(long nowNanos) {
            task.accept(nowNanos);
        }

        long atNanos() {
            return atNanos;
        }

        boolean isPrecise() {
            return precise;
        }

        boolean isArmed() {
            return index >= 0;
        }
    }

    private @Nullable Due[] heap = new Due[64];
    private int size;

    /** Arms the timer, or moves it when it is armed. */
    void arm(Due due, long atNanos) {
        due.atNanos = atNanos;
        if (due.index < 0) {
            if (size == heap.length) {
                heap = Arrays.copyOf(heap, size * 2);
            }
            put(due, size++);
        }
        up(due);
        down(due);
    }

    /** Disarms the timer; nothing happens when it is not armed. */
    void disarm(Due due) {
        int index = due.index;
        if (index < 0) {
            return;
        }
        due.index = -1;
        Due last = at(--size);
        heap[size] = null;
        if (last != due) {
            put(last, index);
            up(last);
            down(last);
        }
    }

    /** Returns the earliest timer, {@code null} when none is armed. */
    @Nullable
    Due first() {
        return size == 0 ? null : heap[0];
    }

    int size() {
        return size;
    }

    private void up(Due due) {
        int index = due.index;
        while (index > 0) {
            Due parent = at((index - 1) / 2);
            if (due.atNanos - parent.atNanos >= 0) {
                break;
            }
            put(parent, index);
            index = (index - 1) / 2;
        }
        put(due, index);
    }

    private void down(Due due) {
        int index = due.index;
        while (2 * index + 1 < size) {
            int child = 2 * index + 1;
            if (child + 1 < size && at(child + 1).atNanos - at(child).atNanos < 0) {
                child++;
            }
            Due earlier = at(child);
            if (due.atNanos - earlier.atNanos <= 0) {
                break;
            }
            put(earlier, index);
            index = child;
        }
        put(due, index);
    }

    private Due at(int index) {
        Due due = heap[index];
        assert due != null;
        return due;
    }

    private void put(Due due, int index) {
        heap[index] = due;
        due.index = index;
    }
}
