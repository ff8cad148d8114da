package org.diperf.plugins.weather;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What a name server knows, for those who ask. */
final class Directory {

    /** Words that stand for filters, as in NWS's {@code nws_search}. */
    private static final Map<String, String> SHORT = shortcuts();

    private final InetSocketAddress nameServer;

    /**
     * The series of a path.
     *
     * @param from the sensor that probes
     * @param to the sensor that is probed
     * @param series as registered
     */
    record Found(String from, String to, Attributes series) {}

    Directory(InetSocketAddress nameServer) {
        this.nameServer = nameServer;
    }

    private static Map<String, String> shortcuts() {
        Map<String, String> all = new LinkedHashMap<>();
        all.put("activities", "(objectclass=nwsActivity)");
        all.put("cliques", "(&(objectclass=nwsActivity)(controlName=clique))");
        all.put("hosts", "(objectclass=nwsHost)");
        all.put("memories", "(hostType=memory)");
        all.put("sensors", "(hostType=sensor)");
        all.put("series", "(objectclass=nwsSeries)");
        return all;
    }

    static Set<String> words() {
        return SHORT.keySet();
    }

    /**
     * Searches.
     *
     * @param filter or one of {@link #words}
     * @throws IOException when the name server does not answer, or sends what cannot be read
     */
    List<Attributes> search(String filter) throws IOException {
        Message answer =
                Link.ask(nameServer, Message.of(Message.NS_SEARCH, SHORT.getOrDefault(filter, filter)), Host.PATIENCE);
        if (answer.type() != Message.NS_SEARCHED) {
            throw new IOException("expected the name server to answer a search, got message " + answer.type());
        }
        try {
            return Attributes.readAll(answer.text());
        } catch (IllegalArgumentException e) {
            throw new IOException("name server " + nameServer + ": " + e.getMessage(), e);
        }
    }

    /** Finds the one object with a name. */
    Attributes named(String name) throws IOException {
        List<Attributes> found = search("(name=" + name + ")");
        if (found.isEmpty()) {
            throw new IOException("expected a registered name, got '" + name
                    + "', which the name server does not know; list what it knows: diperf nws search hosts");
        }
        return found.get(0);
    }

    /**
     * Finds the series of a resource between two sensors. Where they never probe each other, that of the representatives of their cliques: members of
     * a clique with one of them each, which probe each other in another clique.
     *
     * @throws IOException when there is none of either
     */
    Found between(String from, String to, String resource) throws IOException {
        List<Attributes> cliques = search("cliques");
        for (String source : neighbours(cliques, from)) {
            for (String target : neighbours(cliques, to)) {
                List<Attributes> series = search("(&(objectclass=nwsSeries)(resource=" + resource + ")(host=" + source
                        + ")(target=" + target + "))");
                if (!series.isEmpty()) {
                    return new Found(source, target, series.get(0));
                }
            }
        }
        throw new IOException("expected two sensors that probe each other, or are in cliques whose members do, got "
                + from + " and " + to);
    }

    /** Returns a sensor, and behind it those that are in a clique with it. */
    static List<String> neighbours(List<Attributes> cliques, String sensor) {
        List<String> all = new ArrayList<>(List.of(sensor));
        for (Attributes each : cliques) {
            List<String> members = List.of(each.get("member").split(","));
            if (members.contains(sensor)) {
                members.stream().filter(member -> !all.contains(member)).forEach(all::add);
            }
        }
        return all;
    }
}
