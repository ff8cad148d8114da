package org.diperf.plugins.probe;

import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import org.diperf.core.spi.CommandContext;
import org.diperf.core.spi.Url;

/** Calls of a client plugin that measures a path, one by one, each with its metrics. */
final class Calls {

    /** A server that takes one test at a time may not have left the one before. */
    private static final int ATTEMPTS = 20;

    private static final long PAUSE_NANOS = 50_000_000;

    private final CommandContext context;
    private final String client;
    private final Url target;
    private final Duration timeout;
    private boolean answered;

    Calls(CommandContext context, String client, String host, int port, Duration timeout) {
        this.context = context;
        this.client = client;
        String authority = host.contains(":") ? "[" + host + "]" : host;
        this.target = Url.of(client + "://" + authority + ":" + port);
        this.timeout = timeout;
    }

    /** A call that failed, with its cause. */
    static final class FailedException extends Exception {

        private static final long serialVersionUID = 1;

        FailedException(String outcome) {
            super(outcome);
        }
    }

    /**
     * Makes a call.
     *
     * @return its metrics
     * @throws FailedException when it failed; one that is refused right after one that was answered is made again for a second
     */
    Map<String, Double> make(Map<String, Object> with) throws FailedException, InterruptedException {
        for (int attempt = 1; ; attempt++) {
            String outcome;
            try {
                CommandContext.Called call = context.call(client, target, with, timeout);
                if (call.ok()) {
                    answered = true;
                    return call.metrics();
                }
                outcome = call.outcome();
            } catch (IOException e) {
                outcome = String.valueOf(e.getMessage());
            }
            boolean passes = outcome.equals("connection refused") || outcome.equals("server busy");
            if (!answered || !passes || attempt == ATTEMPTS) {
                throw new FailedException(outcome);
            }
            LockSupport.parkNanos(this, PAUSE_NANOS);
            if (Thread.interrupted()) {
                throw new InterruptedException();
            }
        }
    }

    Url target() {
        return target;
    }
}
