package org.diperf.core.experiment;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A kind of request that clients make.
 *
 * @param name its name in the results
 * @param weight its share of the mix, relative to the others; 0 for steps before the mix
 * @param with all of the plugin's parameters for it, as written in the file
 * @param capture values to take from its answers: name to {@code json:/POINTER}, {@code header:NAME} or {@code regex:REGEX}
 */
public record RequestChoice(String name, double weight, Map<String, Object> with, Map<String, String> capture) {

    public RequestChoice {
        with = Collections.unmodifiableMap(new LinkedHashMap<>(with));
        capture = Collections.unmodifiableMap(new LinkedHashMap<>(capture));
    }
}
