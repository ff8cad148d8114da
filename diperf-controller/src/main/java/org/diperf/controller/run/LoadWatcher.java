package org.diperf.controller.run;

import java.util.List;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.diperf.analyzer.live.LiveSeries;
import org.diperf.controller.collect.Testers;
import org.diperf.controller.course.LoadSchedule;
import org.diperf.controller.fleet.AwayTesters;
import org.diperf.controller.fleet.Roster;
import org.diperf.controller.fleet.TesterLossHandler;
import org.diperf.controller.progress.LiveStatus;
import org.diperf.controller.run.directory.RunOutput;
import org.diperf.controller.run.directory.RunProblems;
import org.diperf.controller.run.live.AbortWatcher;
import org.diperf.core.plan.Stage;
import org.diperf.core.run.RunRecord.End;
import org.diperf.core.run.Warning;
import org.diperf.core.run.Warning.Subject;
import org.diperf.core.sample.Outcome;
import org.diperf.core.wire.TesterStatus;
import org.jspecify.annotations.Nullable;

/** Watches a run while its load is under way, lets its plan grow, and ends it. Confined to the run's thread. */
final class LoadWatcher {

    private static final long SECOND = 1_000_000_000L;
    /** Calls in flight may end within this time after an interruption: the load stops within 2 s altogether. */
    private static final long STOP_GRACE_NANOS = SECOND;

    private static final long REPORT_NANOS = 5 * SECOND;
    private static final long MAX_REPORT_NANOS = 60 * SECOND;
    /** Testers are heard twice a second and more. */
    private static final long SILENT_NANOS = 2 * SECOND;

    /** Blocks take up to this long to fill and arrive, so the live line shows the time before. */
    private static final long LIVE_DELAY_NANOS = SECOND / 2;

    private static final int LIVE_SECONDS = 2;
    private static final Roster.Phase[] DONE = {Roster.Phase.FINISHED, Roster.Phase.LOST, Roster.Phase.UNUSABLE};

    private final RunScope scope;
    private final LoadSchedule course;
    private final Roster roster;
    private final RunOutput output;
    private final RunProblems troubles;
    private final Testers testers;
    private final AbortWatcher abort;
    private PlanShares division;
    private long startNanos;
    private long loadEndedNanos = Long.MAX_VALUE;
    private long newsSeen;
    private long waitedFromNanos;
    private List<Integer> left = List.of();

    LoadWatcher(RunScope scope, PlanShares division, Testers testers) {
        this.scope = scope;
        this.course = scope.course();
        this.roster = scope.roster();
        this.output = scope.output();
        this.troubles = scope.troubles();
        this.division = division;
        this.testers = testers;
        this.abort = new AbortWatcher(scope.experiment().thresholds());
    }

    /** Returns who has which part of which plan, as far as that has grown. */
    PlanShares division() {
        return division;
    }

    /** Returns the instant from which no more calls began, after the start; {@link Long#MAX_VALUE}: as planned. */
    long loadEndedNanos() {
        return loadEndedNanos;
    }

    /** Lists the testers that may hold samples, and for which nobody waits any longer. */
    List<Integer> left() {
        return left;
    }

    /**
     * Waits until all testers have finished, or the run is cut short, and nothing more can come.
     *
     * @param eachTurn is done a few times a second
     */
    End watch(long startedNanos, TesterLossHandler lost, Runnable eachTurn) throws InterruptedException {
        startNanos = startedNanos;
        End end = watchLoad(lost, eachTurn);
        if (!scope.testbed().runsInController()) {
            awaitAway(lost, eachTurn);
        }
        if (end != End.COMPLETE) {
            return end;
        }
        if (abortedByTester()) {
            return End.ABORTED;
        }
        return roster.count(Roster.Phase.FINISHED::equals) == 0 ? End.FAILED : End.COMPLETE;
    }

    /** Waits for testers that are out of reach, for as long as they keep what they have measured. */
    private void awaitAway(TesterLossHandler lost, Runnable eachTurn) throws InterruptedException {
        AwayTesters away = new AwayTesters(
                roster,
                scope.leaseNanos(),
                scope.experiment().testbed().fleet().linger().toNanos());
        boolean told = false;
        while (troubles.failure() == null) {
            long elapsed = scope.clock().nanoTime() - startNanos;
            List<Integer> arriving = mayCome(elapsed) ? arriving() : List.of();
            List<Integer> missing = away.at(elapsed);
            if (missing.isEmpty() && arriving.isEmpty()) {
                return;
            }
            if (troubles.interruption() != null) {
                left = Stream.concat(missing.stream(), arriving.stream()).toList();
                return;
            }
            if (missing.isEmpty()) {
                output.phase("collecting the samples of " + AwayTesters.names(arriving));
            } else {
                String whom = away.words(missing, elapsed);
                if (!told) {
                    told = true;
                    output.urge("out of reach at the end of the load, with samples: waiting for " + whom
                            + ". Ctrl-C stops waiting; the run can then be resumed");
                }
                output.phase("waiting for " + whom + " (Ctrl-C: stop waiting)");
            }
            roster.await(SECOND / 4, Roster.Phase.FINISHED, Roster.Phase.UNUSABLE);
            eachTurn.run();
            lost.turn(scope.clock().nanoTime() - startNanos, true);
        }
    }

    /** Lists the testers that are in reach and have not delivered everything. */
    private List<Integer> arriving() {
        return Stream.of(Roster.Phase.STARTED, Roster.Phase.RETURNED)
                .flatMap(phase -> roster.inPhase(phase).stream())
                .toList();
    }

    private End watchLoad(TesterLossHandler lost, Runnable eachTurn) throws InterruptedException {
        long turnNanos = course.grows() ? SECOND / 10 : SECOND / 4;
        boolean done = false;
        while (!done) {
            boolean all = roster.await(turnNanos, DONE);
            long elapsed = scope.clock().nanoTime() - startNanos;
            eachTurn.run();
            End end = turn(elapsed, lost);
            if (end != End.COMPLETE) {
                lost.giveUp("the run ended");
                output.phase("stopping the load");
                testers.stop(STOP_GRACE_NANOS);
                loadEnded(elapsed);
                awaitReports(turnNanos);
                return end;
            }
            done = all && !lost.isReplacing();
        }
        loadEnded(scope.clock().nanoTime() - startNanos);
        return End.COMPLETE;
    }

    /** Waits for what testers have measured until they were stopped, at least as long as it still comes. */
    private void awaitReports(long turnNanos) throws InterruptedException {
        long stoppedNanos = scope.clock().nanoTime() - startNanos;
        long elapsed = stoppedNanos;
        boolean all = false;
        while (!all
                && (mayCome(elapsed) && elapsed < stoppedNanos + MAX_REPORT_NANOS
                        || elapsed < stoppedNanos + STOP_GRACE_NANOS + REPORT_NANOS)) {
            all = roster.await(turnNanos, DONE);
            elapsed = scope.clock().nanoTime() - startNanos;
        }
    }

    private End turn(long elapsed, TesterLossHandler lost) {
        if (!roster.isDone()) {
            grow(elapsed);
        }
        LiveSeries.Look look = scope.live().last(scope.clock().nanoTime() - LIVE_DELAY_NANOS, LIVE_SECONDS);
        output.live(status(elapsed, look, scope.live().seenShare()));
        if (loadEndedNanos == Long.MAX_VALUE && !roster.isDone()) {
            scope.live().load(elapsed, roster.sum());
        }
        End end = cutShort(elapsed, roster.isDone() ? null : abort.judge(elapsed, look, roster.sum()));
        if (end != End.COMPLETE) {
            return end;
        }
        String tooFew = lost.turn(elapsed, elapsed >= lastNanos());
        if (tooFew != null) {
            troubles.warn(Warning.note(Subject.TESTER, "the run was ended: " + tooFew));
            output.note("ended: " + tooFew);
            return End.ABORTED;
        }
        return End.COMPLETE;
    }

    /** Appends what comes next in a plan that grows, or ends it: calls in flight may end by themselves. */
    private void grow(long elapsedNanos) {
        if (!course.grows() || loadEndedNanos != Long.MAX_VALUE) {
            return;
        }
        Stage next = course.turn(elapsedNanos, roster.sum());
        if (next != null) {
            division = division.with(next);
            testers.append(next);
            output.note(course.phase(elapsedNanos));
        }
        if (course.isOver()) {
            loadEnded(elapsedNanos);
            testers.stop(scope.experiment().load().timeoutNanos());
            output.note("the plan is complete");
        }
    }

    /** Notes from when on no more calls begin, where the plan does not say it. */
    private void loadEnded(long elapsedNanos) {
        if (course.grows()
                || division.isLimited()
                || scope.experiment().script().mayRunOut()) {
            loadEndedNanos = Math.min(loadEndedNanos, Math.max(0, elapsedNanos));
        }
    }

    /** Returns whether and how the run is to be cut short; {@link End#COMPLETE}: it is not. */
    private End cutShort(long elapsedNanos, @Nullable String broken) {
        String why = troubles.interruption();
        if (why != null && !roster.isDone()) {
            output.note("interrupted: " + why);
            return End.INTERRUPTED;
        }
        if (broken != null) {
            troubles.warn(Warning.note(Subject.RUN, "the run was ended by a threshold: " + broken));
            output.note("ended by threshold: " + broken);
            return End.ABORTED;
        }
        if (!roster.isDone() && abortedByTester()) {
            return End.ABORTED;
        }
        String failure = troubles.endsLoad();
        if (failure != null && !roster.isDone()) {
            troubles.warn(Warning.suspect(Subject.SAMPLES, failure));
            return End.FAILED;
        }
        boolean overdue = elapsedNanos > lastNanos() + scope.experiment().load().timeoutNanos() + REPORT_NANOS;
        if (!scope.debug() && !mayCome(elapsedNanos) && overdue && !roster.isDone()) {
            return End.FAILED;
        }
        return End.COMPLETE;
    }

    /**
     * Returns whether more may come: a slow link delivers samples for long after the last call, and of a tester that is cut off
     * its lease decides.
     */
    private boolean mayCome(long elapsedNanos) {
        // Of a tester that has come back, the first block is still to come.
        long news = scope.live().blocks() + roster.changes();
        if (news != newsSeen || testers.silentNanos() > SILENT_NANOS) {
            newsSeen = news;
            waitedFromNanos = elapsedNanos;
        }
        return elapsedNanos - waitedFromNanos <= REPORT_NANOS;
    }

    private boolean abortedByTester() {
        List<String> reasons = roster.aborted();
        if (reasons.isEmpty()) {
            return false;
        }
        String said = String.join("; ", reasons);
        troubles.warn(Warning.note(Subject.TESTER, "the run was ended by a tester: " + said));
        output.note("ended by " + said);
        return true;
    }

    /** Returns the instant from which no more calls begin, as far as it is known. */
    private long lastNanos() {
        return Math.min(division.lengthNanos(), loadEndedNanos);
    }

    private LiveStatus status(long elapsedNanos, LiveSeries.Look look, double seenShare) {
        TesterStatus sum = roster.sum();
        OptionalLong length = scope.experiment().load().lengthNanos();
        return new LiveStatus(
                Math.max(0, elapsedNanos / 1e9),
                length.isPresent() ? length.getAsLong() / 1e9 : Double.NaN,
                loadEndedNanos == Long.MAX_VALUE ? course.phase(elapsedNanos) : LoadSchedule.ENDING,
                look.okPerSecond(),
                !scope.experiment().load().model().equals("open"),
                sum.activeClients(),
                sum.inFlight(),
                look.responseMillis(0.5),
                look.responseMillis(0.99),
                sum.failed(),
                Outcome.cause(look.failure()),
                sum.dropped(),
                seenShare,
                roster.present(),
                division.testers());
    }
}
