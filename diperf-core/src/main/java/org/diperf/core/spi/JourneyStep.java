package org.diperf.core.spi;

import static java.util.Objects.requireNonNull;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A request that a {@link JavaJourney} makes: like a step of a journey in an experiment file, with the same keys. Texts may hold
 * <code>${...}</code>, of the experiment's names, of what steps capture, and of the journey's own {@link JavaJourney#values}. Immutable.
 *
 * @param name in the results: letters, digits, hyphens and underscores, at most 40
 * @param plugin id of the client plugin that makes it; empty: the client's
 * @param target URI of the service that it goes to; empty: the experiment's
 * @param with parameters of the plugin, as in the file; they override the client's
 * @param capture values to take from the answer, by name
 * @param check what the answer must have
 */
public record JourneyStep(
        String name,
        String plugin,
        String target,
        Map<String, Object> with,
        Map<String, String> capture,
        Map<String, String> check) {

    public JourneyStep {
        requireNonNull(name, "name");
        requireNonNull(plugin, "plugin");
        requireNonNull(target, "target");
        with = Collections.unmodifiableMap(new LinkedHashMap<>(with));
        capture = Collections.unmodifiableMap(new LinkedHashMap<>(capture));
        check = Collections.unmodifiableMap(new LinkedHashMap<>(check));
    }

    /** Makes one with this name alone. */
    public static JourneyStep named(String name) {
        return new JourneyStep(name, "", "", Map.of(), Map.of(), Map.of());
    }

    /**
     * Returns the same with one more parameter.
     *
     * @param parameter such as {@code path}
     * @param value text, number, boolean, list or map of these
     */
    public JourneyStep with(String parameter, Object value) {
        return new JourneyStep(name, plugin, target, and(with, parameter, value), capture, check);
    }

    /**
     * Returns the same, which takes a value from its answer.
     *
     * @param value its name
     * @param from such as {@code json:/token}
     */
    public JourneyStep capture(String value, String from) {
        return new JourneyStep(name, plugin, target, with, and(capture, value, from), check);
    }

    /**
     * Returns the same, which checks its answer.
     *
     * @param what such as {@code status}
     * @param mustBe such as {@code 201}
     */
    public JourneyStep check(String what, String mustBe) {
        return new JourneyStep(name, plugin, target, with, capture, and(check, what, mustBe));
    }

    /** Returns the same, made by another client plugin. */
    public JourneyStep by(String id) {
        return new JourneyStep(name, id, target, with, capture, check);
    }

    /** Returns the same, to another service. */
    public JourneyStep to(String uri) {
        return new JourneyStep(name, plugin, uri, with, capture, check);
    }

    private static <V> Map<String, V> and(Map<String, V> before, String key, V value) {
        Map<String, V> all = new LinkedHashMap<>(before);
        all.put(requireNonNull(key, "key"), requireNonNull(value, "value"));
        return all;
    }
}
