package org.diperf.tester.link;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.diperf.core.plan.Stage;
import org.diperf.core.wire.TesterStatus;
import org.diperf.core.wire.TesterTotals;
import org.diperf.tester.engine.RunningEngine;

/** An engine that notes what it is told; its test says when it is done. */
final class ScriptedEngine implements RunningEngine {

    static final TesterTotals TOTALS = new TesterTotals(3, 0, 0, 0, Map.of(), 5);
    static final TesterStatus STATUS = new TesterStatus(1, 2, 3, 4, 5, 6);

    final List<String> told = new ArrayList<>();
    private final CompletableFuture<TesterTotals> done = new CompletableFuture<>();
    boolean grows = true;

    @Override
    public void prepare() {
        throw new AssertionError("The link prepares no engine");
    }

    @Override
    public void start(long startNanos, long joinNanos) {
        told.add("start at " + startNanos + " join " + joinNanos);
    }

    @Override
    public void append(Stage stage) {
        if (!grows) {
            throw new IllegalStateException("this plan does not grow");
        }
        told.add("append stage " + stage.number());
    }

    @Override
    public void stop(long graceNanos) {
        told.add("stop " + graceNanos);
    }

    @Override
    public TesterStatus status() {
        return STATUS;
    }

    @Override
    public CompletableFuture<TesterTotals> done() {
        return done;
    }

    @Override
    public void close() {
        told.add("close");
    }

    void finish() {
        done.complete(TOTALS);
    }

    void fail(String reason) {
        done.completeExceptionally(new IllegalStateException(reason));
    }
}
