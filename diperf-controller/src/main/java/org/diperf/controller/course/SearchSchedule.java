package org.diperf.controller.course;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.diperf.controller.course.SearchSteps.Verdict;
import org.diperf.core.experiment.LoadSettings.Search;
import org.diperf.core.plan.Stage;
import org.diperf.core.run.LevelRecord;
import org.diperf.core.run.ProbeRecord;
import org.diperf.core.run.SearchRecord;
import org.diperf.core.run.Warning;
import org.diperf.core.run.Warning.Subject;
import org.diperf.core.wire.TesterStatus;
import org.jspecify.annotations.Nullable;

/**
 * The search for the highest load that keeps some conditions. After a value that did not hold the service is left without
 * load until nothing is in flight. Confined to the run's thread.
 */
public final class SearchSchedule implements LoadSchedule {

    /** By then the testers have said what is in flight since the load paused. */
    private static final long MIN_PAUSE_NANOS = 700_000_000L;

    private static final long PAUSE_SLACK_NANOS = 10_000_000_000L;

    private final Search search;
    private final LiveSamples eyes;
    private final SearchSteps steps;
    private final ProbeJudge judge;
    private final List<ProbeRecord> probes = new ArrayList<>();
    private final Map<Integer, LevelRecord> levels = new HashMap<>();
    private final List<Warning> warnings = new ArrayList<>();
    private int stages;
    private @Nullable HoldStage probe;
    private @Nullable Stage pause;
    private long longestPauseNanos;

    public SearchSchedule(Search search, LiveSamples eyes) {
        this.search = search;
        this.eyes = eyes;
        this.steps = new SearchSteps(search);
        this.judge = new ProbeJudge(search);
    }

    @Override
    public boolean grows() {
        return true;
    }

    @Override
    public List<Stage> first() {
        return List.of(stage(0, 0));
    }

    private Stage stage(int number, long startNanos) {
        return new Stage(
                number,
                search.template()
                        .hold(
                                steps.value(),
                                HoldStage.plannedNanos(search, search.hold().toNanos())),
                startNanos);
    }

    private Stage begin(long startNanos) {
        Stage stage = stage(stages++, startNanos);
        pause = null;
        probe = new HoldStage(stage, steps.value(), search, search.hold().toNanos(), eyes);
        return stage;
    }

    @Override
    public @Nullable Stage turn(long elapsedNanos, TesterStatus testers) {
        if (stages == 0) {
            begin(0);
        }
        if (steps.isOver()) {
            return null;
        }
        if (pause != null) {
            long paused = elapsedNanos - pause.startNanos();
            boolean drained = paused >= MIN_PAUSE_NANOS && testers.inFlight() == 0;
            return drained || paused >= longestPauseNanos ? begin(elapsedNanos + LEAD_NANOS) : null;
        }
        return probe == null ? null : probing(probe, elapsedNanos, testers);
    }

    private @Nullable Stage probing(HoldStage now, long elapsedNanos, TesterStatus testers) {
        ProbeJudge.Judged judged = now.turn(elapsedNanos) == HoldStage.State.DONE
                ? judge.judge(now.value(), now.look(elapsedNanos), eyes.measuredShare())
                : judge.early(elapsedNanos - now.stage().startNanos(), now.look(elapsedNanos), testers);
        if (judged == null) {
            return null;
        }
        Verdict verdict = judged.verdict();
        levels.put(now.stage().number(), now.record());
        if (verdict == Verdict.HOLDS && now.neverSettled()) {
            warnings.add(Warning.note(
                    Subject.LOAD,
                    "the load of " + LoadText.value(search.template(), now.value())
                            + " never settled, but its conditions held"));
        }
        String purpose = steps.purpose().words;
        Boolean holds = steps.judged(verdict);
        probes.add(new ProbeRecord(
                now.stage().number(), now.value(), purpose, holds, judged.observed(), judged.decidedBy()));
        if (steps.isOver()) {
            return null;
        }
        if (verdict == Verdict.HOLDS) {
            return begin(elapsedNanos + LEAD_NANOS);
        }
        probe = null;
        // Twice the capacity for so long takes as long again to work off.
        longestPauseNanos = MIN_PAUSE_NANOS
                + Math.max(search.timeoutNanos(), elapsedNanos - now.stage().startNanos());
        pause = new Stage(
                stages++, search.template().hold(0, longestPauseNanos + PAUSE_SLACK_NANOS), elapsedNanos + LEAD_NANOS);
        return pause;
    }

    @Override
    public boolean isOver() {
        return steps.isOver();
    }

    @Override
    public String phase(long elapsedNanos) {
        String of = "probe " + (probes.size() + (pause == null && !isOver() ? 1 : 0)) + " of at most "
                + search.mostProbes();
        if (pause != null) {
            return of + ": letting the service drain";
        }
        HoldStage now = probe;
        return of + ": " + LoadText.value(search.template(), now == null ? steps.value() : now.value()) + ", "
                + (now == null ? "settling" : now.state().word);
    }

    @Override
    public @Nullable LevelRecord level(int stage) {
        HoldStage now = probe;
        return now != null && now.stage().number() == stage ? now.record() : levels.get(stage);
    }

    @Override
    public SearchRecord search() {
        return new SearchRecord(
                search.template().of(),
                search.from(),
                search.to(),
                search.conditions(),
                probes,
                steps.found(),
                steps.low(),
                steps.high(),
                steps.failedAt(),
                steps.conclusion());
    }

    @Override
    public List<Warning> warnings() {
        return warnings;
    }
}
