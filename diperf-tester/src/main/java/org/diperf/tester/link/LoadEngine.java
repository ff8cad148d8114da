package org.diperf.tester.link;

import java.util.concurrent.CompletableFuture;
import org.diperf.core.wire.TesterStatus;
import org.diperf.core.wire.TesterTotals;
import org.diperf.tester.engine.Engine;
import org.diperf.tester.engine.EngineStatus;

/**
 * The real load engine, in the words of the wire.
 *
 * @param engine that does the work
 */
public record LoadEngine(Engine engine) implements RunningEngine {

    /** Makes engines with this many event loops each. */
    public static EngineFactory factory(int loops) {
        return (assignment, tester, plugin, folder, sink, clock, listener) -> new LoadEngine(new Engine(
                new Engine.Config(
                        tester, assignment.plan(), plugin, assignment.with(), folder, loops, assignment.debug()),
                sink,
                clock,
                listener));
    }

    @Override
    public void prepare() throws Exception {
        engine.prepare();
    }

    @Override
    public void start(long startNanos) {
        engine.start(startNanos);
    }

    @Override
    public void stop(long graceNanos) {
        engine.stop(graceNanos);
    }

    @Override
    public TesterStatus status() {
        EngineStatus status = engine.status();
        return new TesterStatus(
                status.activeClients(),
                status.inFlight(),
                status.sent(),
                status.ok(),
                status.failed(),
                status.dropped());
    }

    @Override
    public CompletableFuture<TesterTotals> done() {
        return engine.done()
                .thenApply(totals -> new TesterTotals(
                        totals.sent(),
                        totals.dropped(),
                        totals.lateEnds(),
                        totals.stuckClients(),
                        totals.rejected(),
                        totals.firstCallNanos()));
    }

    @Override
    public void close() {
        engine.close();
    }
}
