package org.diperf.plugins.emulated.engine;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.diperf.plugins.emulated.topology.Change;
import org.diperf.plugins.emulated.topology.Direction;
import org.diperf.plugins.emulated.topology.EmulatedHost;
import org.diperf.plugins.emulated.topology.Link;
import org.diperf.plugins.emulated.topology.ShortestPaths;
import org.diperf.plugins.emulated.topology.Topology;
import org.diperf.plugins.emulated.topology.Wiring;
import org.jspecify.annotations.Nullable;

/**
 * The packets of an emulated network, and when each is where. It reads no clock: whoever brings packets says when they
 * came, and asks what is due. Rates, queues and losses count packets as they are on the wire, also where the kernel hands
 * over several as one; of such a one the instants of its first and last segment are kept, so that it does not wait at each
 * node until it is complete. Where its segments come so slowly that the next link would stand idle for it, it goes on in
 * parts. Confined to one thread.
 */
final class Network {

    /** Takes packets that have arrived. */
    interface Arrivals {

        /**
         * Takes a packet, which is not to be used afterwards.
         *
         * @param packet its {@link Packet#tailNanos} says when it should have come
         */
        void arrived(Packet packet);

        /** Is told of a packet that is at a node, before it goes on or {@linkplain #arrived arrives}. */
        default void reached(Packet packet) {}
    }

    /**
     * For so long a link may stand idle between segments that enter it together: what others send meanwhile waits behind them.
     * Parts that are smaller would be more packets than an engine can carry.
     */
    private static final long MAX_IDLE_NANOS = 200_000;

    /** Of a flow's links, each is chosen by other bits. */
    private static final int SALT = 0x9e3779b9;

    private static final Pipes[] NO_WAY = {};

    private final PacketPool pool;
    private final Arrivals arrivals;
    private final List<Pipe> pipes = new ArrayList<>();
    /** By number of the link. */
    private final List<Pipes> there = new ArrayList<>();

    private final List<Pipes> back = new ArrayList<>();
    private final PipeHeap order = new PipeHeap();
    private final ShortestPaths shortest;
    /**
     * By number of the sending host, then of the receiving one; empty: no way; {@code null}: no packet has taken it, or none has been sent,
     * yet. There are too many pairs of hosts to make all beforehand. Of no use where devices are those of links.
     */
    private final Pipes[] @Nullable [] @Nullable [] ways;

    private final Map<Integer, Integer> hosts = new HashMap<>();
    /** By number of the device at an end of a link, the link from there; empty: devices are those of hosts. */
    private final Pipes[][] ends;

    /** Makes a network that chooses the ways between hosts. */
    Network(Topology topology, PacketPool pool, Arrivals arrivals) {
        this(topology, Wiring.HOSTS, pool, arrivals);
    }

    Network(Topology topology, Wiring wiring, PacketPool pool, Arrivals arrivals) {
        this.pool = pool;
        this.arrivals = arrivals;
        for (int i = 0; i < topology.links().size(); i++) {
            Link link = topology.links().get(i);
            int salt = (int) link.hashSeed().orElse(topology.seed()) ^ SALT * (2 * i + 1);
            there.add(pipes(link.name() + " from " + link.from() + " to " + link.to(), link.there(), salt, topology));
            back.add(pipes(link.name() + " from " + link.to() + " to " + link.from(), link.back(), salt, topology));
        }
        int links = wiring.isOfLinks() ? topology.links().size() : 0;
        ends = new Pipes[2 * links][];
        for (int i = 0; i < links; i++) {
            ends[Wiring.device(i, false)] = new Pipes[] {there.get(i)};
            ends[Wiring.device(i, true)] = new Pipes[] {back.get(i)};
        }
        int count = wiring.isOfLinks() ? 0 : topology.hosts().size();
        shortest = new ShortestPaths(topology);
        ways = new Pipes[count][][];
        for (int from = 0; from < count; from++) {
            EmulatedHost host = topology.hosts().get(from);
            hosts.put(host.address(), from);
            if (host.control().isPresent()) {
                hosts.put(host.control().getAsInt(), from);
            }
        }
    }

    private Pipes[] way(int from, int to) {
        Pipes[] @Nullable [] known = ways[from];
        if (known == null) {
            known = new Pipes[ways.length][];
            ways[from] = known;
        }
        Pipes[] way = known[to];
        if (way == null) {
            way = findWay(from, to);
            known[to] = way;
        }
        return way;
    }

    /** Finds the links from one host to another; empty: there is no way. */
    Pipes[] findWay(int from, int to) {
        return shortest.between(from, to).stream().map(this::pipes).toArray(Pipes[]::new);
    }

    private Pipes pipes(String name, List<Direction> members, int salt, Topology topology) {
        Pipe[] all = new Pipe[members.size()];
        for (int i = 0; i < all.length; i++) {
            long seed = topology.seed() * 0x9e3779b97f4a7c15L + pipes.size();
            all[i] = new Pipe(all.length == 1 ? name : name + ", number " + i, pipes.size(), members.get(i), seed);
            pipes.add(all[i]);
        }
        return new Pipes(all, salt);
    }

    private Pipes pipes(ShortestPaths.Step step) {
        return (step.isBack() ? back : there).get(step.link());
    }

    /** Changes links; what is due must have been done. */
    void change(List<Change.Part> parts, long nowNanos) {
        for (Change.Part part : parts) {
            Pipe[] members = pipes(part.step()).members();
            for (int i = 0; i < members.length; i++) {
                members[i].change(part.members().get(i), part.isDown(), nowNanos, pool);
                order.update(members[i]);
            }
        }
    }

    /** Lists the links in each direction. */
    List<Pipe> pipes() {
        return pipes;
    }

    /**
     * Sends a packet that has come from a device.
     *
     * @param from number of the device
     * @param packet with its headers read; not to be used afterwards
     * @return whether there is a way; without one the packet is gone
     */
    boolean send(int from, Packet packet, long nowNanos) {
        if (ends.length > 0) {
            // The other end of the same link.
            packet.destination = from ^ 1;
            packet.way = ends[from];
        } else {
            Integer to = hosts.get(PacketSegmenter.destination(packet));
            packet.way = to == null ? NO_WAY : way(from, to);
            if (to == null || packet.way.length == 0) {
                pool.give(packet);
                return false;
            }
            packet.destination = to;
        }
        depart(packet, nowNanos);
        return true;
    }

    /** Sends a packet whose way is known; not to be used afterwards. */
    void depart(Packet packet, long nowNanos) {
        packet.done = 0;
        packet.headNanos = nowNanos;
        packet.tailNanos = nowNanos;
        enter(packet);
    }

    /** Takes a single packet that another process hands over with the link that it is on, and when it is at the other end. */
    void receive(Packet packet, Pipe pipe, long dueNanos) {
        pipe.receive(packet, dueNanos);
        order.update(pipe);
    }

    /** Returns when something is due; {@link Long#MAX_VALUE}: nothing is on its way. */
    long nextNanos() {
        Pipe pipe = order.first();
        return pipe == null ? Long.MAX_VALUE : pipe.dueNanos();
    }

    /**
     * Does what is due.
     *
     * @param most packets to deal with, so that others get a turn
     */
    void advance(long nowNanos, int most) {
        Pipe pipe = order.first();
        for (int i = 0; i < most && pipe != null && pipe.dueNanos() <= nowNanos; i++) {
            Packet packet = pipe.take();
            int together = packet.isLastLink() ? packet.segments : together(packet);
            if (together < packet.segments) {
                putBack(pipe, packet, together);
                order.update(pipe);
            } else {
                order.update(pipe);
                goOn(packet);
            }
            pipe = order.first();
        }
    }

    private void goOn(Packet packet) {
        arrivals.reached(packet);
        packet.done++;
        if (packet.done == packet.way.length) {
            arrivals.arrived(packet);
        } else {
            enter(packet);
        }
    }

    /** Returns how many segments of a packet, from the first on, enter the next link together. */
    private static int together(Packet packet) {
        long takes = packet.tailNanos - packet.headNanos;
        if (takes <= MAX_IDLE_NANOS) {
            return packet.segments;
        }
        int gaps = packet.segments - 1;
        Pipe next = packet.way[packet.done + 1].of(packet.flow);
        double idleNanos = takes - gaps * next.sendNanos(packet.wireBytes(0));
        return idleNanos <= MAX_IDLE_NANOS ? packet.segments : 1 + (int) (MAX_IDLE_NANOS * gaps / idleNanos);
    }

    /** Puts a packet back on its link in parts of so many segments, each due when its own first one is at the next node. */
    private void putBack(Pipe pipe, Packet packet, int together) {
        int until = packet.segments;
        while (until > 0) {
            int from = (until - 1) / together * together;
            Packet part = part(packet, from, until);
            if (part != null) {
                packet.timePart(part, from, until);
                pipe.putBack(part);
            }
            until = from;
        }
        pool.give(packet);
    }

    /** Offers each segment to the next link; what gets through goes on together as far as nothing is missing between. */
    private void enter(Packet packet) {
        Pipe pipe = packet.way[packet.done].of(packet.flow);
        int segments = packet.segments;
        int begin = -1;
        long headSent = 0;
        long tailSent = 0;
        boolean isWhole = true;
        for (int i = 0; i < segments; i++) {
            long sent = pipe.offer(packet.arrivalNanos(i), packet.wireBytes(i));
            if (sent == Pipe.LOST) {
                isWhole = false;
                if (begin >= 0) {
                    carry(pipe, part(packet, begin, i), headSent, tailSent);
                    begin = -1;
                }
            } else {
                headSent = begin < 0 ? sent : headSent;
                begin = begin < 0 ? i : begin;
                tailSent = sent;
            }
        }
        if (isWhole) {
            carry(pipe, packet, headSent, tailSent);
            return;
        }
        if (begin >= 0) {
            carry(pipe, part(packet, begin, segments), headSent, tailSent);
        }
        pool.give(packet);
    }

    /** Copies a part of a packet; {@code null}: there is no memory for it, and it is lost. */
    private @Nullable Packet part(Packet packet, int from, int until) {
        Packet part =
                pool.take(PacketSegmenter.KERNEL_HEADER + packet.headerBytes + (until - from) * packet.segmentPayload);
        if (part != null) {
            PacketSegmenter.cut(packet, from, until, part);
            part.waitedNanos = packet.waitedNanos;
        }
        return part;
    }

    private void carry(Pipe pipe, @Nullable Packet packet, long headSentNanos, long tailSentNanos) {
        if (packet != null) {
            pipe.carry(packet, headSentNanos, tailSentNanos);
            if (!pipe.isHandedOver) {
                order.update(pipe);
            }
        }
    }
}
