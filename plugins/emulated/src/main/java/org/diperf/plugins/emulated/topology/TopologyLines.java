package org.diperf.plugins.emulated.topology;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.OptionalInt;
import java.util.OptionalLong;

/** A topology as lines of text, for a process that is to carry its packets. */
public final class TopologyLines {

    private static final String NOTHING = "-";

    private TopologyLines() {}

    public static List<String> write(Topology topology) {
        List<String> lines = new ArrayList<>();
        lines.add("seed " + topology.seed());
        for (EmulatedHost host : topology.hosts()) {
            String site = host.site().isEmpty() ? NOTHING : host.site();
            lines.add("host " + host.name() + " " + site + " " + Address.format(host.address()) + " "
                    + (host.control().isEmpty()
                            ? NOTHING
                            : Address.format(host.control().getAsInt())));
        }
        topology.routers().forEach(router -> lines.add("router " + router));
        for (Link link : topology.links()) {
            lines.add("link " + link.name() + " " + link.from() + " " + link.to() + " "
                    + (link.hashSeed().isEmpty() ? NOTHING : link.hashSeed().getAsLong()));
            link.there().forEach(member -> lines.add("there " + words(member)));
            link.back().forEach(member -> lines.add("back " + words(member)));
        }
        return lines;
    }

    static String words(Direction direction) {
        return direction.bitsPerSecond() + " " + direction.latencyNanos() + " " + direction.jitterNanos() + " "
                + direction.queue().limit() + " " + direction.queue().inBytes() + " "
                + direction.loss().rate() + " " + direction.loss().burst();
    }

    /**
     * Reads what {@link #write} wrote.
     *
     * @throws IllegalArgumentException if it is anything else
     */
    public static Topology read(List<String> lines) {
        long seed = 0;
        List<EmulatedHost> hosts = new ArrayList<>();
        List<String> routers = new ArrayList<>();
        List<Link> links = new ArrayList<>();
        for (int i = 0; i < lines.size(); i++) {
            String[] words = lines.get(i).split(" ");
            switch (words[0] + words.length) {
                case "seed2" -> seed = Long.parseLong(words[1]);
                case "host5" ->
                    hosts.add(new EmulatedHost(
                            words[1],
                            words[2].equals(NOTHING) ? "" : words[2],
                            Address.parse(words[3]),
                            words[4].equals(NOTHING) ? OptionalInt.empty() : OptionalInt.of(Address.parse(words[4]))));
                case "router2" -> routers.add(words[1]);
                case "link5" -> links.add(link(words, lines.subList(i + 1, lines.size())));
                case "there8", "back8" -> {
                    // Read with its link.
                }
                default -> throw unknown(lines.get(i));
            }
        }
        return new Topology(seed, hosts, routers, links);
    }

    private static Link link(String[] words, List<String> rest) {
        List<Direction> there = new ArrayList<>();
        List<Direction> back = new ArrayList<>();
        for (String line : rest) {
            if (line.startsWith("there ")) {
                there.add(direction(words(line)));
            } else if (line.startsWith("back ")) {
                back.add(direction(words(line)));
            } else {
                break;
            }
        }
        OptionalLong hashSeed =
                words[4].equals(NOTHING) ? OptionalLong.empty() : OptionalLong.of(Long.parseLong(words[4]));
        return new Link(words[1], words[2], words[3], there, back, hashSeed);
    }

    private static Iterator<String> words(String line) {
        List<String> words = List.of(line.split(" "));
        if (words.size() != 8) {
            throw unknown(line);
        }
        return words.subList(1, words.size()).iterator();
    }

    /** Takes the words of one direction, as {@link #words} wrote them. */
    static Direction direction(Iterator<String> words) {
        return new Direction(
                Double.parseDouble(words.next()),
                Long.parseLong(words.next()),
                Long.parseLong(words.next()),
                new Queue(Long.parseLong(words.next()), Boolean.parseBoolean(words.next())),
                new Loss(Double.parseDouble(words.next()), Integer.parseInt(words.next())));
    }

    private static IllegalArgumentException unknown(String line) {
        return new IllegalArgumentException("Expected a topology line, got '" + line + "'");
    }
}
