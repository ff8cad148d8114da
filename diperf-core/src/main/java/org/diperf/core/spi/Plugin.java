package org.diperf.core.spi;

import java.util.List;

/**
 * What every kind of plugin says of itself. Each kind is found by {@link java.util.ServiceLoader} through {@code
 * META-INF/services/} and the name of its interface, and needs a public constructor without arguments that does nothing.
 */
public interface Plugin {

    /**
     * Names the plugin among those of its kind; stable, because files and commands use it.
     *
     * @return lower-case letters, digits and hyphens, at most 32
     */
    String id();

    /** Describes the plugin in one line, for {@code diperf plugins}. */
    String summary();

    /** Lists the parameters that users may give it, besides those of every plugin of its kind; by default none. */
    default List<Parameter> parameters() {
        return List.of();
    }
}
