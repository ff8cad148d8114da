package org.diperf.core.experiment;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Which plugin calls, and with which parameters.
 *
 * @param plugin its id
 * @param with as written in the file, defaults filled in: text, number, boolean, list or map of these
 */
public record ClientSettings(String plugin, Map<String, Object> with) {

    public ClientSettings {
        with = Collections.unmodifiableMap(new LinkedHashMap<>(with));
    }
}
