package org.diperf.controller.collect;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.IntFunction;
import org.diperf.core.plan.Stage;
import org.diperf.core.wire.Assignment;
import org.diperf.core.wire.Message;
import org.jspecify.annotations.Nullable;

/**
 * What the run wants of its testers, said to each now and to those that were away when they come back, and noted for a
 * controller that resumes the run. Confined to the collector's event loop.
 */
final class TesterCommands {

    private final Journal journal;
    private final IntFunction<@Nullable Session> find;
    private final Collection<Session> sessions;
    private final List<Stage> appended = new ArrayList<>();
    private @Nullable Long globalStartNanos;
    private @Nullable Long stopGraceNanos;
    private boolean bye;

    /**
     * @param find gives a tester's session, {@code null} when there is no such tester
     * @param sessions of all testers that are known so far
     */
    TesterCommands(Journal journal, IntFunction<@Nullable Session> find, Collection<Session> sessions) {
        this.journal = journal;
        this.find = find;
        this.sessions = sessions;
    }

    /** Takes over a stage that another controller has appended. */
    void restore(Stage stage) {
        appended.add(stage);
    }

    void assign(int tester, Assignment assignment) {
        Session session = find.apply(tester);
        if (session != null) {
            session.assign(assignment);
        }
    }

    /** Appends a stage to the plan of all testers. */
    void append(Stage stage) {
        if (journal.noteOrder(1, new Message.Append(stage))) {
            appended.add(stage);
            sessions.forEach(session -> session.append(stage));
        }
    }

    /** Starts the load of all testers, those too that are ready later. */
    void start(long atNanos) {
        globalStartNanos = atNanos;
        sessions.forEach(this::ready);
    }

    /** Gives its start to a tester that is ready, once the run has one. */
    void ready(Session session) {
        if (globalStartNanos != null) {
            session.start(globalStartNanos);
        }
    }

    /** Lets a tester that is ready take part in a run that is under way. */
    void join(int tester, long joinNanos) {
        Session session = find.apply(tester);
        if (session != null && globalStartNanos != null && stopGraceNanos == null) {
            session.joinAt(joinNanos);
            ready(session);
        }
    }

    /** Ends the load of one tester, now and when it comes back. */
    void stop(int tester, long graceNanos) {
        Session session = find.apply(tester);
        if (session != null) {
            session.stop(graceNanos);
        }
    }

    /** Ends the load of all testers. */
    void stop(long graceNanos) {
        stopGraceNanos = stopGraceNanos == null ? graceNanos : Math.min(stopGraceNanos, graceNanos);
        sessions.forEach(session -> session.stopWithAll(graceNanos));
    }

    /** Lets all testers go. */
    void bye() {
        bye = true;
        sessions.forEach(Session::bye);
    }

    /** Repeats what a tester may have missed while it was away. */
    void repeat(Session session) {
        if (bye) {
            session.bye();
        } else {
            session.repeat(appended, stopGraceNanos);
        }
    }
}
