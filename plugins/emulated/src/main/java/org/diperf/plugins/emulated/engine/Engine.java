package org.diperf.plugins.emulated.engine;

import io.netty.channel.unix.FileDescriptor;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.diperf.core.clock.NanoClock;
import org.diperf.plugins.emulated.topology.Change;
import org.diperf.plugins.emulated.topology.Topology;
import org.diperf.plugins.emulated.topology.Wiring;

/**
 * Carries the packets of a topology between TUN devices. Made and used by one thread, but for {@link #change}, {@link #loadFrom} and {@link #end}.
 */
public final class Engine implements AutoCloseable {

    /** The buffers of packets on their way take so much memory at most, outside the heap. */
    public static final long PACKET_BYTES = 1L << 30;

    private final List<FileDescriptor> devices = new ArrayList<>();
    private final Forwarder forwarder;
    private final NanoClock clock;
    private final PendingChanges changes;
    private volatile boolean isToEnd;

    /** Is told of changes of links. */
    public interface ChangeListener {

        /**
         * Takes note that a change has been made. Called by the thread that carries packets, which waits meanwhile.
         *
         * @param number of the change
         * @param atNanos when, on the engine's clock
         */
        void changed(int number, long atNanos);
    }

    /** Makes the devices, in the network namespace of this process, and all that carries packets between them. */
    public Engine(Topology topology, Wiring wiring, NanoClock clock, ChangeListener listener) throws IOException {
        this.changes = new PendingChanges(listener);
        this.clock = clock;
        try {
            int count = wiring.isOfLinks()
                    ? 2 * topology.links().size()
                    : topology.hosts().size();
            for (int i = 0; i < count; i++) {
                devices.add(Linux.tun(device(i)));
            }
        } catch (IOException e) {
            close();
            throw e;
        }
        forwarder = new Forwarder(topology, wiring, devices, changes, clock, PACKET_BYTES);
    }

    /** Names a device before it is moved to its host or router. */
    public static String device(int number) {
        return "em" + number;
    }

    /** Gets ready to carry packets in time; takes some seconds of a processor. */
    public void rehearse() throws IOException, InterruptedException {
        new ForwarderWarmup(clock).run();
    }

    /**
     * Carries packets until it is to end.
     *
     * @param reports gets lines of {@link EngineReport}, each with its end, from a thread of their own; the last ones from this one
     */
    public void run(Consumer<String> reports) throws IOException, InterruptedException {
        EngineReport report = new EngineReport(forwarder.pipes());
        try (EngineReporter reporting = new EngineReporter(report, reports)) {
            reporting.start();
            // Only this thread: those that it starts would follow it.
            Linux.goFirst();
            forwarder.run(() -> isToEnd, reporting);
        }
        forwarder.report(clock.nanoTime(), report);
        reports.accept(report.lines());
    }

    /**
     * Has links changed when their time has come. May be called by any thread, with one order after another in the order of
     * their instants.
     */
    public void change(Change.Order order) {
        changes.add(order);
    }

    /** Says when the load begins: how late packets were is counted from then on. May be called by any thread. */
    public void loadFrom(long atNanos) {
        changes.loadFrom(atNanos);
    }

    /** Has {@link #run} end soon. May be called by any thread. */
    public void end() {
        isToEnd = true;
    }

    @Override
    public void close() throws IOException {
        for (FileDescriptor device : devices) {
            device.close();
        }
    }
}
