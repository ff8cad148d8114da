package org.diperf.plugins.emulated;

import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.diperf.core.clock.NanoClock;
import org.diperf.plugins.emulated.engine.EngineReport;
import org.diperf.plugins.emulated.engine.LatenessWindow;
import org.diperf.plugins.emulated.netem.Probes;
import org.diperf.plugins.emulated.topology.Direction;
import org.diperf.plugins.emulated.topology.Topology;

/**
 * What is known of the kernel's work: what the devices at the ends of links have sent and their disciplines dropped, read when it is asked for,
 * and how late {@link Probes} came. Of a queue it knows what was in it at those instants. Thread-safe.
 */
final class KernelStatistics implements CarrierStatistics {

    /** Before each IP packet. */
    private static final int ETHERNET_BYTES = 14;

    /**
     * What one end of a physical link has done with packets that leave there.
     *
     * @param bytes with those that Ethernet puts before each packet
     * @param refused packets that the other end did not take
     * @param droppedByDistance by the discipline with losses and latency, with what the one below it dropped
     * @param droppedByRate by the discipline with rate and queue
     * @param queued packets that the latter holds
     */
    record End(long packets, long bytes, long refused, long droppedByDistance, long droppedByRate, long queued) {}

    /** Reads them. */
    interface Ends {

        /** Returns by number of the physical link what the end has done from which packets come, of each. */
        List<End> read() throws IOException;
    }

    private final Topology topology;
    private final List<Topology.Pipe> pipes;
    private final Ends ends;
    private final Consumer<EngineReport> lateness;
    private final LongSupplier probes;
    private final NanoClock clock;
    private final EngineReport last;
    private final long[] mostQueued;
    private boolean isOver;

    /**
     * @param lateness says how late probes were
     * @param probes counts them
     */
    KernelStatistics(
            Topology topology, Ends ends, Consumer<EngineReport> lateness, LongSupplier probes, NanoClock clock) {
        this.topology = topology;
        this.pipes = topology.pipes();
        this.ends = ends;
        this.lateness = lateness;
        this.probes = probes;
        this.clock = clock;
        this.last = new EngineReport(pipes.size());
        this.mostQueued = new long[pipes.size()];
    }

    @Override
    public synchronized EngineReport last() {
        if (!isOver) {
            look();
        }
        EngineReport copy = new EngineReport(pipes.size());
        copy.set(last);
        return copy;
    }

    private void look() {
        List<End> found;
        try {
            found = ends.read();
        } catch (IOException e) {
            // They have gone: what is known of them is what they said before.
            return;
        }
        last.engine(EngineReport.AT_NANOS, clock.nanoTime());
        lateness.accept(last);
        long delivered = 0;
        long refused = 0;
        for (int i = 0; i < pipes.size(); i++) {
            Topology.Pipe pipe = pipes.get(i);
            End end = found.get(i);
            add(i, pipe, end);
            refused += end.refused;
            String receiver = pipe.isBack() ? pipe.link().from() : pipe.link().to();
            delivered += topology.host(receiver) < 0 ? 0 : end.packets;
        }
        last.engine(EngineReport.DELIVERED, delivered);
        last.engine(EngineReport.REFUSED, refused);
    }

    private void add(int number, Topology.Pipe pipe, End end) {
        Direction direction = (pipe.isBack() ? pipe.link().back() : pipe.link().there()).get(pipe.member());
        long bytes = Math.max(0, end.bytes - ETHERNET_BYTES * end.packets);
        long lost = Math.max(0, end.droppedByDistance - end.droppedByRate);
        last.pipe(number, EngineReport.PACKETS, end.packets + lost + end.droppedByRate + end.queued);
        last.pipe(number, EngineReport.BYTES, bytes);
        last.pipe(number, EngineReport.BUSY_NANOS, Math.round(direction.nanos(bytes)));
        last.pipe(number, EngineReport.LOST, lost);
        last.pipe(number, EngineReport.OVERFLOWED, end.droppedByRate);
        last.pipe(number, EngineReport.QUEUED, end.queued);
        mostQueued[number] = Math.max(mostQueued[number], end.queued);
    }

    /** What is asked for is always of now. */
    @Override
    public void awaitReport(long atNanos) {}

    @Override
    public synchronized long[] takeMostQueued() {
        long[] most = mostQueued.clone();
        Arrays.fill(mostQueued, 0);
        return most;
    }

    @Override
    public List<LatenessWindow> takeLate() {
        return List.of();
    }

    @Override
    public OptionalLong probes() {
        return OptionalLong.of(probes.getAsLong());
    }

    @Override
    public synchronized List<String> words(List<String> names) {
        return last.words(names, probes.getAsLong());
    }

    /** Keeps what is known now. */
    synchronized void over() {
        look();
        isOver = true;
    }
}
