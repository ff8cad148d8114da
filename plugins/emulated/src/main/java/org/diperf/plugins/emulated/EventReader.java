package org.diperf.plugins.emulated;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.diperf.core.spi.NearestName;
import org.diperf.core.spi.Parameter;
import org.diperf.core.spi.Parameter.Type;
import org.diperf.core.spi.Parameters;
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

    private static final List<Parameter> OF_WAY = ofWay();

    static final Parameter[] ALL = LinkKeys.with(
            OF_WAY,
            OF_WAY,
            Parameter.required(AT, Type.DURATION, "time after the start of the load, such as at: 20s"),
            Parameter.required(LINK, Type.STRING, "name of the link that changes, such as link: bone"));

    private static final List<String> OF_OTHERS = List.of(AT, LINK, LinkKeys.BACK);

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

    private static List<Parameter> ofWay() {
        List<Parameter> keys = new ArrayList<>(
                List.of(Parameter.optional(DOWN, Type.BOOLEAN, "true to cut the link, or false to restore it")));
        keys.addAll(LinkKeys.OF_WAY);
        return List.copyOf(keys);
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
    List<Change> read(List<Parameters> events) {
        return events.stream()
                .sorted(Comparator.comparing(event -> event.duration(AT)))
                .map(this::change)
                .toList();
    }

    private Change change(Parameters event) {
        String name = event.string(LINK);
        List<Integer> links = names.get(name);
        if (links == null) {
            List<String> known = List.copyOf(names.keySet());
            throw event.unusable(
                    LINK,
                    "expected a link, one of " + known + ", got '" + name + "'" + NearestName.suggestion(name, known));
        }
        Duration after = event.duration(AT);
        String there = words(event);
        String back = event.has(LinkKeys.BACK) ? words(event.mapping(LinkKeys.BACK)) : "";
        if (there.isEmpty() && back.isEmpty()) {
            throw event.unusable(
                    "",
                    "expected a setting to change, one of "
                            + OF_WAY.stream().map(Parameter::name).toList() + ", or '" + LinkKeys.BACK
                            + "' with some of them, got nothing");
        }
        String text = "link " + name + ": " + there
                + (back.isEmpty() ? "" : (there.isEmpty() ? "" : "; ") + LinkKeys.BACK + " " + back);
        List<Change.Part> parts = new ArrayList<>();
        for (int link : links) {
            State before = states.get(link);
            Optional<Boolean> down = down(event);
            Optional<Boolean> backDown = event.has(LinkKeys.BACK)
                    ? down(event.mapping(LinkKeys.BACK)).or(() -> down)
                    : down;
            State then = new State(
                    before.keys.with(event), down.orElse(before.isThereDown), backDown.orElse(before.isBackDown));
            states.set(link, then);
            if (!there.isEmpty()) {
                parts.add(new Change.Part(
                        new ShortestPaths.Step(link, false), then.isThereDown, then.keys.members(false)));
            }
            parts.add(new Change.Part(new ShortestPaths.Step(link, true), then.isBackDown, then.keys.members(true)));
        }
        return new Change(after.toNanos(), text, parts);
    }

    private static Optional<Boolean> down(Parameters way) {
        return way.has(DOWN) ? Optional.of(way.bool(DOWN)) : Optional.empty();
    }

    private static String words(Parameters way) {
        return way.asWritten().entrySet().stream()
                .filter(entry -> !OF_OTHERS.contains(entry.getKey()))
                .map(entry -> entry.getKey().equals(DOWN)
                        ? way.bool(DOWN) ? "down" : "up"
                        : entry.getKey() + " " + words(entry.getValue()))
                .collect(Collectors.joining(", "));
    }

    private static String words(Object value) {
        return value instanceof Map<?, ?> map
                ? map.entrySet().stream()
                        .map(entry -> entry.getKey() + " " + entry.getValue())
                        .collect(Collectors.joining(" "))
                : String.valueOf(value);
    }
}
