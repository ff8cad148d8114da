package org.diperf.controller.run;

import java.nio.ByteBuffer;
import java.util.function.Consumer;
import org.diperf.controller.collect.TesterEvents;
import org.diperf.controller.fleet.Roster;
import org.diperf.controller.progress.Progress;
import org.diperf.core.wire.TesterFacts;
import org.diperf.core.wire.TesterStatus;
import org.diperf.core.wire.TesterTotals;

/** Takes what the collector says of testers, on the collector's thread, and passes it on to whom it concerns. */
final class TesterReports implements TesterEvents {

    /** What was under way when a tester ended has arrived by then. */
    private static final long GHOST_NANOS = 2_000_000_000L;

    private final Roster roster;
    private final RunNotes notes;
    private final LiveView live;
    private final Progress progress;
    private final Consumer<String> onFailure;
    private final Consumer<String> onOverflow;
    private final Consumer<String> onDoubt;

    /**
     * @param onFailure is told when the collector has failed
     * @param onDoubt is told what makes the run suspect
     * @param onOverflow is told when what was to stay in memory went to disk after all
     */
    TesterReports(
            Roster roster,
            RunNotes notes,
            LiveView live,
            Progress progress,
            Consumer<String> onFailure,
            Consumer<String> onOverflow,
            Consumer<String> onDoubt) {
        this.roster = roster;
        this.notes = notes;
        this.live = live;
        this.progress = progress;
        this.onFailure = onFailure;
        this.onOverflow = onOverflow;
        this.onDoubt = onDoubt;
    }

    @Override
    public void joined(int tester, TesterFacts facts) {
        notes.note("tester-" + tester + " joined from " + facts.host());
        roster.joined(tester, facts);
    }

    @Override
    public void ready(int tester, long testerNanos) {
        if (!roster.ready(tester)) {
            notes.note("tester-" + tester + " is ready too late; it makes no calls");
        }
    }

    @Override
    public void refused(int tester, String said) {
        String reason = notes.masked(said);
        if (roster.unusable(tester, reason)) {
            notes.note("tester-" + tester + " cannot take part: " + reason);
            progress.log("tester-" + tester + " cannot take part: " + reason);
        }
    }

    @Override
    public void started(int tester, long localStartNanos) {
        live.localStart(tester, localStartNanos);
        roster.started(tester, localStartNanos);
    }

    @Override
    public void status(int tester, TesterStatus status) {
        roster.status(tester, status);
        if (roster.isLostSince(tester, GHOST_NANOS, notes.elapsedNanos())) {
            back(tester);
        }
    }

    @Override
    public void finished(int tester, TesterTotals totals) {
        notes.note("tester-" + tester + " finished: " + totals.sent() + " calls sent");
        roster.finished(tester, totals);
    }

    @Override
    public void lost(int tester, String reason, long heardNanos) {
        lostAt(tester, reason, heardNanos - notes.startNanos());
    }

    /** Takes what the testbed says of a tester that cannot be started or has ended on its own. */
    void failed(int tester, String said) {
        String reason = notes.masked(said);
        if (roster.unusable(tester, reason)) {
            notes.note("tester-" + tester + " failed: " + reason);
            progress.log("tester-" + tester + " failed: " + reason);
        } else {
            lostAt(tester, reason, notes.elapsedNanos());
        }
    }

    private void lostAt(int tester, String reason, long heardNanos) {
        if (roster.lost(tester, reason, heardNanos, notes.elapsedNanos())) {
            notes.note("tester-" + tester + " lost: " + reason);
            progress.log("tester-" + tester + " lost: " + reason);
        }
    }

    @Override
    public void back(int tester) {
        if (roster.back(tester, notes.elapsedNanos())) {
            notes.note("tester-" + tester + " is back");
        }
    }

    @Override
    public void crowded(String reason) {
        notes.note(reason);
        progress.log("warning: " + reason);
        onDoubt.accept("suspect: " + reason);
    }

    @Override
    public void log(int tester, String line) {
        notes.note("tester-" + tester + ": " + line);
    }

    @Override
    public void block(int tester, ByteBuffer block) {
        live.offer(block);
    }

    @Override
    public void overflowed(String reason) {
        notes.note(reason);
        onOverflow.accept(reason);
    }

    @Override
    public void failed(String reason) {
        notes.note("the collector failed: " + reason);
        onFailure.accept(reason);
    }
}
