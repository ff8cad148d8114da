package org.diperf.core.run;

import java.util.List;
import java.util.Map;
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
 * @param metrics that the plugin declared for its calls, in the order of their columns
 * @param requests names of the kinds of request, in the order of their numbers
 * @param targets URIs, in the order of their numbers
 * @param stages the plan, one after another
 * @param testers all that were wanted, then those that replaced lost ones
 * @param measure what {@code measured} is taken over
 * @param thresholds expressions that must hold
 * @param report how it is shown
 * @param machine what the controller ran on: name to value, in the order to show
 * @param events what happened, on the global clock, in order; at most 1,000
 * @param warnings why the numbers may not be trusted, from the controller's point of view
 * @param search how the highest load was searched for; {@code null} where none was
 * @param nodes that the testbed might have used, in the order of the file; none where it does not know them beforehand
 * @param shares who shared which clients: one for each group, or one without a name; {@code null}: the run has no groups, and
 *     client i was on slot i mod T
 * @param monitors that watched the service from its own side; {@code null}: none
 * @param origin where it came from; {@code null}: from the run itself
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
        List<MetricRecord> metrics,
        List<String> requests,
        List<String> targets,
        List<StageRecord> stages,
        List<TesterRecord> testers,
        MeasureRecord measure,
        List<String> thresholds,
        ReportRecord report,
        Map<String, String> machine,
        List<Event> events,
        List<String> warnings,
        @Nullable SearchRecord search,
        List<NodeRecord> nodes,
        @Nullable List<ShareRecord> shares,
        @Nullable List<MonitorRecord> monitors,
        @Nullable OriginRecord origin) {

    /** Name and version of this format. */
    public static final String FORMAT = "diperf-run/1";

    /** Makes the record of a run without groups, whose clients were spread as is usual. */
    public RunRecord(
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
            List<MetricRecord> metrics,
            List<String> requests,
            List<String> targets,
            List<StageRecord> stages,
            List<TesterRecord> testers,
            MeasureRecord measure,
            List<String> thresholds,
            ReportRecord report,
            Map<String, String> machine,
            List<Event> events,
            List<String> warnings,
            @Nullable SearchRecord search,
            List<NodeRecord> nodes) {
        this(
                format,
                experiment,
                labels,
                seed,
                diperfVersion,
                startedAt,
                startNanos,
                endNanos,
                end,
                plugin,
                metrics,
                requests,
                targets,
                stages,
                testers,
                measure,
                thresholds,
                report,
                machine,
                events,
                warnings,
                search,
                nodes,
                null,
                null);
    }

    /** Makes the record of a run that was carried out here. */
    public RunRecord(
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
            List<MetricRecord> metrics,
            List<String> requests,
            List<String> targets,
            List<StageRecord> stages,
            List<TesterRecord> testers,
            MeasureRecord measure,
            List<String> thresholds,
            ReportRecord report,
            Map<String, String> machine,
            List<Event> events,
            List<String> warnings,
            @Nullable SearchRecord search,
            List<NodeRecord> nodes,
            @Nullable List<ShareRecord> shares) {
        this(
                format,
                experiment,
                labels,
                seed,
                diperfVersion,
                startedAt,
                startNanos,
                endNanos,
                end,
                plugin,
                metrics,
                requests,
                targets,
                stages,
                testers,
                measure,
                thresholds,
                report,
                machine,
                events,
                warnings,
                search,
                nodes,
                shares,
                null,
                null);
    }

    /** Makes the record of a run that was carried out here, with monitors. */
    public RunRecord(
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
            List<MetricRecord> metrics,
            List<String> requests,
            List<String> targets,
            List<StageRecord> stages,
            List<TesterRecord> testers,
            MeasureRecord measure,
            List<String> thresholds,
            ReportRecord report,
            Map<String, String> machine,
            List<Event> events,
            List<String> warnings,
            @Nullable SearchRecord search,
            List<NodeRecord> nodes,
            @Nullable List<ShareRecord> shares,
            @Nullable List<MonitorRecord> monitors) {
        this(
                format,
                experiment,
                labels,
                seed,
                diperfVersion,
                startedAt,
                startNanos,
                endNanos,
                end,
                plugin,
                metrics,
                requests,
                targets,
                stages,
                testers,
                measure,
                thresholds,
                report,
                machine,
                events,
                warnings,
                search,
                nodes,
                shares,
                monitors,
                null);
    }

    /** Gives the record of the same run, which another controller has gone on with and ended. */
    public RunRecord resumed(
            long endedNanos,
            End how,
            List<TesterRecord> otherTesters,
            List<Event> otherEvents,
            List<String> otherWarnings) {
        return new RunRecord(
                format,
                experiment,
                labels,
                seed,
                diperfVersion,
                startedAt,
                startNanos,
                endedNanos,
                how,
                plugin,
                metrics,
                requests,
                targets,
                stages,
                otherTesters,
                measure,
                thresholds,
                report,
                machine,
                otherEvents,
                otherWarnings,
                search,
                nodes,
                shares,
                monitors,
                origin);
    }

    /** Gives the same record with other warnings and another origin. */
    public RunRecord with(List<String> otherWarnings, OriginRecord otherOrigin) {
        return new RunRecord(
                format,
                experiment,
                labels,
                seed,
                diperfVersion,
                startedAt,
                startNanos,
                endNanos,
                end,
                plugin,
                metrics,
                requests,
                targets,
                stages,
                testers,
                measure,
                thresholds,
                report,
                machine,
                events,
                otherWarnings,
                search,
                nodes,
                shares,
                monitors,
                otherOrigin);
    }

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
     * One stage. Absent values belong to the other model.
     *
     * @param number from 0
     * @param model {@code closed} or {@code open}
     * @param startNanos after the start of the run
     * @param endNanos from which no more calls begin, after the start of the run
     * @param clients of closed load
     * @param startEveryNanos of closed load
     * @param runForNanos of closed load: how long a client lives, or the planned length of a ramp
     * @param think of closed load, in words
     * @param perSecond of open load
     * @param arrivals of open load
     * @param rampNanos of open load
     * @param maxInFlight of open load
     * @param timeoutNanos of both
     * @param fromClients of closed load whose number of clients moves: at the begin
     * @param toClients of closed load whose number of clients moves: at the end
     * @param fromPerSecond of open load: at the begin of the ramp, where not 0
     * @param quotaCalls of closed load: calls after which it is over
     * @param quotaBytes of closed load: bytes after which it is over
     * @param onFailure what a failed call does, where it does something: {@code retire-client} or {@code abort}
     * @param level what a level or a probe of a search was about; absent for other stages
     * @param group whose stage it is; absent where the run has no groups. Groups run side by side, and the stages of each
     *     follow one another
     */
    public record StageRecord(
            int number,
            String model,
            long startNanos,
            long endNanos,
            @Nullable Integer clients,
            @Nullable Long startEveryNanos,
            @Nullable Long runForNanos,
            @Nullable String think,
            @Nullable Double perSecond,
            @Nullable String arrivals,
            @Nullable Long rampNanos,
            @Nullable Integer maxInFlight,
            long timeoutNanos,
            @Nullable Integer fromClients,
            @Nullable Integer toClients,
            @Nullable Double fromPerSecond,
            @Nullable Long quotaCalls,
            @Nullable Long quotaBytes,
            @Nullable String onFailure,
            @Nullable LevelRecord level,
            @Nullable String group) {

        /** Makes a stage of a run without groups. */
        public StageRecord(
                int number,
                String model,
                long startNanos,
                long endNanos,
                @Nullable Integer clients,
                @Nullable Long startEveryNanos,
                @Nullable Long runForNanos,
                @Nullable String think,
                @Nullable Double perSecond,
                @Nullable String arrivals,
                @Nullable Long rampNanos,
                @Nullable Integer maxInFlight,
                long timeoutNanos,
                @Nullable Integer fromClients,
                @Nullable Integer toClients,
                @Nullable Double fromPerSecond,
                @Nullable Long quotaCalls,
                @Nullable Long quotaBytes,
                @Nullable String onFailure,
                @Nullable LevelRecord level) {
            this(
                    number,
                    model,
                    startNanos,
                    endNanos,
                    clients,
                    startEveryNanos,
                    runForNanos,
                    think,
                    perSecond,
                    arrivals,
                    rampNanos,
                    maxInFlight,
                    timeoutNanos,
                    fromClients,
                    toClients,
                    fromPerSecond,
                    quotaCalls,
                    quotaBytes,
                    onFailure,
                    level,
                    null);
        }

        /** Makes a stage that is nothing special. */
        public StageRecord(
                int number,
                String model,
                long startNanos,
                long endNanos,
                @Nullable Integer clients,
                @Nullable Long startEveryNanos,
                @Nullable Long runForNanos,
                @Nullable String think,
                @Nullable Double perSecond,
                @Nullable String arrivals,
                @Nullable Long rampNanos,
                @Nullable Integer maxInFlight,
                long timeoutNanos) {
            this(
                    number,
                    model,
                    startNanos,
                    endNanos,
                    clients,
                    startEveryNanos,
                    runForNanos,
                    think,
                    perSecond,
                    arrivals,
                    rampNanos,
                    maxInFlight,
                    timeoutNanos,
                    null,
                    null,
                    null,
                    null,
                    null,
                    null,
                    null,
                    null);
        }
    }

    /**
     * Testers that shared a load, and which of its clients were theirs.
     *
     * @param group its name; {@code null}: the whole run, which has no groups
     * @param where which testers it took, in the words of the file; empty: any
     * @param placement {@code round-robin} or {@code fill}
     * @param firstClient number of its first client in the whole run
     * @param clients the most that it had at once, or in flight
     * @param startAfterNanos when its load began, after the start of the run
     * @param firstSlot slot of its first tester
     * @param slots how many testers shared it
     */
    public record ShareRecord(
            @Nullable String group,
            String where,
            String placement,
            int firstClient,
            int clients,
            long startAfterNanos,
            int firstSlot,
            int slots) {}

    /**
     * Where the samples of a run directory came from, when not from the run itself.
     *
     * @param kind {@link #IMPORTED} or {@link #REPAIRED}
     * @param from in words: the file, or the folder, and its format
     * @param absent what the calls do not tell: {@link #SEND_LAG}, {@link #BYTES}, {@link #CLOCKS}, which imported calls
     *     never do
     * @param missingBlocks numbers of blocks that a repair left out for good, how many of each tester; by its number
     */
    public record OriginRecord(String kind, String from, List<String> absent, Map<Integer, Long> missingBlocks) {

        /** Made of the file of another program. */
        public static final String IMPORTED = "imported";
        /** Made of what could be used of a damaged run directory. */
        public static final String REPAIRED = "repaired";
        /** Nobody knows when calls were sent: send lag and service time are absent. */
        public static final String SEND_LAG = "sendLag";
        /** Nobody knows what calls moved. */
        public static final String BYTES = "bytes";
        /** A repair found no exchanges with the clock of a tester: it is unknown for good. */
        public static final String CLOCKS = "clocks";

        /** Copies what it is given. */
        public OriginRecord {
            absent = List.copyOf(absent);
            missingBlocks = Map.copyOf(missingBlocks);
        }
    }

    /** Says whether the calls do not tell something, of {@link OriginRecord#absent}. */
    public boolean lacks(String what) {
        return origin != null && origin.absent().contains(what);
    }

    /** Says whether the samples were made of the file of another program. */
    public boolean cameByImport() {
        return origin != null && origin.kind().equals(OriginRecord.IMPORTED);
    }

    /**
     * A stage that holds one value of the load.
     *
     * @param value clients, or calls a second
     * @param settledNanos from when on it counts, after the start of the run; {@code null}: it never settled
     * @param settling in words: how that was judged
     */
    public record LevelRecord(double value, @Nullable Long settledNanos, String settling) {}

    /**
     * The search for the highest value of the load that keeps a condition.
     *
     * @param of {@code rate} or {@code clients}
     * @param from lowest value that may be tried
     * @param to highest value that may be tried
     * @param conditions all of which must hold
     * @param probes in the order of their stages
     * @param found highest value that was confirmed; {@code null}: none
     * @param failedAt lowest value above it that did not hold; {@code null}: none, the range or the generator was the limit
     * @param conclusion in a sentence
     */
    public record SearchRecord(
            String of,
            double from,
            double to,
            List<String> conditions,
            List<ProbeRecord> probes,
            @Nullable Double found,
            @Nullable Double failedAt,
            String conclusion) {}

    /**
     * One value that was tried.
     *
     * @param stage its number
     * @param value clients, or calls a second
     * @param purpose {@code step up}, {@code bisect} or {@code confirm}
     * @param holds whether all conditions held; {@code null}: it could not be told
     * @param observed in words, each condition with what was seen
     */
    public record ProbeRecord(
            int stage,
            double value,
            String purpose,
            @Nullable Boolean holds,
            String observed) {}

    /**
     * One tester.
     *
     * @param number from 1
     * @param host its name for the machine
     * @param started whether it was told to start
     * @param lostNanos instant from which its load does not count, after the start of the run: from when on nothing was
     *     heard of it, or, where it came back, when its lease ran out; {@code null}: not lost
     * @param lostReason in words, also why it did not start; {@code null}: not lost
     * @param startNanos the start instant it was told, on its own clock; {@code null} when it was never told
     * @param sent calls it says it sent
     * @param dropped arrivals it says it dropped
     * @param lateEnds ends of calls that came after they were recorded or twice, ignored
     * @param stuckClients clients that did not let go of a call and were replaced
     * @param rejected what its clients could not use, kind to count
     * @param facts what it ran on: name to value, in the order to show (JVM, flags, cores, memory, operating system)
     * @param slot its share of the load, from 1 in the whole run; 0: it had none, and the others shared its load
     * @param replaces number of the lost tester whose share it took; {@code null}: none
     * @param joinedNanos from when on it began calls, after the start of the run; {@code null}: from the start
     * @param returnedNanos when it was heard again after it was lost; its load stayed stopped; {@code null}: never
     * @param node name of the node it was placed on; {@code null}: the testbed does not tell
     */
    public record TesterRecord(
            int number,
            String host,
            boolean started,
            @Nullable Long lostNanos,
            @Nullable String lostReason,
            @Nullable Long startNanos,
            long sent,
            long dropped,
            long lateEnds,
            int stuckClients,
            Map<String, Long> rejected,
            Map<String, String> facts,
            int slot,
            @Nullable Integer replaces,
            @Nullable Long joinedNanos,
            @Nullable Long returnedNanos,
            @Nullable String node) {

        /** Makes a tester that took part from the start, with the slot of its number. */
        public TesterRecord(
                int number,
                String host,
                boolean started,
                @Nullable Long lostNanos,
                @Nullable String lostReason,
                @Nullable Long startNanos,
                long sent,
                long dropped,
                long lateEnds,
                int stuckClients,
                Map<String, Long> rejected,
                Map<String, String> facts) {
            this(
                    number,
                    host,
                    started,
                    lostNanos,
                    lostReason,
                    startNanos,
                    sent,
                    dropped,
                    lateEnds,
                    stuckClients,
                    rejected,
                    facts,
                    number,
                    null,
                    null,
                    null,
                    null);
        }
    }

    /**
     * A node that the testbed might have used.
     *
     * @param name as the file and the testbed call it
     * @param labels given in the file
     * @param measures by name, in the units of {@link org.diperf.core.spi.Node}; what was not measured is absent
     * @param facts in words, in the order to show
     * @param chosen whether testers were placed there
     * @param reason why not; empty where it was
     */
    public record NodeRecord(
            String name,
            Map<String, String> labels,
            Map<String, Double> measures,
            Map<String, String> facts,
            boolean chosen,
            String reason) {}

    /**
     * A monitor of the service.
     *
     * @param number of its blocks, from 1
     * @param name unique in the run
     * @param kind of monitor
     * @param periodNanos from one sample to the next
     * @param samples that it gave
     * @param failed samples that it could not give
     * @param notes what a reader of its samples must know
     */
    public record MonitorRecord(
            int number, String name, String kind, long periodNanos, long samples, long failed, List<String> notes) {}

    /**
     * @param window {@code whole}, {@code peak} or {@code range}
     * @param fromNanos of a range, after the start of the run
     * @param toNanos of a range
     * @param skipNanos left out at the begin
     */
    public record MeasureRecord(String window, long fromNanos, long toNanos, long skipNanos) {}

    /**
     * @param quantumNanos width of one point of a series
     * @param smoothNanos width of the moving average; 0 where {@code smoothPoints} counts
     * @param smoothPoints points of the moving average; 0 where {@code smoothNanos} counts
     * @param perMinute whether rates are shown per minute
     * @param figures that the experiment asks for
     */
    public record ReportRecord(
            long quantumNanos, long smoothNanos, int smoothPoints, boolean perMinute, List<FigureRecord> figures) {
        public ReportRecord {
            figures = List.copyOf(figures);
        }

        /** Makes the record without figures. */
        public ReportRecord(long quantumNanos, long smoothNanos, int smoothPoints, boolean perMinute) {
            this(quantumNanos, smoothNanos, smoothPoints, perMinute, List.of());
        }
    }

    /**
     * A figure that the experiment asks for.
     *
     * @param left names of values over time with their axes to the left
     * @param right names of those with their axes to the right
     * @param title what stands over it; {@code null}: what it shows
     */
    public record FigureRecord(
            List<String> left, List<String> right, @Nullable String title) {
        public FigureRecord {
            left = List.copyOf(left);
            right = List.copyOf(right);
        }
    }

    /**
     * @param atNanos after the start of the run; negative before it
     * @param text one line
     */
    public record Event(long atNanos, String text) {}
}
