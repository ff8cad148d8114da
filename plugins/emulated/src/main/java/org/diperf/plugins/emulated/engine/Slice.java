package org.diperf.plugins.emulated.engine;

import java.util.ArrayList;
import java.util.List;
import java.util.PriorityQueue;
import java.util.SplittableRandom;
import org.diperf.plugins.emulated.partition.Partition;
import org.diperf.plugins.emulated.topology.Flow;
import org.diperf.plugins.emulated.topology.Topology;

/**
 * One part of an emulated network and the traffic that its hosts make up, in virtual time: it does what is due before an instant that it is
 * told, takes packets from other parts and has packets for them. A link belongs to the part from which it leads. What happens does not
 * depend on the partition: at one instant packets reach nodes in the order of their links' numbers, and flows send after that in the order of
 * theirs; whatever is drawn by lot, each link and each flow draws for itself. Confined to one thread.
 */
public final class Slice {

    /** Is told where packets are. Called by the thread that owns the slice. */
    public interface Trace {

        /** Looks at nothing. */
        Trace NONE = (atNanos, link, tag) -> {};

        /**
         * Takes note that a packet is at the end of a link.
         *
         * @param link number of the physical link and direction, as {@link Topology#pipes} lists them
         * @param tag number of the flow in the upper half; in the lower one twice the number of the request, and 1 more for its answer
         */
        void reached(long atNanos, int link, long tag);
    }

    /** Takes packets that are on their way to other parts. */
    public interface Outgoing {

        /**
         * Takes a packet.
         *
         * @param part that owns the end of the link
         * @param link number of the physical link and direction that it is on
         * @param done links that it has left behind
         * @param tag as of {@link Trace}
         * @param dueNanos when it is at the end of the link
         */
        void packet(int part, int link, int done, long tag, long dueNanos);
    }

    private static final long GOLDEN = 0x9e3779b97f4a7c15L;

    private final List<Flow> flows;
    private final Trace trace;
    private final PacketPool pool = PacketPool.ofSizes();
    private final Network network;
    private final List<Pipe> pipes;
    /** By number of the physical link and direction, the number of the node to which it leads. */
    private final int[] ends;
    /** Those that lead to other parts, and to which. */
    private final List<Pipe> cut = new ArrayList<>();

    private final List<Integer> cutTo = new ArrayList<>();
    /** By number of the flow, twice: the way of requests, then that of answers; empty: not asked for yet. */
    private final Pipes[][] ways;

    private final PriorityQueue<Source> sources = new PriorityQueue<>();
    private final long[] loads;
    private final long[] digests;
    private long events;
    private long delivered;
    private long received;
    private long doneNanos = Long.MIN_VALUE;

    /** A flow of which requests are still to be sent. */
    private static final class Source implements Comparable<Source> {

        final int number;
        final Flow flow;
        private final SplittableRandom random;
        long nextNanos;
        int sent;

        Source(int number, Flow flow, long seed) {
            this.number = number;
            this.flow = flow;
            this.random = new SplittableRandom(seed * GOLDEN + number);
            this.nextNanos = flow.startNanos();
        }

        /** Goes on to the next request; returns whether there is one. */
        boolean next() {
            // Of StrictMath, so that all machines draw the same.
            double gap = flow.isSteady()
                    ? flow.gapNanos()
                    : Math.ceil(-StrictMath.log(1 - random.nextDouble()) * flow.gapNanos());
            nextNanos += Math.max(1, (long) gap);
            sent++;
            return sent < flow.requests();
        }

        @Override
        public int compareTo(Source other) {
            int byTime = Long.compare(nextNanos, other.nextNanos);
            return byTime == 0 ? Integer.compare(number, other.number) : byTime;
        }
    }

    /**
     * Makes a part in which nothing has happened.
     *
     * @param flows of the whole network, the same for all parts
     * @param own the number of this part
     * @throws IllegalArgumentException if there is no way between the hosts of a flow
     */
    public Slice(Topology topology, List<Flow> flows, Partition partition, int own, Trace trace) {
        this.flows = List.copyOf(flows);
        this.trace = trace;
        this.network = new Network(topology, pool, new Network.Arrivals() {
            @Override
            public void arrived(Packet packet) {
                deliver(packet);
            }

            @Override
            public void reached(Packet packet) {
                pass(packet);
            }
        });
        this.pipes = network.pipes();
        this.ends = new int[pipes.size()];
        this.ways = new Pipes[2 * flows.size()][];
        this.loads = new long[partition.parts().size()];
        this.digests = new long[loads.length];
        List<Topology.End> all = topology.ends();
        for (int i = 0; i < ends.length; i++) {
            ends[i] = all.get(i).to();
            int to = partition.part(ends[i]);
            if (partition.part(all.get(i).from()) == own && to != own) {
                pipes.get(i).isHandedOver = true;
                cut.add(pipes.get(i));
                cutTo.add(to);
            }
        }
        for (int i = 0; i < flows.size(); i++) {
            Flow flow = flows.get(i);
            if (Math.max(flow.from(), flow.to()) >= topology.hosts().size()) {
                throw new IllegalArgumentException("expected flows between "
                        + topology.hosts().size() + " hosts, got one between " + flow.from() + " and " + flow.to());
            }
            if (partition.part(flow.from()) == own) {
                sources.add(new Source(i, flow, topology.seed()));
            }
        }
    }

    private Pipes[] way(int flow, boolean isAnswer) {
        int at = 2 * flow + (isAnswer ? 1 : 0);
        Pipes[] way = ways[at];
        if (way == null) {
            Flow of = flows.get(flow);
            way = isAnswer ? network.findWay(of.to(), of.from()) : network.findWay(of.from(), of.to());
            if (way.length == 0) {
                throw new IllegalArgumentException(
                        "expected a way between the hosts of each flow, got none of flow " + flow);
            }
            ways[at] = way;
        }
        return way;
    }

    /** Returns when something is due; {@link Long#MAX_VALUE}: nothing is, unless other parts send something. */
    public long nextNanos() {
        Source source = sources.peek();
        return Math.min(network.nextNanos(), source == null ? Long.MAX_VALUE : source.nextNanos);
    }

    /** Does all that is due before an instant; no other part may send anything any more that is due before it. */
    public void advance(long untilNanos) {
        while (true) {
            Source source = sources.peek();
            long sendsNanos = source == null ? Long.MAX_VALUE : source.nextNanos;
            network.advance(Math.min(sendsNanos, untilNanos - 1), Integer.MAX_VALUE);
            if (source == null || sendsNanos >= untilNanos) {
                break;
            }
            sources.remove();
            send(source.number, source.sent, false, sendsNanos);
            if (source.next()) {
                sources.add(source);
            }
        }
        doneNanos = Math.max(doneNanos, untilNanos);
    }

    private void send(int flow, int number, boolean isAnswer, long nowNanos) {
        Flow of = flows.get(flow);
        int from = isAnswer ? of.to() : of.from();
        events++;
        loads[from]++;
        long tag = (long) flow << Integer.SIZE | 2L * number + (isAnswer ? 1 : 0);
        Packet packet = packet(tag);
        packet.destination = isAnswer ? of.from() : of.to();
        network.depart(packet, nowNanos);
    }

    private Packet packet(long tag) {
        Packet packet = pool.take(0);
        if (packet == null) {
            throw new IllegalStateException("Expected as many packets as are asked for, got none");
        }
        int flow = (int) (tag >>> Integer.SIZE);
        boolean isAnswer = (tag & 1) != 0;
        Flow of = flows.get(flow);
        packet.single(isAnswer ? of.answerBytes() : of.requestBytes());
        packet.tag = tag;
        packet.flow = PacketSegmenter.mixed(2 * flow + (isAnswer ? 1 : 0));
        packet.way = way(flow, isAnswer);
        return packet;
    }

    private void pass(Packet packet) {
        Pipe pipe = packet.way[packet.done].of(packet.flow);
        int node = ends[pipe.number];
        events++;
        loads[node]++;
        digests[node] = mixed(digests[node] * 31 + mixed(packet.dueNanos ^ packet.tag * GOLDEN) + pipe.number);
        trace.reached(packet.dueNanos, pipe.number, packet.tag);
    }

    /** Spreads a number over all bits (the last step of SplitMix64, Steele and others 2014). */
    private static long mixed(long value) {
        long hash = value;
        hash = (hash ^ hash >>> 30) * 0xbf58476d1ce4e5b9L;
        hash = (hash ^ hash >>> 27) * 0x94d049bb133111ebL;
        return hash ^ hash >>> 31;
    }

    private void deliver(Packet packet) {
        delivered++;
        long tag = packet.tag;
        long atNanos = packet.tailNanos;
        pool.give(packet);
        int flow = (int) (tag >>> Integer.SIZE);
        if ((tag & 1) == 0 && flows.get(flow).answerBytes() > 0) {
            send(flow, (int) (tag & 0xffff_ffffL) >>> 1, true, atNanos);
        }
    }

    /** Gives away all packets that are on their way to other parts, of each link in the order in which they arrive. */
    public void handOver(Outgoing to) {
        for (int i = 0; i < cut.size(); i++) {
            Pipe pipe = cut.get(i);
            for (Packet packet = pipe.handOver(); packet != null; packet = pipe.handOver()) {
                to.packet(cutTo.get(i), pipe.number, packet.done, packet.tag, packet.dueNanos);
                pool.give(packet);
            }
        }
    }

    /**
     * Takes a packet from another part, as {@link Outgoing} gave it away.
     *
     * @throws IllegalStateException if it comes too late, because that instant is over here
     * @throws IllegalArgumentException if there is no such packet
     */
    public void receive(int link, int done, long tag, long dueNanos) {
        if (dueNanos < doneNanos) {
            throw new IllegalStateException("Expected packets due at " + doneNanos
                    + " ns or later from other engines, got one due at " + dueNanos + " ns");
        }
        int flow = (int) (tag >>> Integer.SIZE);
        if (link < 0 || link >= ends.length || flow < 0 || flow >= flows.size()) {
            throw new IllegalArgumentException("Expected a link below " + ends.length + " and a flow below "
                    + flows.size() + ", got " + link + " and " + flow);
        }
        Packet packet = packet(tag);
        if (done < 0 || done >= packet.way.length || packet.way[done].of(packet.flow) != pipes.get(link)) {
            throw new IllegalArgumentException(
                    "Expected a packet on a link of its way, got link " + link + " of flow " + flow);
        }
        Flow of = flows.get(flow);
        packet.destination = (tag & 1) != 0 ? of.from() : of.to();
        packet.done = done;
        received++;
        network.receive(packet, pipes.get(link), dueNanos);
    }

    /** Counts packets that its hosts sent, and that were at its nodes. */
    public long events() {
        return events;
    }

    /** Counts packets that its hosts got. */
    public long delivered() {
        return delivered;
    }

    /** Counts packets that came from other parts. */
    public long received() {
        return received;
    }

    /** Counts events by number of the node; 0 of those in other parts. */
    public long[] loads() {
        return loads.clone();
    }

    /** Counts packets that came to links, by number of the physical link and direction; 0 of those of other parts. */
    public long[] packets() {
        return pipes.stream().mapToLong(pipe -> pipe.counts().packets).toArray();
    }

    /** Counts packets that were lost as declared or found no room. */
    public long dropped() {
        return pipes.stream()
                .mapToLong(pipe -> pipe.counts().lost + pipe.counts().overflowed)
                .sum();
    }

    /**
     * Returns a sum of what was when at its nodes, in which each node counts for itself: the digests of all parts add up to one that does
     * not depend on the partition.
     */
    public long digest() {
        long sum = 0;
        for (int node = 0; node < digests.length; node++) {
            sum += digests[node] == 0 ? 0 : mixed(digests[node] + node * GOLDEN);
        }
        return sum;
    }
}
