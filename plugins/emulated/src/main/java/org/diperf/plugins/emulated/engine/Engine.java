package org.diperf.plugins.emulated.engine;

import io.netty.channel.unix.FileDescriptor;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.diperf.core.clock.NanoClock;
import org.diperf.plugins.emulated.topology.Topology;

/**
 * Carries the packets of a topology between TUN devices. Made and used by one thread, but for {@link #end}.
 */
public final class Engine implements AutoCloseable {

    private final List<FileDescriptor> devices = new ArrayList<>();
    private final Topology topology;
    private final NanoClock clock;
    private volatile boolean isToEnd;

    /** Makes the devices, in the network namespace of this process. */
    public Engine(Topology topology, NanoClock clock) throws IOException {
        this.topology = topology;
        this.clock = clock;
        try {
            for (int host = 0; host < topology.hosts().size(); host++) {
                devices.add(Linux.tun(device(host)));
            }
        } catch (IOException e) {
            close();
            throw e;
        }
    }

    /** Names the device of a host before it is moved to it. */
    public static String device(int host) {
        return "em" + host;
    }

    /** Gets ready to carry packets in time; takes some seconds of a processor. */
    public void rehearse() throws IOException, InterruptedException {
        new Rehearsal(clock).run();
    }

    /**
     * Carries packets until it is to end.
     *
     * @param reports gets lines of {@link EngineReport}, each with its end, from a thread of their own; the last ones from this one
     */
    public void run(Consumer<String> reports) throws IOException, InterruptedException {
        Forwarder forwarder = new Forwarder(topology, devices, clock);
        EngineReport report = new EngineReport(forwarder.pipes());
        try (Reporting reporting = new Reporting(report, reports)) {
            reporting.start();
            forwarder.run(() -> isToEnd, reporting);
        }
        forwarder.report(clock.nanoTime(), report);
        reports.accept(report.lines());
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
