package org.diperf.controller.run.live;

import java.nio.ByteBuffer;
import java.util.Map;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.diperf.analyzer.live.LiveSeries;
import org.diperf.analyzer.live.RunSeries;
import org.diperf.analyzer.live.StageSeries;
import org.diperf.controller.course.LiveSamples;
import org.diperf.core.sample.Block;
import org.diperf.core.sample.CorruptBlockException;
import org.diperf.core.wire.TesterStatus;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Aggregates blocks while they come in, on a thread of its own, with the analyzer's code. Never holds up the collector:
 * when it is behind it passes over whole blocks, and says what share it saw.
 */
public final class LiveView implements LiveSamples, AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(LiveView.class);
    private static final int WAITING_BLOCKS = 256;

    private final BlockingQueue<ByteBuffer> waiting = new ArrayBlockingQueue<>(WAITING_BLOCKS);
    private final AtomicLong offered = new AtomicLong();
    private final AtomicLong passedOver = new AtomicLong();
    private final Map<Integer, Long> localStarts = new ConcurrentHashMap<>();
    private final Thread thread;
    private volatile long startNanos;
    private volatile LiveSeries series;
    private volatile boolean closed;
    /** Guarded by the series that it belongs to. */
    private @Nullable StageSeries stage;

    /** Of the whole run, where somebody looks at that; guarded by the series that it belongs to. */
    private volatile @Nullable RunSeries whole;

    private long offeredBefore;
    private long passedOverBefore;

    /** @param startNanos on the global clock; may be set anew by {@link #begin} */
    public LiveView(long startNanos) {
        this.startNanos = startNanos;
        this.series = new LiveSeries(startNanos);
        this.thread = new Thread(this::work, "diperf-controller-live");
        this.thread.setDaemon(true);
    }

    /** Begins to take blocks; once. */
    public void open() {
        thread.start();
    }

    /** Begins the series; what was looked at before is forgotten. */
    public void begin(long startNanos) {
        this.startNanos = startNanos;
        series = new LiveSeries(startNanos);
    }

    /** Also keeps the numbers of the whole run from now on, for {@link #whole}. */
    public void watch(RunSeries run) {
        LiveSeries current = series;
        synchronized (current) {
            whole = run;
            current.watch(run);
        }
    }

    /** Notes what the load is at an instant after the start, for {@link #whole}. */
    public void load(long sinceStart, TesterStatus sum) {
        LiveSeries current = series;
        synchronized (current) {
            RunSeries run = whole;
            if (run != null) {
                run.load(sinceStart, sum.activeClients(), sum.inFlight());
            }
        }
    }

    /**
     * Looks at the whole run, as far as its blocks have been seen. Any thread.
     *
     * @param since version of an earlier look; 0: none
     * @return {@code null}: nobody asked for it to be kept, or the load has not begun
     */
    public RunSeries.@Nullable Look whole(long since, long nowNanos) {
        LiveSeries current = series;
        synchronized (current) {
            RunSeries run = whole;
            return run == null ? null : run.look(since, nowNanos);
        }
    }

    /** Notes what a tester's own clock showed at the start of the run. */
    public void localStart(int tester, long localStartNanos) {
        localStarts.put(tester, localStartNanos);
    }

    /** Takes a block; called on the collector's thread, copies it. */
    public void offer(ByteBuffer block) {
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
                    Block header = Block.read(block);
                    LiveSeries current = series;
                    synchronized (current) {
                        current.add(header, block, startNanos - localStarts.getOrDefault(header.tester(), startNanos));
                    }
                }
            } catch (CorruptBlockException e) {
                passedOver.incrementAndGet();
            } catch (RuntimeException e) {
                // Nobody would look at the run any more: neither its user nor a search.
                if (passedOver.getAndIncrement() == 0) {
                    LOG.warn("a block could not be decoded for the live view", e);
                }
            } catch (InterruptedException e) {
                return;
            }
        }
    }

    /** Looks at the last whole seconds before an instant of the global clock. */
    public LiveSeries.Look last(long nowNanos, int seconds) {
        LiveSeries current = series;
        synchronized (current) {
            return current.last(nowNanos, seconds);
        }
    }

    /** Counts the blocks that have come. Any thread. */
    public long blocks() {
        return offered.get();
    }

    /** Returns the share of blocks that were seen, from 0 to 1. */
    public double seenShare() {
        long all = offered.get();
        return all == 0 ? 1 : 1 - (double) passedOver.get() / all;
    }

    @Override
    public void watch(int number, long fromNanos, long quantumNanos) {
        LiveSeries current = series;
        synchronized (current) {
            stage = new StageSeries(number, fromNanos, quantumNanos);
            current.watch(stage);
        }
    }

    @Override
    public void measure(long fromNanos, long toNanos) {
        synchronized (series) {
            if (stage != null) {
                stage.measure(fromNanos, toNanos);
            }
        }
        offeredBefore = offered.get();
        passedOverBefore = passedOver.get();
    }

    @Override
    public StageSeries.Look look(long untilNanos) {
        synchronized (series) {
            if (stage == null) {
                throw new IllegalStateException("No stage is being watched");
            }
            return stage.look(untilNanos);
        }
    }

    @Override
    public double measuredShare() {
        long all = offered.get() - offeredBefore;
        return all == 0 ? 1 : 1 - (double) (passedOver.get() - passedOverBefore) / all;
    }

    @Override
    public void close() {
        closed = true;
        thread.interrupt();
    }
}
