package org.diperf.core.plugin;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/** The plugins of one kind that can be used, bundled ones first, each ID once. Changed only while plugins are loaded. */
public final class Registry<P> {

    private final Class<P> service;
    private final Map<String, Found<P>> found = new LinkedHashMap<>();

    Registry(Class<P> service) {
        this.service = service;
    }

    /**
     * A plugin that was found.
     *
     * @param id unique among those of its kind; of a journey in Java the name of its class
     * @param plugin for its declarations and, but for a journey, for all use
     * @param source where it came from: the path of its jar, or {@code bundled}
     * @param maker makes another instance, such as the journey of a client
     */
    public record Found<P>(String id, P plugin, String source, Supplier<P> maker) {}

    Class<P> service() {
        return service;
    }

    /** Adds a plugin; returns why it could not be added. */
    Optional<String> add(Found<P> plugin) {
        Found<P> first = found.putIfAbsent(plugin.id(), plugin);
        return Optional.ofNullable(first)
                .map(used -> "the " + kind() + " '" + plugin.id() + "' exists twice: in " + used.source()
                        + ", which is used, and in " + plugin.source() + "; remove one of them");
    }

    private String kind() {
        return service.getSimpleName().replaceAll("(?<=[a-z])(?=[A-Z])", " ").toLowerCase(Locale.ROOT);
    }

    /** Finds a plugin with where it came from. */
    public Optional<Found<P>> find(String id) {
        return Optional.ofNullable(found.get(id));
    }

    /** Finds a plugin. */
    public Optional<P> plugin(String id) {
        return find(id).map(Found::plugin);
    }

    /** Lists the plugins with where they came from. */
    public List<Found<P>> found() {
        return List.copyOf(found.values());
    }

    /** Lists the plugins. */
    public List<P> plugins() {
        return found.values().stream().map(Found::plugin).toList();
    }

    /** Lists the IDs. */
    public List<String> ids() {
        return new ArrayList<>(found.keySet());
    }
}
