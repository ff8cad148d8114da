package org.diperf.controller.collect;

import java.nio.ByteBuffer;
import org.diperf.core.wire.TesterFacts;
import org.diperf.core.wire.TesterStatus;
import org.diperf.core.wire.TesterTotals;

/** Hears what testers do. All methods are called on the collector's own thread and must not block long. */
public interface TesterEvents {

    /** A tester has joined, for the first time. */
    void joined(int tester, TesterFacts facts);

    /**
     * A tester is prepared and its clock offset is known: {@link Collector#start} reaches it.
     *
     * @param testerNanos what the tester's clock shows now, as far as is known
     */
    void ready(int tester, long testerNanos);

    /** A tester cannot carry out its assignment. */
    void refused(int tester, String reason);

    /** A tester was told when to start, on its own clock. */
    void started(int tester, long localStartNanos);

    /** A tester told how far it is. */
    void status(int tester, TesterStatus status);

    /** It became known by how much a tester's clock may be off now, unless it was set meanwhile or drifts by more than 200 ppm. */
    void clock(int tester, long errorNanos);

    /** A tester's plan is over; all its blocks have been received, and {@link Collector#awaitDurable} keeps them. */
    void finished(int tester, TesterTotals totals);

    /**
     * A tester is silent for the lease.
     *
     * @param heardNanos when it was heard last, on the controller's clock
     */
    void lost(int tester, String reason, long heardNanos);

    /**
     * A tester broke the protocol and is not let in again.
     *
     * @param atNanos now, on the controller's clock
     */
    void dropped(int tester, String reason, long atNanos);

    /** A tester that was silent is heard again. */
    void back(int tester);

    /** Says why nobody new can be let in; told once. */
    void crowded(String reason);

    /** A line of a tester for the run's log. */
    void log(int tester, String line);

    /**
     * A block came, the first time.
     *
     * @param block valid during the call
     */
    void block(int tester, ByteBuffer block);

    /** Blocks that were to be held in memory go to the disk from now on. */
    void overflowed(String reason);

    /** Blocks that are held in memory cannot be written yet, for this reason: the run must stop. They are kept meanwhile. */
    void waitsForDisk(String reason);

    /** Nothing more can be kept: the run must stop. What was acknowledged is safe. */
    void failed(String reason);
}
