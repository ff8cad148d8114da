package org.diperf.controller.run.live;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import org.diperf.analyzer.text.Numbers;
import org.diperf.controller.collect.TesterEvents;
import org.diperf.controller.fleet.Roster;
import org.diperf.controller.run.directory.RunOutput;
import org.diperf.controller.run.directory.RunProblems;
import org.diperf.core.folder.DiskFailure;
import org.diperf.core.run.Warning;
import org.diperf.core.run.Warning.Subject;
import org.diperf.core.wire.TesterFacts;
import org.diperf.core.wire.TesterStatus;
import org.diperf.core.wire.TesterTotals;

/**
 * Takes what the collector says of testers, on the collector's thread, and passes it on.
 *
 * @param folder of the run
 */
public record TesterReports(Path folder, Roster roster, LiveView live, RunOutput output, RunProblems troubles)
        implements TesterEvents {

    /** What was on its way when a tester ended has arrived by then. */
    private static final long GHOST_NANOS = 2_000_000_000L;

    @Override
    public void joined(int tester, TesterFacts facts) {
        output.note("tester-" + tester + " joined from " + facts.host());
        roster.joined(tester, facts);
    }

    @Override
    public void ready(int tester, long testerNanos) {
        if (!roster.ready(tester)) {
            output.note("tester-" + tester + " was ready too late; it makes no calls");
        }
    }

    @Override
    public void refused(int tester, String reason) {
        if (roster.unusable(tester, reason)) {
            output.announce("tester-" + tester + " cannot take part: " + reason);
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
        if (roster.isLostSince(tester, GHOST_NANOS, output.elapsedNanos())) {
            back(tester);
        }
    }

    @Override
    public void clock(int tester, long errorNanos) {
        roster.clock(tester, errorNanos);
    }

    @Override
    public void finished(int tester, TesterTotals totals) {
        output.note("tester-" + tester + " finished: " + Numbers.count(totals.sent(), "call") + " sent");
        roster.finished(tester, totals);
    }

    @Override
    public void lost(int tester, String reason, long heardNanos) {
        lostAt(tester, reason, heardNanos - output.startNanos());
    }

    @Override
    public void dropped(int tester, String reason, long atNanos) {
        roster.gone(tester);
        lostAt(tester, reason, atNanos - output.startNanos());
        if (roster.phaseOf(tester) == Roster.Phase.FINISHED) {
            // Its load was over, so that no part of it is missing; what it said since then is refused all the same.
            String text = "tester " + tester + " was dropped after its load ended: it " + reason;
            output.warn(text);
            troubles.warn(Warning.suspect(Subject.TESTER, text));
        }
    }

    /** Takes what the testbed says of a tester that cannot be started or has ended on its own. */
    public void failed(int tester, String reason) {
        roster.gone(tester);
        if (roster.unusable(tester, reason)) {
            output.announce("tester-" + tester + " failed: " + reason);
        } else {
            lostAt(tester, reason, output.elapsedNanos());
        }
    }

    private void lostAt(int tester, String reason, long heardNanos) {
        if (roster.lost(tester, reason, heardNanos, output.elapsedNanos())) {
            output.announce("tester-" + tester + " lost: " + reason);
        }
    }

    @Override
    public void back(int tester) {
        if (roster.back(tester, output.elapsedNanos())) {
            output.note("tester-" + tester + " is back");
        }
    }

    @Override
    public void crowded(String reason) {
        output.warn(reason);
        troubles.warn(Warning.suspect(Subject.TESTER, reason));
    }

    @Override
    public void log(int tester, String line) {
        output.noteOf(tester, line);
    }

    @Override
    public void block(int tester, ByteBuffer block) {
        live.offer(block);
    }

    @Override
    public void overflowed(String reason) {
        output.note(reason);
        troubles.warn(Warning.note(Subject.SAMPLES, reason));
    }

    @Override
    public void waitsForDisk(String reason) {
        DiskFailure failure = DiskFailure.of(new IOException(reason), folder);
        output.urge("the samples, which are held in memory, cannot be written: " + failure.found()
                + ". They are safe for now; " + failure.remedy()
                + " within 10 minutes, and the run will finish normally with all of them");
        troubles.waitForDisk("the disk did not accept the samples at first: " + reason);
    }

    @Override
    public void failed(String reason) {
        output.note("the collector failed: " + reason);
        troubles.fail(reason);
    }
}
