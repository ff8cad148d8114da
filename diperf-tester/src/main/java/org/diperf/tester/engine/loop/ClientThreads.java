package org.diperf.tester.engine.loop;

/** Starts the threads of blocking clients, lets them wait, and wakes them. Thread-safe. */
public interface ClientThreads {

    /** Starts a thread. */
    Thread start(String name, Runnable task);

    /**
     * Lets the calling thread wait until it is woken or interrupted, or the time is over; it may return for no reason.
     *
     * @param nanos more than 0
     */
    void park(long nanos);

    /** Ends a thread's wait, or its next one when it does not wait now. */
    void wake(Thread thread);

    /** Interrupts what a thread's client does. */
    void interrupt(Thread thread);
}
