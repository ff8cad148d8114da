package org.diperf.tester.engine;

import java.util.concurrent.CompletableFuture;
import org.diperf.core.plan.Stage;
import org.diperf.core.wire.TesterStatus;
import org.diperf.core.wire.TesterTotals;

/** What a tester needs of its load engine. All but {@link #prepare} and {@link #close} return at once, on any thread. */
public interface RunningEngine extends AutoCloseable {

    /**
     * Opens everything that must be there before the start; called once, on the tester's main thread.
     *
     * @throws Exception when this tester cannot carry out its assignment, with the reason
     */
    void prepare() throws Exception;

    /** Begins the run at this instant of the tester's clock. */
    default void start(long startNanos) {
        start(startNanos, 0);
    }

    /**
     * Begins to take part in a run that may be under way. Nothing that was due before is made up for: clients whose
     * start was planned before begin then, arrivals before are left out.
     *
     * @param startNanos instant of the run's start on the tester's clock; it may be long ago
     * @param joinNanos after the start, from when on calls begin
     */
    void start(long startNanos, long joinNanos);

    /**
     * Makes a plan that grows longer; a stage that is known already is ignored. Clients that it needs are opened at
     * once. At its start it cuts off the stage before, whose calls in flight continue. Such a plan ends by {@link #stop}.
     *
     * @throws RuntimeException when the plan does not grow, or the stage is not the one that follows
     */
    void append(Stage stage);

    /**
     * Ends the load: no new calls from now; what is in flight has so long to end. May come again with less; more
     * changes nothing.
     */
    void stop(long graceNanos);

    /** Tells how far it is. */
    TesterStatus status();

    /**
     * Completes when everything is recorded and was given to the sink: by itself when a plan that does not grow is over,
     * after a stop, and after the load was aborted, which the totals tell.
     */
    CompletableFuture<TesterTotals> done();

    /** Stops and releases everything, within a bounded time; idempotent. */
    @Override
    void close();
}
