package org.diperf.analyzer.result;

import java.util.List;
import java.util.Locale;

/** Tells causes of failure that are the load generator's own from those of the service. */
public final class GeneratorFailures {

    private static final List<String> SIGNS = List.of(
            "too many open files",
            "error=24",
            "no free local port",
            "cannot assign requested address",
            "address already in use",
            "cannot allocate memory",
            "error=12",
            "error=11",
            "outofmemoryerror",
            "no buffer space");

    private GeneratorFailures() {}

    /** Says whether a call that ended so failed for want of something in the tester: descriptors, ports, memory. */
    public static boolean isOne(String outcome) {
        String words = outcome.toLowerCase(Locale.ROOT);
        return SIGNS.stream().anyMatch(words::contains);
    }
}
