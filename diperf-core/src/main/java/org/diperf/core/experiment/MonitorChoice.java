package org.diperf.core.experiment;

import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A monitor of the service under test.
 *
 * @param name unique in the experiment
 * @param kind of monitor
 * @param period from one sample to the next
 * @param metrics those to keep, {@code *} standing for any letters; empty: all
 * @param with what its kind takes, as it stands in the file
 */
public record MonitorChoice(String name, String kind, Duration period, List<String> metrics, Map<String, Object> with) {

    public MonitorChoice {
        metrics = List.copyOf(metrics);
        with = Collections.unmodifiableMap(new LinkedHashMap<>(with));
    }
}
