package org.diperf.controller.run;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicBoolean;
import org.diperf.analyzer.judge.GeneratorLimits;
import org.diperf.analyzer.live.RunSeries;
import org.diperf.analyzer.stats.Statistics;
import org.diperf.analyzer.text.Numbers;
import org.diperf.controller.fleet.Roster;
import org.diperf.controller.progress.LiveSnapshot;
import org.diperf.controller.progress.LiveSnapshot.Standing;
import org.diperf.controller.progress.LiveSnapshot.TesterNow;
import org.diperf.controller.progress.LiveSnapshot.ThresholdNow;
import org.diperf.controller.progress.LiveSource;
import org.diperf.controller.progress.LiveStatus;
import org.diperf.controller.run.directory.RunOutput;
import org.diperf.core.experiment.Experiment;
import org.diperf.core.experiment.Threshold;
import org.diperf.core.expression.Expression;
import org.diperf.core.run.Warning;
import org.diperf.core.run.Warning.Subject;
import org.jspecify.annotations.Nullable;

/**
 * A run under way, for whoever looks at it closely. Thread-safe: each part that it looks at is. The verdict so far knows fewer
 * reasons than the report's, which sees all samples with corrected clocks.
 */
final class RunWatcher implements LiveSource {

    private static final double SEEN = 0.9995;

    private final RunScope scope;
    private final Roster roster;
    private final RunOutput output;
    private final AtomicBoolean stopped = new AtomicBoolean();
    private final List<Judged> thresholds;

    private record Judged(String that, Expression expression) {}

    RunWatcher(RunScope scope) {
        this.scope = scope;
        this.roster = scope.roster();
        this.output = scope.output();
        this.thresholds = scope.experiment().thresholds().stream()
                .map(Threshold::that)
                .map(that -> new Judged(that, Expression.parse(that)))
                .toList();
    }

    @Override
    public Experiment experiment() {
        return scope.experiment();
    }

    @Override
    public Path folder() {
        return scope.options().runDir();
    }

    @Override
    public LiveSnapshot look(long since) {
        RunSeries.Look series = scope.live().whole(since, scope.clock().nanoTime());
        return new LiveSnapshot(
                output.lastPhase(),
                output.lastStatus(),
                series,
                roster.now().stream().map(this::now).toList(),
                thresholds.stream().map(each -> judge(each, series)).toList(),
                doubts(series).stream().map(output::shown).toList(),
                notes().stream().map(output::shown).toList(),
                output.events());
    }

    private TesterNow now(Roster.Now tester) {
        return new TesterNow(
                tester.tester(),
                output.shown(tester.host()),
                tester.phase().name().toLowerCase(Locale.ROOT),
                output.shown(tester.reason()),
                tester.status().activeClients(),
                tester.status().inFlight(),
                tester.clockErrorNanos() == Long.MAX_VALUE ? Double.NaN : tester.clockErrorNanos() / 1e6);
    }

    private static ThresholdNow judge(Judged threshold, RunSeries.@Nullable Look series) {
        if (series == null) {
            return new ThresholdNow(threshold.that(), Standing.LATER, "");
        }
        Expression.Result result = threshold.expression().evaluate(series.numbers()::raw);
        if (result.isUnmeasured()) {
            return new ThresholdNow(threshold.that(), Standing.LATER, "");
        }
        Standing standing = result.holds() ? Standing.HOLDS : result.fails() ? Standing.FAILS : Standing.OPEN;
        return new ThresholdNow(threshold.that(), standing, result.observed());
    }

    private List<String> doubts(RunSeries.@Nullable Look series) {
        List<String> doubts = new ArrayList<>();
        for (Roster.Now tester : roster.now()) {
            if (tester.phase() == Roster.Phase.LOST || tester.phase() == Roster.Phase.RETURNED) {
                doubts.add("tester " + tester.tester() + " was lost: " + tester.reason());
            }
        }
        if (series != null) {
            Statistics lag = series.numbers().sendLag();
            Statistics response = series.numbers().responseTime();
            if (lag != null && GeneratorLimits.isLate(lag.p95(), response == null ? Double.NaN : response.p50())) {
                doubts.add("calls are sent late: 5 % of them by more than " + Numbers.time(lag.p95()));
            }
        }
        scope.troubles().warnings().stream()
                .filter(Warning::isSuspect)
                .map(Warning::text)
                .forEach(doubts::add);
        return doubts;
    }

    private List<String> notes() {
        List<String> notes = new ArrayList<>();
        double share = scope.live().seenShare();
        if (share < SEEN) {
            notes.add(String.format(
                    Locale.ROOT,
                    "this page shows %.1f %% of the samples, because more arrived than it could process; the report "
                            + "uses all of them",
                    share * 100));
        }
        scope.troubles().warnings().stream()
                .filter(warning -> !warning.isSuspect())
                .map(Warning::text)
                .forEach(notes::add);
        return notes;
    }

    @Override
    public void stop(String who) {
        if (stopped.compareAndSet(false, true)) {
            LiveStatus status = output.lastStatus();
            String when =
                    status == null ? "before the load started" : "after " + Numbers.clock(status.elapsedSeconds());
            output.byHand("the run was stopped from its live page (" + who + ")");
            scope.troubles()
                    .warn(Warning.note(
                            Subject.RUN, "the run was stopped from its live page " + when + " (" + who + ")"));
            scope.troubles().interrupt("from its live page");
        }
    }
}
