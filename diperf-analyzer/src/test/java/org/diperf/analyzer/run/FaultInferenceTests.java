package org.diperf.analyzer.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.diperf.core.spi.Fault;
import org.junit.jupiter.api.Test;

/** Runs of versions that did not say whose fault a failure was. */
class FaultInferenceTests {

    @Test
    void causesAreTheGeneratorsOrTheServices() {
        assertThat(List.of(
                        "too many open files",
                        "no free local port or address",
                        "IOException: Cannot run program \"x\": error=24, Too many open files",
                        "BindException: Cannot assign requested address",
                        "cannot start curl: too many processes",
                        "cannot start curl: not enough memory",
                        "OutOfMemoryError: unable to create native thread"))
                .allMatch(cause -> FaultInference.of(cause) == Fault.GENERATOR);
        assertThat(List.of("connection refused", "http 503", "timeout", "connection reset"))
                .allMatch(cause -> FaultInference.of(cause) == Fault.SERVICE);
    }
}
