package org.diperf.plugins.emulated;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.diperf.core.spi.Nearest;
import org.diperf.core.spi.Quantity;
import org.diperf.plugins.emulated.topology.Change;
import org.diperf.plugins.emulated.topology.ShortestPaths;

/**
 * Reads the changes of links that an experiment file declares. Values of a change hold until the next change of the same key.
 * Confined to one thread, used once.
 */
final class EventReader {

    private static final String AT = "at";
    private static final String LINK = "link";
    private static final String DOWN = "down";
    private static final List<String> OF_WAY = with(LinkKeys.OF_WAY, DOWN);
    static final List<String> ALL = with(OF_WAY, AT, LINK, LinkKeys.BACK);

    /** As they are after the changes before. */
    private final List<State> states = new ArrayList<>();

    /** By name of a link in the file, or of one that a count makes: the numbers of the links. */
    private final Map<String, List<Integer>> names = new LinkedHashMap<>();

    /**
     * How a link is at an instant.
     *
     * @param isThereDown whether it is cut from its first end to the second
     * @param isBackDown the same for the other way
     */
    private record State(LinkKeys keys, boolean isThereDown, boolean isBackDown) {}

    /**
     * What changes.
     *
     * @param there by key, from the link's first end to the second
     * @param back for the other way
     */
    private record Declaration(
            long afterNanos, String link, String text, Map<String, Tree> there, Map<String, Tree> back) {}

    private static List<String> with(List<String> keys, String... others) {
        List<String> all = new ArrayList<>(List.of(others));
        all.addAll(keys);
        return List.copyOf(all);
    }

    /**
     * Adds the next link of the topology.
     *
     * @param name in the file
     * @param own if a count made it; else the same
     */
    void add(String name, String own, LinkKeys keys) {
        names.computeIfAbsent(name, key -> new ArrayList<>()).add(states.size());
        if (!own.equals(name)) {
            names.computeIfAbsent(own, key -> new ArrayList<>()).add(states.size());
        }
        states.add(new State(keys, false, false));
    }

    /** Reads changes; returns them in the order of their instants. */
    List<Change> read(Tree events) {
        List<Declaration> declared = new ArrayList<>();
        for (Tree event : events.items("a list of changes such as [ { at: 20s, link: bone, down: true } ]")) {
            declared.add(declaration(event));
        }
        declared.sort(Comparator.comparingLong(Declaration::afterNanos));
        return declared.stream()
                .map(each -> new Change(each.afterNanos, each.text, parts(each)))
                .toList();
    }

    private Declaration declaration(Tree event) {
        Map<String, Tree> keys = event.keys("a change such as { at: 20s, link: bone, down: true }", ALL);
        Tree at = keys.get(AT);
        if (at == null) {
            throw event.problem(
                    "expected when the link changes, after the start of the load, such as at: 20s, got none");
        }
        Duration after = at.parsed("a duration such as 20s", Quantity::duration);
        Tree link = keys.get(LINK);
        if (link == null) {
            throw event.problem("expected the name of the link that changes, such as link: bone, got none");
        }
        String name = link.text("the name of a link");
        if (!names.containsKey(name)) {
            List<String> known = List.copyOf(names.keySet());
            throw link.problem(
                    "expected a link, one of " + known + ", got '" + name + "'" + Nearest.suggestion(name, known));
        }
        Map<String, Tree> there = new LinkedHashMap<>(keys);
        there.keySet().retainAll(OF_WAY);
        Map<String, Tree> back = new LinkedHashMap<>(there);
        Tree backKey = keys.get(LinkKeys.BACK);
        Map<String, Tree> backAlone = backKey == null
                ? Map.of()
                : backKey.keys("what differs on the way back, such as { rate: 1Mbit/s }", OF_WAY);
        back.putAll(backAlone);
        if (back.isEmpty()) {
            throw event.problem("expected what changes, one of " + with(OF_WAY, LinkKeys.BACK) + ", got nothing");
        }
        String text = "link " + name + ": " + words(there)
                + (backAlone.isEmpty() ? "" : (there.isEmpty() ? "" : "; ") + "back " + words(backAlone));
        return new Declaration(after.toNanos(), name, text, there, back);
    }

    private static String words(Map<String, Tree> keys) {
        return keys.entrySet().stream()
                .map(entry -> entry.getKey().equals(DOWN)
                        ? isDown(entry.getValue()) ? "down" : "up"
                        : entry.getKey() + " " + entry.getValue().words())
                .collect(Collectors.joining(", "));
    }

    private static boolean isDown(Tree key) {
        return key.yesOrNo("true to cut the link, or false to mend it");
    }

    private List<Change.Part> parts(Declaration change) {
        List<Change.Part> parts = new ArrayList<>();
        for (int link : names.getOrDefault(change.link, List.of())) {
            State before = states.get(link);
            State after = new State(
                    before.keys.with(withoutDown(change.there), withoutDown(change.back)),
                    isDown(change.there, before.isThereDown),
                    isDown(change.back, before.isBackDown));
            states.set(link, after);
            if (!change.there.isEmpty()) {
                parts.add(new Change.Part(
                        new ShortestPaths.Step(link, false), after.isThereDown, after.keys.members(false)));
            }
            parts.add(new Change.Part(new ShortestPaths.Step(link, true), after.isBackDown, after.keys.members(true)));
        }
        return parts;
    }

    private static Map<String, Tree> withoutDown(Map<String, Tree> keys) {
        Map<String, Tree> others = new LinkedHashMap<>(keys);
        others.remove(DOWN);
        return others;
    }

    private static boolean isDown(Map<String, Tree> keys, boolean before) {
        Tree key = keys.get(DOWN);
        return key == null ? before : isDown(key);
    }
}
