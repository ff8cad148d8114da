package org.diperf.tester.engine;

import java.util.concurrent.ExecutionException;
import java.util.function.Consumer;
import org.diperf.core.wire.TesterStatus;

/** What runs the clients. Thread-safe but for the order: whenDone, prepare, start, terminate. */
interface Driver {

    /** Sets what is run once when the plan is over or stopped, all is recorded, and the clients are closed. */
    void whenDone(Runnable task);

    /** Opens the clients, those of open load up to a number. */
    void prepare(int openFirst) throws ExecutionException, InterruptedException;

    void start(long startNanos);

    /** Notes that the setup's plan has grown; returns at once. */
    void grown();

    /** Lets a client make no more calls; returns at once. */
    void retire(int client);

    void stop(long graceNanos);

    /** Ends the threads; waits at most so long. */
    void terminate(long millis) throws InterruptedException;

    TesterStatus status();

    long lateEnds();

    /** Returns the actual send of the first call, 0 when there was none. */
    long firstCallNanos();

    /** Says what holds a loop, as {@link LoopThread#held} does. */
    void watch(long nowNanos, Consumer<String> log);

    /** Takes the longest time that a call's start was late by since the last time it was asked. */
    long takeMaxDelayNanos();
}
