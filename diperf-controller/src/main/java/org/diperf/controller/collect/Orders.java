package org.diperf.controller.collect;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import org.diperf.core.clock.NanoClock;
import org.diperf.core.plan.Stage;
import org.diperf.core.wire.Assignment;
import org.diperf.core.wire.Message;
import org.jspecify.annotations.Nullable;

/**
 * What the run wants of its testers, said to each now and to those that were away when they come back, and noted for a
 * controller that goes on with the run. Confined to the collector's event loop.
 */
final class Orders {

    private final NanoClock clock;
    private final Journal journal;
    private final IntFunction<@Nullable Session> find;
    private final Collection<Session> sessions;
    private final Consumer<Session> started;
    private final List<Stage> appended = new ArrayList<>();
    private @Nullable Long globalStartNanos;
    private @Nullable Long stopGraceNanos;
    private boolean bye;

    /**
     * @param find gives a tester's session, {@code null} when there is no such tester
     * @param sessions of all testers that are known so far
     * @param started is told of testers that were given their start
     */
    Orders(
            NanoClock clock,
            Journal journal,
            IntFunction<@Nullable Session> find,
            Collection<Session> sessions,
            Consumer<Session> started) {
        this.clock = clock;
        this.journal = journal;
        this.find = find;
        this.sessions = sessions;
        this.started = started;
    }

    /** Takes over a stage that another controller has appended. */
    void restore(Stage stage) {
        appended.add(stage);
    }

    void assign(int tester, Assignment assignment) {
        Session session = find.apply(tester);
        if (session != null && session.assignment == null) {
            session.assignment = assignment;
            journal.note(tester, new Message.Assign(assignment));
            session.send(new Message.Assign(assignment));
        }
    }

    /** Appends a stage to the plan of all testers. */
    void append(Stage stage) {
        appended.add(stage);
        journal.note(1, new Message.Append(stage));
        for (Session session : sessions) {
            if (session.assignment != null) {
                session.send(new Message.Append(stage));
            }
        }
    }

    /** Starts the load of all testers, those too that are ready later. */
    void start(long atNanos) {
        globalStartNanos = atNanos;
        sessions.forEach(this::ready);
    }

    /** Gives its start to a tester that is ready, once the run has one. */
    void ready(Session session) {
        if (globalStartNanos == null || !session.readyTold || session.started || session.fault != null) {
            return;
        }
        Optional<OffsetEstimate.Offset> offset = session.offset();
        if (offset.isEmpty()) {
            return;
        }
        if (clock.nanoTime() - globalStartNanos - session.joinNanos >= 0) {
            // Too late for the start, and nobody has said yet when it is to join.
            return;
        }
        session.start(globalStartNanos - offset.get().thetaNanos());
        Message.Start order = new Message.Start(session.startNanos, session.joinNanos);
        journal.note(session.tester, order);
        session.send(order);
        started.accept(session);
    }

    /** Lets a tester that is ready take part in a run that is under way. */
    void join(int tester, long joinNanos) {
        Session session = find.apply(tester);
        if (session != null && !session.started && globalStartNanos != null && stopGraceNanos == null) {
            session.joinNanos = joinNanos;
            ready(session);
        }
    }

    /** Ends the load of one tester, now and when it comes back. */
    void stop(int tester, long graceNanos) {
        Session session = find.apply(tester);
        if (session != null) {
            session.stopGraceNanos = graceNanos;
            journal.note(tester, new Message.Stop(graceNanos));
            session.send(new Message.Stop(graceNanos));
        }
    }

    /** Ends the load of all testers. */
    void stop(long graceNanos) {
        stopGraceNanos = stopGraceNanos == null ? graceNanos : Math.min(stopGraceNanos, graceNanos);
        sessions.forEach(session -> session.send(new Message.Stop(graceNanos)));
    }

    /** Lets all testers go. */
    void bye() {
        bye = true;
        sessions.forEach(session -> session.send(new Message.Bye()));
    }

    /** Repeats what a tester may have missed while it was away; it ignores what it knows. */
    void repeat(Session session) {
        if (bye) {
            session.send(new Message.Bye());
            return;
        }
        if (session.assignment != null) {
            session.send(new Message.Assign(session.assignment));
            appended.forEach(stage -> session.send(new Message.Append(stage)));
        }
        if (session.started) {
            session.send(new Message.Start(session.startNanos, session.joinNanos));
        }
        if (stopGraceNanos != null) {
            session.send(new Message.Stop(stopGraceNanos));
        }
        if (session.stopGraceNanos != null) {
            session.send(new Message.Stop(session.stopGraceNanos));
        }
    }
}
