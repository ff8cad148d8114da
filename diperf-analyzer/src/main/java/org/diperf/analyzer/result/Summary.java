package org.diperf.analyzer.result;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.diperf.analyzer.result.Confidence.Bounds;
import org.diperf.analyzer.stats.FairnessStatistics;
import org.diperf.analyzer.stats.Interval;
import org.diperf.analyzer.stats.OverheadLimits;
import org.diperf.analyzer.stats.Range;
import org.diperf.analyzer.stats.Statistics;
import org.diperf.analyzer.stats.Uncertainty;
import org.diperf.core.run.RunRecord;
import org.diperf.core.run.Warning;
import org.jspecify.annotations.Nullable;

/**
 * The content of {@code summary.json}: times in milliseconds, rates per second, sizes in bytes unless the name says
 * otherwise. What was not measured is {@code null} and absent from the file.
 */
public record Summary(
        String format,
        String experiment,
        @Nullable String startedAt,
        double durationSeconds,
        List<String> target,
        LoadSummary load,
        TesterCounts testers,
        @JsonUnwrapped CallStatistics numbers,
        @Nullable Statistics processingTime,
        @Nullable Window measured,
        @Nullable Window peak,
        @Nullable Fairness fairness,
        @Nullable ClockSummary clock,
        @Nullable List<StageSummary> stages,
        @Nullable SearchSummary search,
        @Nullable SaturationSummary saturation,
        @Nullable List<ModelSummary> models,
        List<ThresholdResult> thresholds,
        @Nullable List<AskedNumber> asked,
        String verdict,
        List<Warning> warnings,
        Map<String, String> labels,
        @Nullable String groupedBy,
        @Nullable Map<String, GroupSummary> groups,
        @Nullable GroupFairness groupFairness,
        @Nullable List<NetworkCorrelation> networkImpact,
        @JsonUnwrapped @Nullable ServerSummary serverSide,
        @JsonUnwrapped @Nullable ClientSide clientSide,
        @Nullable Map<String, RequestSummary> requests,
        @Nullable Map<String, JourneySummary> journeys,
        @Nullable GeneratorSummary generator,
        @Nullable Map<String, AnnexSummary> annexes,
        @Nullable List<HandEvent> events)
        implements PartCounts {

    /** Name and version of the format. */
    public static final String FORMAT = "diperf-summary/1";

    /** Returns the whole run as a part of itself. */
    public Window whole() {
        return new Window(0, durationSeconds, null, numbers);
    }

    /** Returns the same summary with these results of thresholds. */
    public Summary with(List<ThresholdResult> results) {
        return with(measured, peak, results, asked, verdict, warnings, serverSide, annexes);
    }

    /**
     * Returns the same summary with the calls in its measured part that ended after it, in the peak too where that is the same part;
     * {@code null}: there are none.
     */
    public @Nullable Summary withLate() {
        CallStatistics late = measured == null ? null : measured.withLate();
        if (measured == null || late == null) {
            return null;
        }
        Window all = new Window(measured.fromSeconds(), measured.toSeconds(), measured.clients(), late);
        boolean isPeak = peak != null
                && peak.fromSeconds() == measured.fromSeconds()
                && peak.toSeconds() == measured.toSeconds();
        return with(all, isPeak ? all : peak, thresholds, asked, verdict, warnings, serverSide, annexes);
    }

    /** Returns the same summary with how sure the numbers are that are asked for, and what follows for its verdict. */
    public Summary with(List<AskedNumber> numbers, String judged, List<Warning> warned) {
        return with(
                measured, peak, thresholds, numbers.isEmpty() ? null : numbers, judged, warned, serverSide, annexes);
    }

    /** Returns the same summary with the service's own view. */
    public Summary with(ServerSummary server, List<Warning> warned) {
        return with(measured, peak, thresholds, asked, verdict, warned, server, annexes);
    }

    /** Returns the same summary with what annexes say, by name. */
    public Summary with(Map<String, AnnexSummary> left) {
        return with(measured, peak, thresholds, asked, verdict, warnings, serverSide, left);
    }

    /** Returns what the testbed says may have added to calls; {@code null}: nothing. */
    public @Nullable String delayedBy() {
        return annexes == null
                ? null
                : annexes.values().stream()
                        .map(AnnexSummary::delayedBy)
                        .filter(Objects::nonNull)
                        .findFirst()
                        .orElse(null);
    }

    private Summary with(
            @Nullable Window part,
            @Nullable Window busiest,
            List<ThresholdResult> results,
            @Nullable List<AskedNumber> numbersAsked,
            String judged,
            List<Warning> warned,
            @Nullable ServerSummary server,
            @Nullable Map<String, AnnexSummary> left) {
        return new Summary(
                format,
                experiment,
                startedAt,
                durationSeconds,
                target,
                load,
                testers,
                numbers,
                processingTime,
                part,
                busiest,
                fairness,
                clock,
                stages,
                search,
                saturation,
                models,
                results,
                numbersAsked,
                judged,
                warned,
                labels,
                groupedBy,
                groups,
                groupFairness,
                networkImpact,
                server,
                clientSide,
                requests,
                journeys,
                generator,
                left,
                events);
    }

    /**
     * Somebody touched the run while it was under way.
     *
     * @param atSeconds after the start of the load; negative: before it
     */
    public record HandEvent(double atSeconds, String text) {

        /** Finds those among the events of a run; {@code null}: nobody touched it. */
        public static @Nullable List<HandEvent> among(List<RunRecord.Event> events) {
            List<HandEvent> found = events.stream()
                    .filter(RunRecord.Event::isByHand)
                    .map(event -> new HandEvent(event.atNanos() / 1e9, event.text()))
                    .toList();
            return found.isEmpty() ? null : found;
        }
    }

    /** What was offered: {@code closed} with clients, {@code open} with a rate per second and arrivals, or {@code mixed}. */
    public record LoadSummary(
            String model,
            @Nullable Integer clients,
            @Nullable Double rate,
            @Nullable String arrivals) {}

    /**
     * What is known of the testers' own limits.
     *
     * @param calibration how near to what they were calibrated to they came
     */
    public record GeneratorSummary(CalibrationShare calibration) {}

    /** Testers wanted, started, lost, and those that took the share of a lost one. */
    public record TesterCounts(int requested, int started, int lost, int replaced) {}

    /**
     * Calls by how they ended; {@code cancelled} and {@code timedOut} are within {@code failed}.
     *
     * @param refused within {@code failed}: by the load generator's fault, such as for want of descriptors; {@code null}: none
     */
    public record CallCounts(
            long planned,
            long sent,
            long total,
            long ok,
            long failed,
            long timedOut,
            long dropped,
            long unfinished,
            Map<String, Long> outcomes,
            long bytes,
            @Nullable Long refused) {

        /** Makes those of calls none of which failed by the load generator's fault, as far as is known. */
        public CallCounts(
                long planned,
                long sent,
                long total,
                long ok,
                long failed,
                long timedOut,
                long dropped,
                long unfinished,
                Map<String, Long> outcomes,
                long bytes) {
            this(planned, sent, total, ok, failed, timedOut, dropped, unfinished, outcomes, bytes, null);
        }

        /** Counts the failed calls that the service might have answered. */
        public long mayBeOk() {
            return refused == null ? 0 : refused;
        }

        /** Returns the share of the calls that ended which failed; 0 where none ended. */
        public double failedShare() {
            return total == 0 ? 0 : (double) failed / total;
        }
    }

    /**
     * Ok calls a second: mean over the time, the others over whole quanta.
     *
     * @param ranges how far off the mean can be, by its name; {@code null}: nothing is known of that
     */
    public record Throughput(
            double mean,
            @Nullable Double median,
            @Nullable Double min,
            @Nullable Double max,
            @Nullable Map<String, Uncertainty> ranges) {

        private static final String MEAN = "mean";

        /** Makes one of which no more is known. */
        public Throughput(double mean, @Nullable Double median, @Nullable Double min, @Nullable Double max) {
            this(mean, median, min, max, null);
        }

        /** Returns how far off the mean can be; {@code null}: nothing is known of that. */
        public @Nullable Uncertainty range() {
            return ranges == null ? null : ranges.get(MEAN);
        }

        /** Returns the most that the mean can be but for how few calls there were: what it would have been without the load generator's delays. */
        public double most() {
            Uncertainty range = range();
            return range == null ? mean : range.withoutSampling(mean).high();
        }

        /** Returns whether it is one at least, because what clients missed while they waited for the load generator shows. */
        public boolean atLeast() {
            return most() > (1 + OverheadLimits.LIMITED) * mean;
        }

        /**
         * Returns the same, with another part of what is known of how far off the mean can be.
         *
         * @param part its name, such as {@link Uncertainty#SAMPLING}
         * @param of {@code null}: there is none
         */
        public Throughput with(String part, @Nullable Range of) {
            if (of == null) {
                return this;
            }
            Uncertainty range = range();
            Map<String, Range> parts = new TreeMap<>(range == null ? Map.of() : range.parts());
            parts.put(part, of);
            return new Throughput(mean, median, min, max, Map.of(MEAN, Uncertainty.of(mean, parts)));
        }
    }

    /**
     * One of several kinds of request, over the whole run.
     *
     * @param calls that ended
     * @param throughput ok calls a second of the run
     * @param responseTime of the ok ones
     * @param measured the same over the measured part; {@code null}: that is the whole run
     */
    public record RequestSummary(
            @JsonProperty("calls") RequestCounts counts,
            @JsonProperty("throughput") RequestRate rate,
            @Nullable Statistics responseTime,
            @Nullable RequestSummary measured)
            implements PartCounts {

        /** Returns what is known of the calls of a kind: how many ended, their rate and their times; nothing else was counted. */
        @Override
        public CallStatistics numbers() {
            return new CallStatistics(
                    new CallCounts(
                            counts.total,
                            counts.total,
                            counts.total,
                            counts.ok,
                            counts.failed,
                            0,
                            0,
                            0,
                            Map.of(),
                            0,
                            counts.refused),
                    null,
                    new Throughput(rate.mean, null, null, null),
                    responseTime,
                    null,
                    null,
                    null);
        }
    }

    /**
     * Calls of a kind of request that ended.
     *
     * @param refused see {@link CallCounts}
     */
    public record RequestCounts(
            long total, long ok, long failed, @Nullable Long refused) {

        /** Makes those of calls none of which failed by the load generator's fault, as far as is known. */
        public RequestCounts(long total, long ok, long failed) {
            this(total, ok, failed, null);
        }
    }

    /** Ok calls a second of the run. */
    public record RequestRate(double mean) {}

    /**
     * A part of the run: the calls that ended in it.
     *
     * @param withLate the numbers with the calls that were due in it and ended after it: its counts are of those and these, its times of
     *     all that were due in it, its throughput is that of the part; {@code null}: there are none of them, or it is not the measured part
     */
    public record Window(
            double fromSeconds,
            double toSeconds,
            @Nullable Integer clients,
            @JsonUnwrapped CallStatistics numbers,
            @Nullable Confidence confidence,
            @Nullable SteadyPhase steady,
            @Nullable LittlesLaw littlesLaw,
            @Nullable CallStatistics withLate)
            implements PartCounts {

        /** By how much shares of failed calls may differ. */
        private static final double FAILED = 0.005;

        /** Makes a part of the run of which no more is said than what was counted. */
        public Window(double fromSeconds, double toSeconds, @Nullable Integer clients, CallStatistics numbers) {
            this(fromSeconds, toSeconds, clients, numbers, null, null, null, null);
        }

        /** Returns whether another share of its calls failed when those count too that ended after it. */
        public boolean failsLater() {
            return withLate != null && withLate.calls().failedShare() - calls().failedShare() > FAILED;
        }

        /** Returns the same with the calls that ended after it. */
        public Window with(@Nullable CallStatistics late) {
            return new Window(fromSeconds, toSeconds, clients, numbers, confidence, steady, littlesLaw, late);
        }

        /**
         * Returns whether it is another part of the run than a second one, or counts other calls. To compare all numbers of two
         * records takes the JVM a tenth of a second the first time.
         */
        public boolean differsFrom(@Nullable Window other) {
            return other == null
                    || fromSeconds != other.fromSeconds
                    || toSeconds != other.toSeconds
                    || !Objects.equals(clients, other.clients)
                    || calls().planned() != other.calls().planned()
                    || calls().sent() != other.calls().sent()
                    || calls().ok() != other.calls().ok()
                    || calls().failed() != other.calls().failed();
        }
    }

    /**
     * How evenly clients were served over the peak; closed load only.
     *
     * @param utilisationStddev population standard deviation of their shares of its ok calls
     * @param jain Jain's index of the shares
     * @param coefficientOfVariation of the shares
     * @param maxToMin greatest share over least; {@code null} where a client had none
     * @param p99ToP50 of the shares; {@code null} where half had none
     * @param confidence intervals over resampled clients
     * @param ranges how far off the first three numbers can be, by their names; {@code null}: nothing is known of that
     */
    public record Fairness(
            double utilisationStddev,
            double jain,
            int clients,
            @Nullable Double coefficientOfVariation,
            @Nullable Double maxToMin,
            @Nullable Double p99ToP50,
            @Nullable FairnessBounds confidence,
            @Nullable Map<String, Uncertainty> ranges) {

        private static final String UTILISATION = "utilisationStddev";
        private static final String JAIN = "jain";
        private static final String VARIATION = "coefficientOfVariation";

        /** Makes one of which no more is said. */
        public Fairness(double utilisationStddev, double jain, int clients) {
            this(utilisationStddev, jain, clients, null, null, null, null, null);
        }

        /**
         * Looks at the shares of clients.
         *
         * @return {@code null} where nobody had any
         */
        public static @Nullable Fairness of(double[] shares, long seed) {
            if (Arrays.stream(shares).noneMatch(share -> share > 0)) {
                return null;
            }
            FairnessStatistics of = FairnessStatistics.of(shares, seed);
            Bounds deviation = Bounds.of(of.deviationInterval());
            return new Fairness(
                    of.deviation(),
                    of.jain(),
                    shares.length,
                    of.variation(),
                    Double.isFinite(of.maxToMin()) ? of.maxToMin() : null,
                    Double.isFinite(of.p99ToP50()) ? of.p99ToP50() : null,
                    deviation == null
                            ? null
                            : new FairnessBounds(
                                    Interval.LEVEL,
                                    deviation,
                                    Bounds.of(of.jainInterval()),
                                    Bounds.of(of.variationInterval()),
                                    Bounds.of(of.p99ToP50Interval())),
                    null);
        }

        /**
         * Returns the same, with how far off it can be because each client had at least and at most so much: both without unit, as only
         * their ratios count.
         */
        public Fairness within(double[] least, double[] most) {
            Range variation = FairnessStatistics.variation(least, most);
            if (variation == null) {
                return this;
            }
            Map<String, Uncertainty> known = new TreeMap<>();
            known.put(
                    UTILISATION,
                    range(
                            utilisationStddev,
                            new Range(variation.low() / clients, variation.high() / clients),
                            confidence == null ? null : confidence.utilisationStddev()));
            known.put(
                    JAIN,
                    range(
                            jain,
                            new Range(
                                    FairnessStatistics.jain(variation.high()),
                                    FairnessStatistics.jain(variation.low())),
                            confidence == null ? null : confidence.jain()));
            if (coefficientOfVariation != null) {
                known.put(
                        VARIATION,
                        range(
                                coefficientOfVariation,
                                variation,
                                confidence == null ? null : confidence.coefficientOfVariation()));
            }
            return new Fairness(
                    utilisationStddev, jain, clients, coefficientOfVariation, maxToMin, p99ToP50, confidence, known);
        }

        private static Uncertainty range(double value, Range ofGenerator, @Nullable Bounds sampling) {
            Map<String, Range> parts = new TreeMap<>();
            parts.put(Uncertainty.INSTRUMENT, ofGenerator);
            if (sampling != null) {
                parts.put(Uncertainty.SAMPLING, new Range(sampling.low(), sampling.high()));
            }
            return Uncertainty.of(value, parts);
        }

        /** Returns how far off one of its numbers can be; {@code null}: nothing is known of that. */
        public @Nullable Uncertainty range(String name) {
            return ranges == null ? null : ranges.get(name);
        }
    }

    /** Intervals of fairness; {@code batches} are the clients. */
    public record FairnessBounds(
            double level,
            @Nullable Bounds utilisationStddev,
            @Nullable Bounds jain,
            @Nullable Bounds coefficientOfVariation,
            @Nullable Bounds p99ToP50) {}

    /**
     * How well the clocks are known.
     *
     * @param maxErrorBoundMicros the largest hard bound on the error of any tester's times
     * @param meanErrorBoundMicros mean over testers of their largest
     * @param sources testers whose clocks are known
     * @param expectedErrorMicros the largest expected error of a tester; does not see asymmetric paths
     * @param startSkewMicros by how much testers missed the common start
     * @param steps how often clocks were stepped or stood still
     */
    public record ClockSummary(
            double maxErrorBoundMicros,
            double meanErrorBoundMicros,
            int sources,
            @Nullable Double expectedErrorMicros,
            @Nullable StartSkew startSkewMicros,
            int steps) {}

    /** Largest and mean distance of the testers' starts from the common one, either way, microseconds. */
    public record StartSkew(double max, double mean) {}

    /** How evenly groups were served over the peak, by what a client of each had on average. */
    public record GroupFairness(double utilisationStddev, double jain, int groups) {}

    /**
     * One part of the run, such as a group, over the same times as the run's own numbers.
     *
     * @param clients of closed load
     * @param startSeconds when its load began, as planned
     * @param peakShare of the run's ok calls over its peak
     * @param fairness among its own clients
     */
    public record GroupSummary(
            @Nullable Integer testers,
            @Nullable Integer clients,
            @Nullable Double startSeconds,
            @JsonUnwrapped CallStatistics numbers,
            @Nullable Window measured,
            @Nullable Window peak,
            @Nullable Double peakShare,
            @Nullable Fairness fairness)
            implements PartCounts {}

    /**
     * One stage of several, or a level: its own calls, of a level those due from its settling on, and the throughput of that
     * part of the run.
     *
     * @param clients of closed load, at the end of the stage
     * @param rate of open load, at the end of the stage
     * @param fromClients at its begin, where that is another number
     * @param fromRate at its begin, where that is another one
     * @param level value that a level or a probe held
     * @param settledSeconds from when on the numbers of a level count; {@code null}: of the whole stage
     * @param settling how that was judged
     * @param verdict {@code valid}; {@code suspect}, and {@code warnings} say why; {@code failed}: no call succeeded
     * @param group whose stage it is; {@code null} where the run has no groups
     * @param confidence of stages with constant load, as the two others
     */
    public record StageSummary(
            int number,
            String model,
            @Nullable Integer clients,
            @Nullable Double rate,
            @Nullable Integer fromClients,
            @Nullable Double fromRate,
            @Nullable Double level,
            double fromSeconds,
            double toSeconds,
            @Nullable Double settledSeconds,
            @Nullable String settling,
            @JsonUnwrapped CallStatistics numbers,
            String verdict,
            @Nullable List<Warning> warnings,
            @Nullable String group,
            @Nullable Confidence confidence,
            @Nullable SteadyPhase steady,
            @Nullable LittlesLaw littlesLaw)
            implements PartCounts {}

    /**
     * The search for the highest value of the load that keeps a condition.
     *
     * @param of {@code rate} or {@code clients}
     * @param conditions all of which must hold
     * @param found highest value that held, of those at which the limit may lie; {@code null}: none
     * @param failedAt lowest value above it that did not hold; {@code null}: none
     * @param limit the interval in which the highest value lies that keeps the conditions, by the scatter of all probes, with a
     *     probability of 95 %; {@code null}: nothing was found, or nothing above it broke for sure
     * @param conclusion in a sentence
     */
    public record SearchSummary(
            String of,
            double from,
            double to,
            @JsonProperty("while") List<String> conditions,
            @Nullable Double found,
            @Nullable Double failedAt,
            @Nullable Range limit,
            String conclusion,
            List<ProbeSummary> probes) {}

    /**
     * One value that was tried, with the numbers of its stage.
     *
     * @param holds whether all conditions held; {@code null}: undecided
     * @param observed each condition with what was seen
     * @param decidedBy what spoke against it; empty: nothing did; {@code null}: not recorded
     * @param verdict as of the stage
     */
    public record ProbeSummary(
            int stage,
            double value,
            String purpose,
            @Nullable Boolean holds,
            String observed,
            @Nullable String decidedBy,
            @Nullable CallCounts calls,
            @Nullable Throughput throughput,
            @Nullable Statistics responseTime,
            @Nullable String verdict) {}

    /**
     * The knee over levels of clients, or over a ramp of them (then by the bend alone, without interval). Absent when not
     * reached: clients, interval, and whether the methods agree.
     *
     * @param reached whether there is a knee within the levels, or the ramp
     * @param clients at the knee
     * @param throughput beyond it, ok calls a second; when not reached the highest that was measured
     * @param low lower end of the interval of clients
     * @param high upper end of it
     * @param methodsAgree whether the bend of the curve and its asymptotes say the same
     * @param byBend clients at the knee by the bend alone; absent where the curve has none
     * @param byAsymptotes by the asymptotes alone, whether that lies within the levels or not
     * @param ranges how far off the clients at the knee can be, by their name
     */
    public record SaturationSummary(
            boolean reached,
            @Nullable Double clients,
            double throughput,
            @Nullable Double low,
            @Nullable Double high,
            @Nullable Boolean methodsAgree,
            @Nullable Double byBend,
            @Nullable Double byAsymptotes,
            @Nullable Map<String, Uncertainty> ranges) {

        /** Returns how far off the clients at the knee can be; {@code null}: nothing is known of that. */
        public @Nullable Uncertainty range() {
            return ranges == null ? null : ranges.get("clients");
        }
    }

    /**
     * A model of the service, fitted to the levels.
     *
     * @param name {@code closed-mva}, {@code universal-scalability} or {@code m-m-c}
     * @param parameters with their units in their names
     * @param heldOutErrorPercent mean error at levels that were left out of the fit
     * @param kneeLoad load from which on more brings no more throughput, as the model has it
     */
    public record ModelSummary(
            String name,
            Map<String, Double> parameters,
            HeldOutError heldOutErrorPercent,
            @Nullable Double kneeLoad) {}

    /** Errors of a model at levels that it was not shown, in percent. */
    public record HeldOutError(double throughput, double responseTime) {}

    /**
     * The service's own view.
     *
     * @param server by monitor, then by metric
     * @param serverLog by monitor: what the service's own log says, next to what the clients saw
     * @param demand by monitor: what a call and a client cost the service
     */
    public record ServerSummary(
            @Nullable Map<String, Map<String, ServerMetric>> server,
            @Nullable Map<String, ServerLog> serverLog,
            @Nullable Map<String, ServerDemand> demand) {}

    /**
     * What the service's own log says.
     *
     * @param requests that ended within the run
     * @param outcomes of these
     * @param throughput ok requests a second over {@code measured}
     * @param responseTime mean of ok requests over {@code measured}, ms
     * @param missing calls that the clients saw end, less the requests
     * @param throughputDifferencePercent mean over the whole quanta of {@code measured} of |server - client| / client
     * @param loadDifferencePercent the same of calls in flight
     * @param responseDifferenceMillis clients' mean response time less the service's
     * @param responseDifferencePercent the same in percent of the clients'
     */
    public record ServerLog(
            long requests,
            long ok,
            Map<String, Long> outcomes,
            long bytes,
            @Nullable Double throughput,
            @Nullable Double responseTime,
            long missing,
            @Nullable Double throughputDifferencePercent,
            @Nullable Double throughputWorstDifferencePercent,
            @Nullable Double loadDifferencePercent,
            @Nullable Double responseDifferenceMillis,
            @Nullable Double responseDifferencePercent) {}

    /** A value with its 95 % interval. */
    public record Estimate(double value, double low, double high) {}

    /**
     * What a call and a client cost the service.
     *
     * @param cpuMillisPerCall by the line of busy cores over throughput
     * @param cpuIdleCores busy without any call, by the same line
     * @param demandMillis D = U / X over {@code measured}: all that is busy, shared out among the calls
     * @param cores that there are
     * @param cpuFullAtPerSecond calls a second at which all of them would be busy
     * @param utilisationAtKneePercent of the cores, where levels have a knee
     * @param memoryBytesPerClient while load grew; in open load per call in flight
     * @param memoryBaseBytes without any, by the same line
     * @param levels the same at each level that was held, by its load
     */
    public record ServerDemand(
            @Nullable Estimate cpuMillisPerCall,
            @Nullable Double cpuIdleCores,
            @Nullable Estimate demandMillis,
            @Nullable Double cores,
            @Nullable Double cpuFullAtPerSecond,
            @Nullable Double utilisationAtKneePercent,
            @Nullable Estimate memoryBytesPerClient,
            @Nullable Double memoryBaseBytes,
            @Nullable List<LevelCost> levels) {}

    /**
     * What calls cost the service at one level of the load, from its settling on, over whole quanta.
     *
     * @param level clients, or calls offered a second
     * @param perSecond calls that ended, a second
     * @param busyCores mean
     * @param utilisationPercent of all cores
     * @param demandMillis D = U / X: processor time a call
     * @param demandInterval the same with its 95 % interval; absent with fewer than eight quanta
     * @param memoryBytes mean
     */
    public record LevelCost(
            double level,
            double perSecond,
            @Nullable Double busyCores,
            @Nullable Double utilisationPercent,
            @Nullable Double demandMillis,
            @Nullable Estimate demandInterval,
            @Nullable Double memoryBytes) {}

    /** A metric of a monitor over {@code measured}: time-weighted mean, least and largest sample. */
    public record ServerMetric(double mean, double min, double max, String unit) {}

    /**
     * Whether a threshold holds, and on what.
     *
     * @param holds whether it holds for sure
     * @param undecided {@code true}: it holds at one end of what a number can be and not at the other; else {@code null}
     * @param settle what would decide it; {@code null}: it is decided
     * @param late {@code true}: it would hold but for the calls that ended after the part that is measured, see {@link Window#withLate};
     *     else {@code null}
     */
    public record ThresholdResult(
            String expression,
            boolean holds,
            @Nullable Boolean undecided,
            String observed,
            @Nullable String settle,
            @Nullable Boolean late) {

        /** Makes one that is decided. */
        public ThresholdResult(String expression, boolean holds, String observed) {
            this(expression, holds, null, observed, null, null);
        }

        /** Makes one that is undecided. */
        public static ThresholdResult undecided(String expression, String observed, String settle) {
            return new ThresholdResult(expression, false, true, observed, settle, null);
        }

        /** Returns the same, found by the calls too that ended after the part that is measured. */
        public ThresholdResult later() {
            String seen = observed + " including the calls that were due in the measured part but ended after it";
            return new ThresholdResult(expression, holds, undecided, seen, settle, true);
        }

        /** Returns whether it holds without the calls that ended after the part that is measured, and not, or not for sure, with them. */
        public boolean breaksLater() {
            return Boolean.TRUE.equals(late);
        }

        /** Returns whether it does not hold, for sure. */
        public boolean fails() {
            return !holds && !open();
        }

        /** Returns whether it is undecided. */
        public boolean open() {
            return Boolean.TRUE.equals(undecided);
        }
    }

    /**
     * How sure a number is that is asked for: by a threshold, or else by everybody.
     *
     * @param number its name, as thresholds have it
     * @param unit as people write it; empty for plain numbers
     * @param low see {@link Uncertainty}
     * @param high likewise
     * @param state {@code valid}: what is asked of it can be answered; {@code limited}: it could be answered but for how few calls there
     *     were, or it may be off by more than a tenth; {@code unusable}: what the load generator or a clock may have added leaves it open
     */
    public record AskedNumber(String number, double value, String unit, double low, double high, String state) {

        public static final String VALID = "valid";
        public static final String LIMITED = "limited";
        public static final String UNUSABLE = "unusable";
    }

    /** How a property of testers' calls goes with their network; without the intervals where there are too few testers. */
    public record NetworkCorrelation(
            String of,
            String against,
            int testers,
            double spearman,
            @Nullable Double spearmanLow,
            @Nullable Double spearmanHigh,
            double pearson,
            @Nullable Double pearsonLow,
            @Nullable Double pearsonHigh) {}
}
