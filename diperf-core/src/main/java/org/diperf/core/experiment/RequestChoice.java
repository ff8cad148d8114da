package org.diperf.core.experiment;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A kind of request that clients make.
 *
 * @param name its name in the results
 * @param weight its share among the others of the mix; 0 of what comes before the mix
 * @param with all parameters of the plugin for it, as they stand in the file
 * @param capture what of its answers is kept: name to {@code json:/POINTER}, {@code header:NAME} or {@code regex:REGEX}
 */
public record RequestChoice(String name, double weight, Map<String, Object> with, Map<String, String> capture) {

    public RequestChoice {
        with = Collections.unmodifiableMap(new LinkedHashMap<>(with));
        capture = Collections.unmodifiableMap(new LinkedHashMap<>(capture));
    }
}
