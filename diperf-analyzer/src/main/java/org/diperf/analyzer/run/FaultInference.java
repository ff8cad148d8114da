package org.diperf.analyzer.run;

import java.util.List;
import java.util.Locale;
import org.diperf.core.spi.Fault;

/** Infers from its words whose fault a failure was, for imported runs, whose samples do not say. */
final class FaultInference {

    private static final List<String> SIGNS = List.of(
            "too many open files",
            "error=24",
            "no free local port",
            "cannot assign requested address",
            "address already in use",
            "cannot allocate memory",
            "not enough memory",
            "error=12",
            "too many processes",
            "error=11",
            "outofmemoryerror",
            "no buffer space");

    private FaultInference() {}

    static Fault of(String cause) {
        String words = cause.toLowerCase(Locale.ROOT);
        return SIGNS.stream().anyMatch(words::contains) ? Fault.GENERATOR : Fault.SERVICE;
    }
}
