package org.diperf.core.spi;

import java.util.List;

/**
 * What comes within the calls of a plugin's clients: see {@link Call#event}.
 *
 * @param unit what an event carries one or more of, in the singular: {@code token}, {@code message}
 * @param kinds at least one, lower case, such as {@code text} and {@code reasoning}; a call's events name theirs by its place
 */
public record EventKinds(String unit, List<String> kinds) {

    public EventKinds {
        kinds = List.copyOf(kinds);
        if (kinds.isEmpty() || !unit.matches("[a-z][a-z-]{0,29}")) {
            throw new IllegalArgumentException(
                    "Events: expected a unit of lower-case letters and at least one kind, got '" + unit + "' and "
                            + kinds);
        }
    }
}
