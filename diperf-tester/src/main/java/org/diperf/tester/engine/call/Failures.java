package org.diperf.tester.engine.call;

import java.io.UncheckedIOException;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.diperf.core.sample.Outcome;
import org.diperf.core.spi.Failure;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Words for exceptions: short, and equal for equal causes, because failures are counted by them. */
public final class Failures {

    private static final Logger LOG = LoggerFactory.getLogger(Failures.class);
    /** Causes of which the place is told: a client whose every message is another one must not fill memory and log. */
    private static final int MAX_TOLD = 1_000;

    private static final Set<String> TOLD = ConcurrentHashMap.newKeySet();

    private Failures() {}

    /** Makes an outcome of what a client threw. What looks like a bug of the client is logged with its place, once for each cause. */
    public static String outcome(Throwable thrown) {
        String outcome = Outcome.ofFailure(Failure.of(thrown));
        boolean maybeBug = thrown instanceof RuntimeException && !(thrown instanceof UncheckedIOException);
        if (maybeBug && TOLD.size() < MAX_TOLD && TOLD.add(outcome)) {
            LOG.warn("a call ended with an exception in its client, reported once per cause", thrown);
        }
        return outcome;
    }

    /** Says in a line what was thrown. */
    public static String describe(Throwable thrown) {
        return Outcome.cause(Outcome.ofFailure(Failure.of(thrown)));
    }
}
