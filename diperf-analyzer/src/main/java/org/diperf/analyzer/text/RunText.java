package org.diperf.analyzer.text;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import org.diperf.analyzer.result.Analysis;
import org.diperf.analyzer.result.Analysis.FailureCause;
import org.diperf.analyzer.result.Analysis.MarkedInterval;
import org.diperf.core.plan.CallGroup;
import org.diperf.core.plan.ClientLifetimes;
import org.diperf.core.plan.ClosedLoad;
import org.diperf.core.plan.Load;
import org.diperf.core.plan.OpenLoad;
import org.diperf.core.plan.Quota;
import org.diperf.core.plan.ThinkTime;
import org.diperf.core.run.LevelRecord;
import org.diperf.core.run.RunRecord;
import org.diperf.core.run.SearchRecord;
import org.diperf.core.run.StageRecord;
import org.diperf.core.sample.Outcome;
import org.diperf.core.spi.OneLine;
import org.diperf.core.spi.Quantity;

/** Says in words what an experiment was and what went wrong in it. All texts are one line and free of control characters. */
public final class RunText {

    private static final int MAX_LENGTH = 300;
    private static final int MAX_GROUPS = 3;

    private RunText() {}

    /** Says why a part of the run is marked. */
    public static String of(MarkedInterval.Kind kind) {
        return switch (kind) {
            case RAMP -> "ramp";
            case LIMITED -> "the generator may have added more than 10 %";
            case GENERATOR_LIMITED -> "generator was the limit";
            case TESTER_LOST -> "tester lost";
            case CHANGE -> "the testbed was changed";
        };
    }

    /** Makes text from outside fit for one line: no control characters (a terminal would obey them), not too long. */
    public static String clean(String text) {
        return OneLine.of(text, MAX_LENGTH);
    }

    /** Returns the line that stands over a run: name, targets, load and testers. */
    public static String header(RunRecord run) {
        long wanted = run.testers().stream()
                .filter(tester -> tester.replaces() == null)
                .count();
        return header(run.experiment(), run.targets(), load(run), (int) wanted);
    }

    /**
     * Returns the same line for a run that has no record yet.
     *
     * @param load such as {@link #closed} or {@link #open} say it
     * @param testers wanted; 0: not known yet
     */
    public static String header(String experiment, List<String> targets, String load, int testers) {
        return clean(experiment) + " · " + targets(targets) + " · " + load
                + (testers == 0 ? "" : " · " + Numbers.count(testers, "tester"));
    }

    /** Says in a few words what a closed load is whose clients live for a known time. */
    public static String closed(int clients, ClientLifetimes.Staggered lives) {
        return "closed " + Numbers.count(clients, "client")
                + (lives.startEveryNanos() == 0 ? "" : ", one every " + Numbers.span(lives.startEveryNanos()))
                + (lives.endEveryNanos() == lives.startEveryNanos()
                        ? ", each for " + Numbers.span(lives.runForNanos())
                        : ", all until " + Numbers.span(lives.runForNanos()) + ending(lives));
    }

    private static String ending(ClientLifetimes.Staggered lives) {
        return lives.endEveryNanos() == 0 ? "" : ", then one ends every " + Numbers.span(lives.endEveryNanos());
    }

    /**
     * Says in a few words what an open load is.
     *
     * @param forNanos after the ramp
     */
    public static String open(double perSecond, String arrivals, long rampNanos, long forNanos) {
        return "open " + rate(perSecond) + " " + clean(arrivals) + " for " + Numbers.span(forNanos)
                + (rampNanos == 0 ? "" : " after a ramp of " + Numbers.span(rampNanos));
    }

    /** Names the targets, at most three of them. */
    public static String targets(RunRecord run) {
        return targets(run.targets());
    }

    private static String targets(List<String> targets) {
        if (targets.isEmpty()) {
            return "no target";
        }
        String shown = clean(String.join(", ", targets.subList(0, Math.min(3, targets.size()))));
        return targets.size() > 3 ? shown + " and " + (targets.size() - 3) + " more" : shown;
    }

    /** Says in a few words what load was offered. */
    public static String load(RunRecord run) {
        List<StageRecord> stages = run.stages();
        if (stages.isEmpty()) {
            return "no load";
        }
        if (run.cameByImport()) {
            return "imported load";
        }
        SearchRecord search = run.search();
        if (search != null) {
            return Levels.search(search);
        }
        Map<String, List<StageRecord>> groups = new LinkedHashMap<>();
        for (StageRecord stage : stages) {
            String group = stage.group();
            if (group != null) {
                groups.computeIfAbsent(group, name -> new ArrayList<>()).add(stage);
            }
        }
        if (!groups.isEmpty()) {
            return groups(groups);
        }
        double[] levels = stages.stream()
                .map(StageRecord::level)
                .flatMap(Stream::ofNullable)
                .mapToDouble(LevelRecord::value)
                .sorted()
                .toArray();
        if (levels.length > 0) {
            boolean open = isOpen(stages.get(0));
            String unit = open ? "/s" : " clients";
            return stages.get(0).model() + " load at " + Numbers.count(levels.length, "level") + " from "
                    + Numbers.level(levels[0]) + " to " + Numbers.level(levels[levels.length - 1]) + unit;
        }
        return stages.size() == 1
                ? load(stages.get(0))
                : stages.get(0).model() + " load in " + Numbers.count(stages.size(), "stage");
    }

    private static String groups(Map<String, List<StageRecord>> groups) {
        if (groups.size() > MAX_GROUPS) {
            return Numbers.count(groups.size(), "group");
        }
        List<String> words = new ArrayList<>();
        groups.forEach((name, stages) -> {
            StageRecord first = stages.get(0);
            words.add(clean(name) + ": "
                    + (stages.size() == 1
                            ? load(first)
                            : first.model() + " load in " + Numbers.count(stages.size(), "stage"))
                    + (first.startNanos() == 0 ? "" : " after " + Numbers.span(first.startNanos())));
        });
        return String.join("; ", words);
    }

    private static String load(StageRecord stage) {
        long length = stage.endNanos() - stage.startNanos();
        OpenLoad open = stage.open();
        if (open != null) {
            return open(open.perSecond(), arrivals(open), open.rampNanos(), length - open.rampNanos());
        }
        ClosedLoad closed = stage.closed();
        if (closed == null) {
            return "unknown load";
        }
        if (closed.lives() instanceof ClientLifetimes.Ramp ramp) {
            return "closed " + moving(ramp) + ", for " + Numbers.span(length);
        }
        ClientLifetimes.Staggered lives = (ClientLifetimes.Staggered) closed.lives();
        return closed.isLimited()
                ? "closed " + Numbers.count(closed.clients(), "client") + ", " + quota(closed.quota())
                : closed(closed.clients(), lives);
    }

    private static String arrivals(OpenLoad open) {
        return open.arrivals().name().toLowerCase(Locale.ROOT);
    }

    private static String moving(ClientLifetimes.Ramp ramp) {
        return ramp.from() == ramp.to()
                ? Numbers.count(ramp.to(), "client")
                : Numbers.count(ramp.from()) + " to " + Numbers.count(ramp.to(), "client");
    }

    private static String quota(Quota quota) {
        return (quota.calls() > 0 ? Numbers.count(quota.calls(), "call") : Numbers.bytes(quota.bytes())) + " in all";
    }

    /**
     * Says in a full sentence what a stage of a run does, with everything that decides it. What clients do over and over is a call, or
     * a journey, whose steps have pauses of their own.
     */
    public static String stage(RunRecord run, StageRecord stage) {
        ClosedLoad closed = stage.closed();
        OpenLoad open = stage.open();
        long length = stage.endNanos() - stage.startNanos();
        boolean journeys = run.groups().stream().anyMatch(CallGroup::journey);
        if (closed != null) {
            return closed(closed, length, journeys) + mostPerCall(closed);
        }
        return open == null ? "The load is not known." : open(open, length, journeys) + mostPerCall(open);
    }

    private static String mostPerCall(Load load) {
        return "; a call may take at most " + Numbers.span(load.timeoutNanos()) + ".";
    }

    private static String open(OpenLoad load, long length, boolean journeys) {
        long ramp = load.rampNanos();
        String what = journeys ? "journeys" : "calls";
        return "Open load: " + what + " are due at " + rate(load.perSecond()) + ", " + arrivals(load) + " arrivals,"
                + (ramp == 0
                        ? " for " + Numbers.span(length)
                        : " for " + Numbers.span(length - ramp) + " after a linear ramp of " + Numbers.span(ramp)
                                + (load.fromPerSecond() == 0 ? "" : " from " + rate(load.fromPerSecond())))
                + ", whether or not earlier ones have ended; at most " + Numbers.count(load.maxInFlight())
                + " in flight, further ones are dropped and counted";
    }

    private static String closed(ClosedLoad load, long length, boolean journeys) {
        return "Closed load: " + clients(load, length)
                + (load.isLimited() ? ", until " + quota(load.quota()) + " are done" : "")
                + "; a client " + (journeys ? "begins its next journey" : "makes its next call")
                + " when the previous one has ended" + think(load.think())
                + (journeys ? "; within a journey, it pauses as the steps say" : "")
                + switch (load.onFailure()) {
                    case CONTINUE -> "";
                    case RETIRE_CLIENT -> "; a client whose call fails makes no further calls";
                    case ABORT -> "; a failed call ends the run";
                };
    }

    private static String clients(ClosedLoad load, long length) {
        if (load.lives() instanceof ClientLifetimes.Ramp ramp) {
            return moving(ramp) + " over " + Numbers.span(length);
        }
        ClientLifetimes.Staggered lives = (ClientLifetimes.Staggered) load.lives();
        return Numbers.count(load.clients(), "client")
                + (lives.startEveryNanos() == 0
                        ? ", all started at once"
                        : ", a new one every " + Numbers.span(lives.startEveryNanos()))
                + (lives.runForNanos() >= ClientLifetimes.UNBOUNDED
                        ? ""
                        : lives.endEveryNanos() == lives.startEveryNanos()
                                ? ", each running for " + Numbers.span(lives.runForNanos())
                                : ", all running until " + Numbers.span(lives.runForNanos()) + ending(lives));
    }

    private static String think(ThinkTime think) {
        if (think instanceof ThinkTime.None) {
            return ", without a pause";
        }
        if (think instanceof ThinkTime.Fixed fixed) {
            return ", after thinking for " + exactly(fixed.fixedNanos());
        }
        if (think instanceof ThinkTime.Exponential exponential) {
            return ", after thinking for " + exactly(exponential.meanNanos())
                    + " on average, exponentially distributed";
        }
        if (think instanceof ThinkTime.Pace pace) {
            return ", but no sooner than " + exactly(pace.everyNanos()) + " after the previous one was due";
        }
        ThinkTime.Uniform uniform = (ThinkTime.Uniform) think;
        return ", after thinking for " + exactly(uniform.lowNanos()) + " to " + exactly(uniform.highNanos())
                + ", evenly distributed";
    }

    private static String exactly(long nanos) {
        return Quantity.format(Duration.ofNanos(nanos));
    }

    /** Returns whether a stage offers open load. */
    public static boolean isOpen(StageRecord stage) {
        return stage.open() != null;
    }

    /** Returns whether the load of a run is open, or not known, so that what was in flight stands for it. */
    public static boolean isOpen(Analysis analysis) {
        String model = analysis.summary().load().model();
        return model.equals("open") || model.equals("unknown");
    }

    private static String rate(double perSecond) {
        return perSecond == Math.rint(perSecond)
                ? Numbers.count((long) perSecond) + "/s"
                : Numbers.plain(perSecond) + "/s";
    }

    /** Says when and where a cause of failures was seen first, as far as that is known. */
    public static String first(FailureCause cause) {
        return "first "
                + (Double.isFinite(cause.firstSeconds()) ? "at " + Numbers.clock(cause.firstSeconds()) + " " : "")
                + "on tester-" + cause.tester();
    }

    /** Says what can be done about a cause of failures; empty: nothing that is known. */
    public static String remedy(FailureCause cause) {
        return clean(cause.remedy());
    }

    /** Says what a cause of failures is: its word, and for timeouts after how long. */
    public static String cause(RunRecord run, FailureCause cause) {
        String word = clean(cause.outcome());
        long[] timeouts = run.stages().stream()
                .map(StageRecord::load)
                .flatMap(Stream::ofNullable)
                .mapToLong(Load::timeoutNanos)
                .distinct()
                .toArray();
        return cause.outcome().equals(Outcome.TIMEOUT) && timeouts.length == 1
                ? word + " after " + Numbers.span(timeouts[0])
                : word;
    }
}
