package org.diperf.tester.engine.call;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;
import org.diperf.core.spi.JavaJourney;

/**
 * A journey in Java with its requests. Immutable.
 *
 * @param type name of its class
 * @param maker makes one for each client
 * @param requests numbers of the requests of its steps, by their names
 * @param seed of the experiment
 */
public record JavaJourneyCode(String type, Supplier<JavaJourney> maker, Map<String, Integer> requests, long seed) {

    public JavaJourneyCode {
        requests = new LinkedHashMap<>(requests);
    }

    /**
     * Returns the number of a step's request.
     *
     * @throws IllegalArgumentException when it has no such step
     */
    public int requestOf(String step) {
        Integer request = requests.get(step);
        if (request == null) {
            throw new IllegalArgumentException("call: expected one of the steps " + requests.keySet()
                    + " that steps() returns, got '" + step + "'");
        }
        return request;
    }
}
