package org.diperf.core.run;

import java.util.Map;
import java.util.Set;
import org.diperf.core.spi.ClientTrait;

/** The traits of the plugins that there were when plugins did not declare them yet: for the records of those versions alone. */
final class OldClients {

    private static final Map<String, Set<ClientTrait>> TRAITS = Map.of(
            "exec", Set.of(ClientTrait.STARTS_PROGRAMS),
            "stream", Set.of(ClientTrait.STARTS_PROGRAMS, ClientTrait.TIMES_ITSELF));

    private OldClients() {}

    static Set<ClientTrait> traits(String plugin) {
        return TRAITS.getOrDefault(plugin, Set.of());
    }
}
