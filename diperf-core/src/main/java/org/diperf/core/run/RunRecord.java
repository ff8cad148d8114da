package org.diperf.core.run;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.diperf.core.plan.CallGroup;
import org.diperf.core.spi.ClientTrait;
import org.diperf.core.spi.SpoolLocation;
import org.jspecify.annotations.Nullable;

/**
 * The content of {@code run.json}. Written when the run starts and again when it ends, so that a run whose controller
 * was killed can still be analysed.
 *
 * @param format {@link #FORMAT}
 * @param experiment name of the experiment
 * @param labels of the experiment
 * @param seed of the experiment
 * @param diperfVersion that carried out the run
 * @param startedAt wall clock at the global start instant, ISO 8601 in UTC; {@code null} when it never started
 * @param startNanos the global start instant, on the controller's monotonic clock
 * @param endNanos the instant at which the last call could end and all testers had reported, same clock; {@code null}
 *     while the run is under way
 * @param end how it ended
 * @param plugin id of the client plugin
 * @param traits of the client plugin; {@code null} in the record of an import
 * @param metrics that the plugin declared for its calls, in the order of their columns
 * @param requests names of the kinds of request, in the order of their numbers
 * @param journeys groups of calls that were measured as a whole, in the order of their numbers; {@code null}: none were
 * @param targets URIs, in the order of their numbers
 * @param stages the plan, one after another
 * @param testers all that were wanted, then those that replaced lost ones
 * @param measure what {@code measured} is taken over
 * @param thresholds expressions that must hold
 * @param report how it is shown
 * @param machine what the controller ran on: name to value, in the order to show
 * @param events what happened, on the global clock, in order; at most 1,000
 * @param warnings what the controller, an importer or a repair says against the numbers
 * @param search how the highest load was searched for; {@code null} where none was
 * @param nodes that the testbed might have used, in the order of the file; none where it does not know them beforehand
 * @param shares who shared which clients: one for each group, or one without a name; {@code null}: the run has no groups, and
 *     client i was on slot i mod T
 * @param monitors that watched the service from its own side; {@code null}: none
 * @param origin where it came from; {@code null}: from the run itself
 * @param spools where testers leave samples that the controller does not take; in the record of a run that has ended, those
 *     that were not brought home; {@code null}: nowhere but in the run's own folder
 * @param calibrations that fitted the testers' machines; {@code null}: none is known
 * @param trace of its calls; {@code null}: they carried no ids
 * @param stream what comes within its calls; {@code null}: nothing does
 */
public record RunRecord(
        String format,
        String experiment,
        Map<String, String> labels,
        long seed,
        String diperfVersion,
        @Nullable String startedAt,
        long startNanos,
        @Nullable Long endNanos,
        End end,
        String plugin,
        @Nullable Set<ClientTrait> traits,
        List<MetricRecord> metrics,
        List<String> requests,
        @Nullable List<CallGroup> journeys,
        List<String> targets,
        List<StageRecord> stages,
        List<TesterRecord> testers,
        MeasureRecord measure,
        List<String> thresholds,
        ReportRecord report,
        Map<String, String> machine,
        List<Event> events,
        List<Warning> warnings,
        @Nullable SearchRecord search,
        List<NodeRecord> nodes,
        @Nullable List<ShareRecord> shares,
        @Nullable List<MonitorRecord> monitors,
        @Nullable OriginRecord origin,
        @Nullable List<SpoolLocation> spools,
        @Nullable List<CalibrationRecord> calibrations,
        @Nullable TraceRecord trace,
        @Nullable StreamRecord stream) {

    /** Name and version of this format. */
    public static final String FORMAT = "diperf-run/2";

    /**
     * Returns the same record with the free texts in it changed, such as one that may name a secret: all that testers, nodes,
     * monitors and the service have said. What the file itself says holds no values of secrets.
     */
    public RunRecord masked(UnaryOperator<String> mask) {
        Map<String, String> maskedMachine = new LinkedHashMap<>();
        machine.forEach((name, value) -> maskedMachine.put(name, mask.apply(value)));
        return with(other -> {
            other.testers = testers.stream().map(tester -> tester.masked(mask)).toList();
            other.machine = maskedMachine;
            other.events = events.stream()
                    .map(event ->
                            new Event(event.atNanos(), mask.apply(event.text()), event.isChange(), event.isByHand()))
                    .toList();
            other.warnings =
                    warnings.stream().map(warning -> warning.masked(mask)).toList();
            other.nodes = nodes.stream().map(node -> node.masked(mask)).toList();
            other.calibrations = calibrations == null
                    ? null
                    : calibrations.stream()
                            .map(calibration -> calibration.masked(mask))
                            .toList();
        });
    }

    /**
     * Returns the record of the same run at its end.
     *
     * @param endedNanos on the controller's clock; {@code null}: under way
     */
    public RunRecord ended(
            @Nullable Long endedNanos,
            End how,
            List<TesterRecord> otherTesters,
            List<Event> otherEvents,
            List<Warning> otherWarnings) {
        return with(other -> {
            other.endNanos = endedNanos;
            other.end = how;
            other.testers = otherTesters;
            other.events = otherEvents;
            other.warnings = otherWarnings;
        });
    }

    /** Returns the same record with other warnings and another origin. */
    public RunRecord with(List<Warning> otherWarnings, OriginRecord otherOrigin) {
        return with(other -> {
            other.warnings = otherWarnings;
            other.origin = otherOrigin;
        });
    }

    /** Returns the same record, measured over another window and shown in another way. */
    public RunRecord shown(MeasureRecord otherMeasure, ReportRecord otherReport) {
        return with(other -> {
            other.measure = otherMeasure;
            other.report = otherReport;
        });
    }

    /** Returns the same record with other places where testers leave samples. */
    public RunRecord leaving(List<SpoolLocation> places) {
        return with(other -> other.spools = places.isEmpty() ? null : List.copyOf(places));
    }

    /** Returns the same record with what testers had been calibrated to; none: nothing is known. */
    public RunRecord calibrated(List<CalibrationRecord> known) {
        return with(other -> other.calibrations = known.isEmpty() ? null : List.copyOf(known));
    }

    private RunRecord with(Consumer<Draft> change) {
        Draft draft = new Draft(this);
        change.accept(draft);
        return draft.of(this);
    }

    /** What may differ between two records of a run. */
    private static final class Draft {
        private @Nullable Long endNanos;
        private End end;
        private List<TesterRecord> testers;
        private MeasureRecord measure;
        private ReportRecord report;
        private Map<String, String> machine;
        private List<Event> events;
        private List<Warning> warnings;
        private List<NodeRecord> nodes;
        private @Nullable OriginRecord origin;
        private @Nullable List<SpoolLocation> spools;
        private @Nullable List<CalibrationRecord> calibrations;

        Draft(RunRecord run) {
            endNanos = run.endNanos;
            end = run.end;
            testers = run.testers;
            measure = run.measure;
            report = run.report;
            machine = run.machine;
            events = run.events;
            warnings = run.warnings;
            nodes = run.nodes;
            origin = run.origin;
            spools = run.spools;
            calibrations = run.calibrations;
        }

        RunRecord of(RunRecord run) {
            return new RunRecord(
                    run.format,
                    run.experiment,
                    run.labels,
                    run.seed,
                    run.diperfVersion,
                    run.startedAt,
                    run.startNanos,
                    endNanos,
                    end,
                    run.plugin,
                    run.traits,
                    run.metrics,
                    run.requests,
                    run.journeys,
                    run.targets,
                    run.stages,
                    testers,
                    measure,
                    run.thresholds,
                    report,
                    machine,
                    events,
                    warnings,
                    run.search,
                    nodes,
                    run.shares,
                    run.monitors,
                    origin,
                    spools,
                    calibrations,
                    run.trace,
                    run.stream);
        }
    }

    /** Lists the groups of calls that were measured as a whole. */
    public List<CallGroup> groups() {
        return journeys == null ? List.of() : journeys;
    }

    /** Returns whether the client plugin has a trait. */
    public boolean has(ClientTrait trait) {
        return traits != null && traits.contains(trait);
    }

    /** Returns whether the samples say whose fault a failure was: all but imported ones do. */
    public boolean saysFaults() {
        return traits != null;
    }

    /** Returns whether the calls do not tell something, of {@link OriginRecord#absent}. */
    public boolean lacks(String what) {
        return origin != null && origin.absent().contains(what);
    }

    /** Returns whether the samples were made of the file of another program. */
    public boolean cameByImport() {
        return origin != null && origin.kind().equals(OriginRecord.IMPORTED);
    }

    /**
     * How calls are known to a tracing system: by the ids of {@link org.diperf.core.plan.TraceIds}.
     *
     * @param link address of a trace, with <code>${id}</code> for its id; empty: none is known
     */
    public record TraceRecord(String link) {}

    /**
     * What comes within calls.
     *
     * @param unit what an event carries one or more of, in the singular
     * @param kinds of events, by their numbers
     */
    public record StreamRecord(String unit, List<String> kinds) {}

    /** How a run ended. */
    public enum End {
        /** Not yet. */
        UNDER_WAY,
        /** As planned. */
        COMPLETE,
        /** Cut short by the user. */
        INTERRUPTED,
        /** Cut short by a threshold with {@code abort}, or by a failed call under {@code on-failure: abort}. */
        ABORTED,
        /** Cut short by a failure. */
        FAILED
    }

    /**
     * @param name as declared
     * @param unit as people write it
     */
    public record MetricRecord(String name, String unit) {}

    /**
     * @param window {@code whole}, {@code peak} or {@code range}
     * @param fromNanos of a range, after the start of the run
     * @param toNanos of a range
     * @param skipNanos left out at the begin, or {@link #WHILE_COLD}
     */
    public record MeasureRecord(String window, long fromNanos, long toNanos, long skipNanos) {

        /** Stands for what is left out while the load generator is cold, which its samples show. */
        public static final long WHILE_COLD = -1;

        /** Returns the same part with so much left out. */
        public MeasureRecord skipping(long nanos) {
            return new MeasureRecord(window, fromNanos, toNanos, nanos);
        }
    }

    /**
     * @param atNanos after the start of the run; negative before it
     * @param text one line
     * @param isChange whether the testbed was changed then, on purpose
     * @param isByHand whether somebody touched the run then, while it was under way
     */
    public record Event(long atNanos, String text, boolean isChange, boolean isByHand) {

        /** Makes one that is nobody's doing. */
        public Event(long atNanos, String text, boolean isChange) {
            this(atNanos, text, isChange, false);
        }
    }
}
