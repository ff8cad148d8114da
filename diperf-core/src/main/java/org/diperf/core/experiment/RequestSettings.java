package org.diperf.core.experiment;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A kind of request that clients make.
 *
 * @param name its name in the results
 * @param weight its share of the mix, relative to the others; 0 for steps before the mix and of journeys
 * @param plugin id of the client plugin that makes it; empty: the client's
 * @param target URI of the service that it goes to; empty: the call's target
 * @param with all of the plugin's parameters for it, as written in the file
 * @param capture values to take from its answers: name to {@code json:/POINTER}, {@code header:NAME}, {@code cookie:NAME} or
 *     {@code regex:REGEX}
 * @param check what its answers must have: {@code status}, {@code body}, {@code size}, {@code time} or what
 *     {@code capture} takes, to what that must be
 * @param goesOn whether its journey goes on when it has failed
 */
public record RequestSettings(
        String name,
        double weight,
        String plugin,
        String target,
        Map<String, Object> with,
        Map<String, String> capture,
        Map<String, String> check,
        boolean goesOn) {

    public RequestSettings {
        with = Collections.unmodifiableMap(new LinkedHashMap<>(with));
        capture = Collections.unmodifiableMap(new LinkedHashMap<>(capture));
        check = Collections.unmodifiableMap(new LinkedHashMap<>(check));
    }

    /** Makes one of the client's own plugin, that checks nothing. */
    public RequestSettings(String name, double weight, Map<String, Object> with, Map<String, String> capture) {
        this(name, weight, "", "", with, capture, Map.of(), false);
    }
}
