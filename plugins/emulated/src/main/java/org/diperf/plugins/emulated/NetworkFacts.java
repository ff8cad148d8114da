package org.diperf.plugins.emulated;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.diperf.plugins.emulated.annex.NetworkUsage;
import org.diperf.plugins.emulated.annex.NetworkUsage.Carried;
import org.diperf.plugins.emulated.annex.NetworkUsage.Role;
import org.diperf.plugins.emulated.annex.NetworkUsage.Times;
import org.diperf.plugins.emulated.annex.NetworkUsage.Way;
import org.diperf.plugins.emulated.engine.EngineReport;
import org.diperf.plugins.emulated.routing.Rerouting;
import org.diperf.plugins.emulated.topology.Direction;
import org.diperf.plugins.emulated.topology.Link;
import org.diperf.plugins.emulated.topology.ShortestPaths;
import org.diperf.plugins.emulated.topology.Topology;

/** Says of a declared network, and of what it carried, what a run shows. Confined to one thread. */
final class NetworkFacts {

    private final NetworkDeclaration declared;
    private final Topology topology;
    private final List<Topology.Pipe> pipes;
    private final long shortestRoundTripNanos;
    private final long shortestWayNanos;

    NetworkFacts(NetworkDeclaration declared) {
        this.declared = declared;
        this.topology = declared.topology();
        this.pipes = topology.pipes();
        this.shortestRoundTripNanos = leastRoundTripNanos();
        this.shortestWayNanos = shortestWayNanos();
    }

    /** Names the physical links, each direction of them by itself, by their numbers. */
    List<String> parts() {
        return pipes.stream().map(Topology.Pipe::name).toList();
    }

    /** Returns the least round trip that is declared between a tester and the service; 0: none. */
    long shortestRoundTripNanos() {
        return shortestRoundTripNanos;
    }

    /** Describes the physical links, by their numbers. */
    List<String> words() {
        return pipes.stream().map(Topology.Pipe::words).toList();
    }

    /**
     * Describes the network and what it carried.
     *
     * @param engine what carried the packets
     * @param probes on how many packets of a link of their own the lateness was seen; empty: on all packets
     * @param droppedBefore sum over hosts and routers; empty: not known
     */
    NetworkUsage network(
            String engine,
            EngineReport report,
            OptionalLong probes,
            OptionalLong droppedBefore,
            List<Rerouting> reroutings) {
        boolean isKnown = report.engine(EngineReport.AT_NANOS) > 0;
        Carried carried = new Carried(
                engine,
                report.engine(EngineReport.DELIVERED),
                times(report, EngineReport.LATE_NANOS),
                probes.isPresent() ? probes.getAsLong() : null,
                probes.isPresent() ? null : times(report, EngineReport.TURN_NANOS),
                droppedBefore.isPresent() ? droppedBefore.getAsLong() : null,
                report.engine(EngineReport.REFUSED),
                report.engine(EngineReport.STRAYS));
        return new NetworkUsage(
                nodes(), links(report), shortestRoundTripNanos, shortestWayNanos, isKnown ? carried : null, reroutings);
    }

    private static Times times(EngineReport report, int first) {
        return new Times(report.engine(first), report.engine(first + 1), report.engine(first + 2));
    }

    private List<NetworkUsage.Node> nodes() {
        List<NetworkUsage.Node> nodes = new ArrayList<>();
        declared.groups().forEach((name, members) -> {
            int host = topology.host(members.get(0));
            String site = host < 0 ? "" : topology.hosts().get(host).site();
            boolean forTesters = members.stream().anyMatch(declared.testers()::contains);
            boolean forService = members.contains(declared.service());
            Role role = host < 0
                    ? Role.ROUTER
                    : forTesters && forService
                            ? Role.BOTH
                            : forTesters ? Role.TESTERS : forService ? Role.SERVICE : Role.HOST;
            nodes.add(new NetworkUsage.Node(name, members.size(), site, role));
        });
        return nodes;
    }

    /** Names what is drawn for a node: itself, or the hosts of one count. */
    private String group(String node) {
        return declared.groups().entrySet().stream()
                .filter(entry -> entry.getValue().contains(node))
                .map(Map.Entry::getKey)
                .findFirst()
                .orElse(node);
    }

    /** Links of one entry of the file are alike, and have the same name but for their ends. */
    private record Alike(String name, String from, String to, List<Direction> there, List<Direction> back) {}

    private List<NetworkUsage.Link> links(EngineReport report) {
        Map<Alike, List<Link>> alike = new LinkedHashMap<>();
        for (Link link : topology.links()) {
            String from = group(link.from());
            String to = group(link.to());
            String ends = link.from() + "-" + link.to();
            String name = link.name().equals(ends)
                    ? from + "-" + to
                    : link.name().endsWith("-" + ends)
                            ? link.name().substring(0, link.name().length() - ends.length() - 1)
                            : link.name();
            alike.computeIfAbsent(new Alike(name, from, to, link.there(), link.back()), key -> new ArrayList<>())
                    .add(link);
        }
        List<NetworkUsage.Link> links = new ArrayList<>();
        alike.forEach((key, members) -> links.add(new NetworkUsage.Link(
                key.name,
                members.size(),
                key.from,
                key.to,
                way(key.there, members, false, report),
                way(key.back, members, true, report))));
        return links;
    }

    private Way way(List<Direction> members, List<Link> links, boolean isBack, EngineReport report) {
        List<String> parts = new ArrayList<>();
        long[] sums = new long[EngineReport.OF_PIPE];
        for (int i = 0; i < pipes.size(); i++) {
            Topology.Pipe pipe = pipes.get(i);
            if (pipe.isBack() == isBack && links.contains(pipe.link())) {
                parts.add(pipe.name());
                for (int what = 0; what < sums.length; what++) {
                    sums[what] += report.pipe(i, what);
                }
            }
        }
        Direction first = members.get(0);
        return new Way(
                first.bitsPerSecond(),
                first.latencyNanos(),
                parts,
                sums[EngineReport.PACKETS],
                sums[EngineReport.BYTES],
                sums[EngineReport.LOST] + sums[EngineReport.CUT],
                sums[EngineReport.OVERFLOWED]);
    }

    /**
     * Returns the least round trip that is declared, whatever events make of it, without jitter. Where the engine knows the ways they stay what
     * they are; routers may find others.
     */
    private long leastRoundTripNanos() {
        Topology least = least(false);
        ShortestPaths ways = new ShortestPaths(declared.routing().isStatic() ? topology : least);
        int service = topology.host(declared.service());
        return service < 0
                ? 0
                : declared.testers().stream()
                        .mapToInt(topology::host)
                        .filter(tester -> tester != service)
                        .mapToLong(tester -> latencyNanos(ways.between(tester, service), least)
                                + latencyNanos(ways.between(service, tester), least))
                        .min()
                        .orElse(0);
    }

    private static long latencyNanos(List<ShortestPaths.Step> way, Topology topology) {
        return way.stream()
                .mapToLong(step -> {
                    Link link = topology.links().get(step.link());
                    return (step.isBack() ? link.back() : link.there()).get(0).latencyNanos();
                })
                .sum();
    }

    /** Makes a topology of links with the least latency that they have, whatever events make of it; with or without their jitter. */
    private Topology least(boolean withJitter) {
        List<Link> shortest = new ArrayList<>();
        for (int i = 0; i < topology.links().size(); i++) {
            Link link = topology.links().get(i);
            shortest.add(new Link(
                    link.name(),
                    link.from(),
                    link.to(),
                    List.of(shortest(i, false, link.there(), withJitter)),
                    List.of(shortest(i, true, link.back(), withJitter))));
        }
        return new Topology(topology.seed(), topology.hosts(), topology.routers(), shortest);
    }

    /** Returns the least time that any packet between two hosts takes as declared, whatever events and jitter make of it. */
    private long shortestWayNanos() {
        int hosts = topology.hosts().size();
        ShortestPaths ways = new ShortestPaths(least(true));
        long least = Long.MAX_VALUE;
        for (int from = 0; from < hosts; from++) {
            for (int to = 0; to < hosts; to++) {
                least = from == to ? least : Math.min(least, ways.latencyNanos(from, to));
            }
        }
        return least == Long.MAX_VALUE ? 0 : least;
    }

    private Direction shortest(int link, boolean isBack, List<Direction> members, boolean withJitter) {
        ShortestPaths.Step step = new ShortestPaths.Step(link, isBack);
        long least = Stream.concat(
                        members.stream(),
                        declared.changes().stream()
                                .flatMap(change -> change.parts().stream())
                                .filter(part -> part.step().equals(step))
                                .flatMap(part -> part.members().stream()))
                .mapToLong(member -> member.latencyNanos() - (withJitter ? member.jitterNanos() : 0))
                .min()
                .orElse(0);
        Direction first = members.get(0);
        return new Direction(first.bitsPerSecond(), least, 0, first.queue(), first.loss());
    }
}
