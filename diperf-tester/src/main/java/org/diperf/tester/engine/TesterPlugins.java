package org.diperf.tester.engine;

import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.diperf.core.plugin.Plugins;
import org.diperf.core.plugin.Registry;
import org.diperf.core.spi.ClientPlugin;
import org.diperf.core.spi.JavaJourney;

/**
 * What an assignment names.
 *
 * @param clients plugins by their ids
 * @param journeys makers of journeys in Java by the names of their classes
 */
public record TesterPlugins(Map<String, ClientPlugin> clients, Map<String, Supplier<JavaJourney>> journeys) {

    public TesterPlugins {
        clients = Map.copyOf(clients);
        journeys = Map.copyOf(journeys);
    }

    /** Where a tester finds them. */
    @FunctionalInterface
    public interface Source {

        /** Finds a client plugin by its id. */
        Optional<ClientPlugin> client(String id);

        /** Finds the maker of a journey in Java by the name of its class. */
        default Optional<Supplier<JavaJourney>> journey(String type) {
            return Optional.empty();
        }

        /** Finds those that were loaded; asked again each time, so that they may be loaded meanwhile. */
        static Source of(Supplier<Plugins> loaded) {
            return new Source() {

                @Override
                public Optional<ClientPlugin> client(String id) {
                    return loaded.get().clients().plugin(id);
                }

                @Override
                public Optional<Supplier<JavaJourney>> journey(String type) {
                    return loaded.get().journeys().find(type).map(Registry.Found::maker);
                }
            };
        }
    }
}
