package org.diperf.plugins.emulated.distributed;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.diperf.plugins.emulated.engine.Slice;
import org.diperf.plugins.emulated.partition.Partition;
import org.diperf.plugins.emulated.topology.Flow;
import org.diperf.plugins.emulated.topology.Topology;
import org.diperf.plugins.emulated.topology.TopologyLines;

/** An engine: carries a slice as far as it is told to, by frames. Confined to one thread. */
public final class SliceServer {

    private final DataInputStream in;
    private final DataOutputStream out;
    private final ThreadMXBean threads = ManagementFactory.getThreadMXBean();

    /** @param in ends when the engine is to end */
    public SliceServer(DataInputStream in, DataOutputStream out) {
        this.in = in;
        this.out = out;
    }

    /** Writes what an engine needs to know. */
    static Frame setup(Topology topology, List<Flow> flows, Partition partition, int own) {
        List<String> lines = new ArrayList<>(TopologyLines.write(topology));
        lines.add("");
        lines.addAll(Flow.write(flows));
        lines.add("");
        lines.add(own + " " + partition.count());
        lines.add(partition.parts().stream().map(String::valueOf).collect(Collectors.joining(" ")));
        return Frame.text(Frame.Kind.SETUP, String.join("\n", lines));
    }

    /**
     * Carries a slice until it is to end; what it cannot carry it says in its last frame.
     *
     * @throws IOException if whoever started it has gone, or says what it does not understand
     */
    public void run() throws IOException {
        try {
            serve();
        } catch (IllegalArgumentException | IllegalStateException e) {
            Frame.text(Frame.Kind.FAILED, String.valueOf(e.getMessage())).write(out);
        }
    }

    private void serve() throws IOException {
        Frame setup = Frame.read(in);
        setup.content(Frame.Kind.SETUP);
        Iterator<String> lines = Arrays.asList(setup.text().split("\n", -1)).iterator();
        Topology topology = TopologyLines.read(until(lines));
        List<Flow> flows = Flow.read(until(lines));
        int[] numbers = numbers(lines.next());
        int[] parts = numbers(lines.next());
        if (parts.length != topology.nodes().size()) {
            throw new IllegalArgumentException(
                    "Expected a part for each of " + topology.nodes().size() + " nodes, got " + parts.length);
        }
        Partition partition = Partition.of(topology, parts, numbers[1]);
        Slice slice = new Slice(topology, flows, partition, numbers[0], Slice.Trace.NONE);
        Packets[] outgoing =
                IntStream.range(0, numbers[1]).mapToObj(i -> new Packets()).toArray(Packets[]::new);
        ByteBuffer ready =
                ByteBuffer.allocate(2 * Long.BYTES).putLong(Frame.VERSION).putLong(slice.nextNanos());
        new Frame(Frame.Kind.READY, ready.flip()).write(out);
        for (Frame frame = Frame.read(in); frame.kind() != Frame.Kind.FINISH; frame = Frame.read(in)) {
            advance(slice, frame.content(Frame.Kind.ADVANCE), outgoing);
        }
        EngineResult.of(slice).write().write(out);
    }

    private void advance(Slice slice, ByteBuffer order, Packets[] outgoing) throws IOException {
        if (order.remaining() < Long.BYTES || (order.remaining() - Long.BYTES) % Packets.BYTES != 0) {
            throw new IOException("Expected an instant and packets, got " + order.remaining() + " bytes");
        }
        long beginNanos = threads.getCurrentThreadCpuTime();
        long untilNanos = order.getLong();
        while (order.hasRemaining()) {
            slice.receive(order.getInt(), order.getInt(), order.getLong(), order.getLong());
        }
        slice.advance(untilNanos);
        slice.handOver((part, link, done, tag, dueNanos) -> outgoing[part].add(link, done, tag, dueNanos));
        long nextNanos = slice.nextNanos();
        for (Packets packets : outgoing) {
            nextNanos = Math.min(nextNanos, packets.firstDueNanos());
        }
        new Window(nextNanos, threads.getCurrentThreadCpuTime() - beginNanos)
                .write(outgoing)
                .write(out);
    }

    private static List<String> until(Iterator<String> lines) {
        List<String> taken = new ArrayList<>();
        for (String line = lines.next(); !line.isEmpty(); line = lines.next()) {
            taken.add(line);
        }
        return taken;
    }

    private static int[] numbers(String line) {
        return Arrays.stream(line.split(" ")).mapToInt(Integer::parseInt).toArray();
    }
}
