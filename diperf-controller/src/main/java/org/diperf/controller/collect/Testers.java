package org.diperf.controller.collect;

import java.io.IOException;
import java.nio.file.Path;
import org.diperf.core.plan.Stage;
import org.diperf.core.wire.Assignment;

/** The testers of a run, as whoever carries it out commands them. All methods may be called from any thread. */
public interface Testers extends AutoCloseable {

    /** Gives a tester its assignment, now or when it joins; the first one counts. */
    void assign(int tester, Assignment assignment);

    /**
     * Starts the run: tells every ready tester when to start, on its own clock.
     *
     * @param atNanos on the controller's clock; late enough for the message to arrive
     */
    void start(long atNanos);

    /**
     * Appends a stage to a plan that grows. A tester that is away is told when it comes back.
     *
     * @param stage begins late enough for the message to arrive
     */
    void append(Stage stage);

    /**
     * Lets a tester that became ready after the start take part from an instant on.
     *
     * @param joinNanos after the start of the run; late enough for the message to arrive
     */
    void join(int tester, long joinNanos);

    /** Ends the load of one tester, now or when it comes back; what is in flight has so long to end. */
    void stop(int tester, long graceNanos);

    /** Ends the load; what is in flight has so long to end. */
    void stop(long graceNanos);

    /** Tells all testers to exit, those too that come back later. */
    void bye();

    /**
     * Waits until everything received so far is durable, with what is needed to read it.
     *
     * @return false when the time is over or writing has failed
     */
    boolean awaitDurable(long timeoutNanos) throws InterruptedException;

    /** Returns the bytes of samples that are not durable yet. */
    long waitingBytes();

    /**
     * Returns how long nothing was heard of the tester that was heard longest ago, ns, among those whose load is under way
     * and whose lease has not run out.
     */
    long silentNanos();

    /** Returns whether this resumes a run whose plan was to grow. */
    boolean planGrew();

    /**
     * Takes what a tester that has given up has left: the blocks that have not come yet, and what it said at its end.
     * They are durable after {@link #awaitDurable}.
     *
     * @param from tester from whose machine it came, which can leave no other's; 0: not known
     * @throws org.diperf.tester.link.SpoolException when it is damaged, or of another run, tester or share of the load: then
     *     nothing was taken
     */
    ImportedSpool take(Path spool, int from) throws IOException, InterruptedException;

    /** Writes what has been received, ends all connections and stops listening; idempotent. */
    @Override
    void close() throws IOException;
}
