package org.diperf.controller.probe;

import java.net.URI;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import org.diperf.controller.progress.RunFailedException;
import org.diperf.controller.run.OneCall;
import org.diperf.core.experiment.Script;
import org.diperf.core.plugin.Plugins;
import org.diperf.core.spi.ClientPlugin;

/** Calls of a client plugin that measures a path, one by one, each with its metrics. */
final class Calls {

    /** A server that takes one test at a time may not have left the one before. */
    private static final int ATTEMPTS = 20;

    private static final long PAUSE_NANOS = 50_000_000;

    private final ClientPlugin plugin;
    private final URI target;
    private final Duration timeout;
    private boolean answered;

    Calls(Plugins plugins, String id, String host, int port, Duration timeout) {
        this.plugin = plugins.clients()
                .plugin(id)
                .orElseThrow(() -> new IllegalStateException("The client plugin '" + id + "' is not built in"));
        String authority = host.contains(":") ? "[" + host + "]" : host;
        this.target = URI.create(id + "://" + authority + ":" + port);
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
                OneCall call =
                        OneCall.make(plugin, Map.of(), new LinkedHashMap<>(with), target, Script.NONE, timeout, 0);
                if (call.outcome().equals("ok")) {
                    answered = true;
                    return call.metrics();
                }
                outcome = call.outcome();
            } catch (RunFailedException e) {
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

    URI target() {
        return target;
    }
}
