package org.diperf.core.experiment;

import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A monitor of the service under test.
 *
 * @param name unique in the experiment
 * @param kind of monitor
 * @param period time between samples; {@code null}: what its kind has
 * @param metrics those to keep, with {@code *} as a wildcard; empty: all
 * @param with the parameters of its kind, as written in the file
 */
public record MonitorSettings(
        String name, String kind, @Nullable Duration period, List<String> metrics, Map<String, Object> with) {

    public MonitorSettings {
        metrics = List.copyOf(metrics);
        with = Collections.unmodifiableMap(new LinkedHashMap<>(with));
    }
}
