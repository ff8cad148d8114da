package org.diperf.tester.engine;

import org.diperf.core.sample.Outcome;
import org.diperf.core.spi.Failure;

/** Words for exceptions: short, and equal for equal causes, because failures are counted by them. */
final class Failures {

    private Failures() {}

    /** Makes an outcome of what a client threw. */
    static String outcome(Throwable thrown) {
        return Outcome.ofFailure(Failure.of(thrown));
    }

    /** Says in a line what was thrown. */
    static String describe(Throwable thrown) {
        return Outcome.cause(outcome(thrown));
    }
}
