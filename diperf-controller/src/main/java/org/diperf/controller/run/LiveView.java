package org.diperf.controller.run;

import java.nio.ByteBuffer;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.diperf.analyzer.LiveSeries;
import org.diperf.core.sample.Block;
import org.diperf.core.sample.CorruptBlockException;

/**
 * Aggregates blocks while they come in, on a thread of its own, with the analyzer's code. Never holds up the collector:
 * when it is behind it passes over whole blocks, and says what share it saw.
 */
final class LiveView implements AutoCloseable {

    private static final int WAITING_BLOCKS = 256;

    private final BlockingQueue<ByteBuffer> waiting = new ArrayBlockingQueue<>(WAITING_BLOCKS);
    private final AtomicLong offered = new AtomicLong();
    private final AtomicLong passedOver = new AtomicLong();
    private final LiveSeries series;
    private final Thread thread;
    private volatile boolean closed;

    LiveView(LiveSeries series) {
        this.series = series;
        this.thread = new Thread(this::work, "diperf-controller-live");
        this.thread.setDaemon(true);
        this.thread.start();
    }

    /** Takes a block; called on the collector's thread, copies it. */
    void offer(ByteBuffer block) {
        offered.incrementAndGet();
        if (waiting.remainingCapacity() == 0) {
            passedOver.incrementAndGet();
            return;
        }
        ByteBuffer copy = ByteBuffer.allocate(block.remaining());
        copy.put(block.duplicate()).flip();
        if (!waiting.offer(copy)) {
            passedOver.incrementAndGet();
        }
    }

    private void work() {
        while (!closed) {
            try {
                ByteBuffer block = waiting.poll(200, TimeUnit.MILLISECONDS);
                if (block != null) {
                    synchronized (series) {
                        series.add(Block.read(block), block);
                    }
                }
            } catch (CorruptBlockException e) {
                passedOver.incrementAndGet();
            } catch (InterruptedException e) {
                return;
            }
        }
    }

    /** Looks at the last seconds. */
    LiveSeries.Look look() {
        synchronized (series) {
            return series.look();
        }
    }

    /** Gives the share of blocks that were seen, from 0 to 1. */
    double seenShare() {
        long all = offered.get();
        return all == 0 ? 1 : 1 - (double) passedOver.get() / all;
    }

    @Override
    public void close() {
        closed = true;
        thread.interrupt();
    }
}
