package org.diperf.core.wire;

import java.util.List;

/**
 * What a tester says about its machine and its JVM when it joins.
 *
 * @param host name of the machine
 * @param cores that the JVM may use
 * @param memoryBytes of the machine
 * @param java version and vendor
 * @param jvmFlags of the command line
 * @param os name, version and architecture
 * @param debugger whether a debugger may be attached
 */
public record TesterFacts(
        String host, int cores, long memoryBytes, String java, List<String> jvmFlags, String os, boolean debugger) {

    /** No machine's name is longer; it stands in every row of the clock's file. */
    public static final int MAX_HOST = 255;

    public TesterFacts {
        if (host.length() > MAX_HOST) {
            throw new IllegalArgumentException(
                    "Expected a host name of at most " + MAX_HOST + " characters, got " + host.length());
        }
        jvmFlags = List.copyOf(jvmFlags);
    }
}
