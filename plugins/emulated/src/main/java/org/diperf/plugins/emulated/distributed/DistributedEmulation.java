package org.diperf.plugins.emulated.distributed;

import java.io.File;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.LongConsumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.diperf.core.clock.NanoClock;
import org.diperf.plugins.emulated.partition.Load;
import org.diperf.plugins.emulated.partition.Partition;
import org.diperf.plugins.emulated.topology.Flow;
import org.diperf.plugins.emulated.topology.Topology;

/**
 * A network and its traffic in virtual time, carried by engines that are processes of their own. They go on in windows: from the first instant
 * at which any engine has something to do, for as long as the lookahead of the partition, in which none can have an effect on another.
 * Then each says what it has for the others, and when it next has something to do. Used once, by one thread.
 */
public final class DistributedEmulation {

    private static final List<String> FLAGS = List.of(
            "-XX:+UseSerialGC",
            "-Xmx2g",
            "-XX:+UseTransparentHugePages",
            // Standard output is for frames.
            "-XX:+DisplayVMOutputToStderr");

    private final Topology topology;
    private final List<Flow> flows;
    private final Partition partition;
    private final Placement placement;

    /**
     * Where engines run.
     *
     * @param java the command java, as it is called everywhere
     * @param mainClass of an engine's process
     * @param prefixes words before the commands of engines, in turn, such as those of ssh or of {@code ip netns exec}; none: all are on this machine
     * @param maxSilence after which an engine that owes an answer is ended
     */
    public record Placement(String java, String mainClass, List<List<String>> prefixes, Duration maxSilence) {

        public Placement {
            prefixes = prefixes.stream().map(List::copyOf).toList();
        }

        private List<String> command(int engine) {
            List<String> command =
                    new ArrayList<>(prefixes.isEmpty() ? List.of() : prefixes.get(engine % prefixes.size()));
            command.add(java);
            command.addAll(FLAGS);
            command.addAll(List.of("-cp", classPath(), mainClass));
            return command;
        }

        private static String classPath() {
            return Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
                    .map(entry -> Path.of(entry).toAbsolutePath().toString())
                    .collect(Collectors.joining(File.pathSeparator));
        }
    }

    /**
     * What came of it.
     *
     * @param engines by number
     * @param windows in which they went on
     * @param wallNanos that it took, without the start of engines
     * @param busyNanos processor time of engines, by number
     * @param chainNanos processor time of the busiest engine of each window, added up: no number of processors does it in less
     */
    public record Outcome(
            List<EngineResult> engines, long windows, long wallNanos, List<Long> busyNanos, long chainNanos) {

        /** Returns the digest of all that happened, which does not depend on the partition. */
        public long digest() {
            return engines.stream().mapToLong(EngineResult::digest).sum();
        }

        /** Returns how many times the mean the busiest engine's events are. */
        public double imbalance() {
            long most = engines.stream().mapToLong(EngineResult::events).max().orElse(0);
            return most * (double) engines.size() / Math.max(1, events());
        }

        public long events() {
            return engines.stream().mapToLong(EngineResult::events).sum();
        }

        /** Takes the traffic as what parts are to be balanced by. */
        public Load load(Topology topology, long nanos) {
            long[] nodes = new long[topology.nodes().size()];
            long[] links = new long[topology.links().size()];
            List<Topology.Pipe> pipes = topology.pipes();
            long[] packets = new long[pipes.size()];
            for (EngineResult engine : engines) {
                Arrays.setAll(nodes, node -> nodes[node] + engine.loads()[node]);
                Arrays.setAll(packets, pipe -> packets[pipe] + engine.packets()[pipe]);
            }
            int pipe = 0;
            for (int link = 0; link < links.length; link++) {
                int ofLink = 2 * topology.links().get(link).there().size();
                links[link] = LongStream.of(packets).skip(pipe).limit(ofLink).sum();
                pipe += ofLink;
            }
            return Load.measured(nodes, links, nanos);
        }
    }

    public DistributedEmulation(Topology topology, List<Flow> flows, Partition partition, Placement placement) {
        this.topology = topology;
        this.flows = List.copyOf(flows);
        this.partition = partition;
        this.placement = placement;
    }

    /**
     * Carries it out.
     *
     * @param untilNanos before which it is carried out; {@link Long#MAX_VALUE}: as long as something happens
     * @param started is told the process IDs of engines
     * @throws IOException if an engine ends, does not answer, or cannot go on; all are then ended
     */
    public Outcome run(long untilNanos, NanoClock clock, LongConsumer started)
            throws IOException, InterruptedException {
        List<EngineLink> engines = new ArrayList<>();
        ScheduledExecutorService watch = Executors.newSingleThreadScheduledExecutor(task -> {
            Thread thread = new Thread(task, "diperf-emulated-watch");
            thread.setDaemon(true);
            return thread;
        });
        try {
            for (int i = 0; i < partition.count(); i++) {
                String name = "engine " + (i + 1) + " of " + partition.count();
                EngineLink engine = new EngineLink(
                        name,
                        placement.command(i),
                        clock,
                        placement.maxSilence().toNanos());
                engines.add(engine);
                started.accept(engine.pid());
                long periodMillis = Math.max(10, placement.maxSilence().toMillis() / 4);
                watch.scheduleWithFixedDelay(engine::checkSilence, periodMillis, periodMillis, TimeUnit.MILLISECONDS);
            }
            for (int i = 0; i < engines.size(); i++) {
                engines.get(i).send(SliceServer.setup(topology, flows, partition, i));
            }
            Outcome outcome = run(engines, untilNanos, clock);
            for (EngineLink engine : engines) {
                engine.awaitEnd();
            }
            return outcome;
        } finally {
            watch.shutdownNow();
            engines.forEach(EngineLink::close);
        }
    }

    private Outcome run(List<EngineLink> engines, long untilNanos, NanoClock clock)
            throws IOException, InterruptedException {
        int count = engines.size();
        Packets[] incoming =
                IntStream.range(0, count).mapToObj(i -> new Packets()).toArray(Packets[]::new);
        Long[] busy = new Long[count];
        Arrays.fill(busy, 0L);
        long next = Long.MAX_VALUE;
        for (EngineLink engine : engines) {
            next = Math.min(next, ready(engine.receive()));
        }
        long begin = clock.nanoTime();
        long chain = 0;
        long windows = 0;
        while (next < untilNanos) {
            long horizon = Math.min(untilNanos, next + Math.min(partition.lookaheadNanos(), Long.MAX_VALUE - next));
            for (int i = 0; i < count; i++) {
                engines.get(i).send(advance(horizon, incoming[i]));
            }
            next = Long.MAX_VALUE;
            long longest = 0;
            for (int i = 0; i < count; i++) {
                Window window = Window.read(engines.get(i).receive(), incoming);
                next = Math.min(next, window.nextNanos());
                busy[i] += window.busyNanos();
                longest = Math.max(longest, window.busyNanos());
            }
            chain += longest;
            windows++;
        }
        long wall = clock.nanoTime() - begin;
        List<EngineResult> results = new ArrayList<>();
        for (EngineLink engine : engines) {
            engine.send(new Frame(Frame.Kind.FINISH, ByteBuffer.allocate(0)));
            results.add(EngineResult.read(
                    engine.receive(), topology.nodes().size(), topology.pipes().size()));
        }
        return new Outcome(results, windows, wall, List.of(busy), chain);
    }

    private static long ready(Frame frame) throws IOException {
        ByteBuffer content = frame.content(Frame.Kind.READY);
        if (content.remaining() != 2 * Long.BYTES || content.getLong() != Frame.VERSION) {
            throw new IOException("Expected an engine of this version of DiPerF, got another program");
        }
        return content.getLong();
    }

    private static Frame advance(long untilNanos, Packets incoming) {
        ByteBuffer content = ByteBuffer.allocate(Long.BYTES + incoming.size()).putLong(untilNanos);
        incoming.writeTo(content);
        incoming.clear();
        return new Frame(Frame.Kind.ADVANCE, content.flip());
    }
}
