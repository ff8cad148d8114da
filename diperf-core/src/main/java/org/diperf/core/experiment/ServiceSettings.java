package org.diperf.core.experiment;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * How the run starts and stops the service under test.
 *
 * @param on machine to run it on: {@link #LOCAL}, or one of the testbed
 * @param start shell command that starts it
 * @param ready sign that it is ready: {@code tcp://HOST:PORT}, the address of a page, or {@code log:TEXT}
 * @param readyWithin how long it may take to become ready
 * @param stop shell command that stops it; empty: SIGTERM
 * @param deploy absolute files and folders that are copied to where it starts
 * @param env additional environment variables
 */
public record ServiceSettings(
        String on,
        String start,
        String ready,
        Duration readyWithin,
        String stop,
        List<Path> deploy,
        Map<String, String> env) {

    /** Names the machine of the controller. */
    public static final String LOCAL = "local";

    public ServiceSettings {
        deploy = List.copyOf(deploy);
        env = Collections.unmodifiableMap(new LinkedHashMap<>(env));
    }
}
