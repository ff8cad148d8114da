package org.diperf.core.plan;

import java.util.List;

/**
 * Calls that are measured as a whole, from the intended start of the first to the end of the last: a journey, or a named part of
 * one.
 *
 * @param name in the results
 * @param journey whether it is a whole journey
 * @param requests names of what it calls, in the order of its steps
 */
public record CallGroup(String name, boolean journey, List<String> requests) {

    public CallGroup {
        requests = List.copyOf(requests);
    }
}
