package org.diperf.analyzer.judge;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.stream.Stream;
import org.diperf.analyzer.count.ScopeTally;
import org.diperf.analyzer.count.Tally;
import org.diperf.analyzer.load.PlannedLoad;
import org.diperf.analyzer.result.CallStatistics;
import org.diperf.analyzer.result.Confidence;
import org.diperf.analyzer.result.LittlesLaw;
import org.diperf.analyzer.result.Series;
import org.diperf.analyzer.result.SteadyPhase;
import org.diperf.analyzer.result.Summary.StageSummary;
import org.diperf.analyzer.result.Summary.Throughput;
import org.diperf.analyzer.result.Summary.Window;
import org.diperf.analyzer.stats.Range;
import org.diperf.analyzer.stats.Statistic;
import org.diperf.analyzer.stats.Uncertainty;
import org.diperf.core.plan.ClosedLoad;
import org.diperf.core.plan.ThinkTime;
import org.diperf.core.run.RunRecord;
import org.diperf.core.run.Warning;
import org.diperf.core.run.Warning.Subject;
import org.diperf.core.spi.ClientTrait;
import org.jspecify.annotations.Nullable;

/** How far the numbers of parts of a run with constant load carry: intervals, steady state, and Little's law. */
public final class ValidityChecks {

    private static final double SECOND = 1e9;
    /** Of open load so many whole quanta are needed, or their edges say more than what is between. */
    private static final int MIN_QUANTA = 10;
    /** How many times as large a number may be at most, where nothing bounds it. */
    private static final double FARTHEST = 100;
    /** A warm-up that is no larger part of what was measured is not worth a warning. */
    private static final double SMALL = 0.1;

    private static final int MAX_LISTED = 5;

    private final RunRecord run;
    private final PlannedLoad offered;
    private final Series series;
    private final long duration;
    private final double clockSeconds;

    /**
     * @param series of the whole run
     * @param clockSeconds by how much at most a call's end may lie elsewhere
     */
    public ValidityChecks(RunRecord run, PlannedLoad offered, Series series, long duration, double clockSeconds) {
        this.clockSeconds = clockSeconds;
        this.run = run;
        this.offered = offered;
        this.series = series;
        this.duration = duration;
    }

    /** Returns a part of the run with what can be said of it. */
    public Window of(Window window, ScopeTally scope) {
        PlannedLoad.Part peak = offered.peak();
        long to = Math.min(duration, scope.to);
        boolean constant = peak != null && scope.from >= peak.from() && to <= Math.min(duration, peak.to());
        boolean steady = constant && scope.batches != null;
        Confidence confidence = scope.confidence();
        return new Window(
                window.fromSeconds(),
                window.toSeconds(),
                window.clients(),
                scope.certain(bounded(window.numbers(), scope, to), confidence),
                confidence,
                steady ? SteadyPhase.of(Objects.requireNonNull(scope.batches)) : null,
                constant ? littlesLaw(scope, to) : null,
                window.withLate());
    }

    /** Returns the numbers of a part of the run with what the load generator and the clocks may have made of its throughput. */
    public CallStatistics bounded(CallStatistics numbers, ScopeTally scope, long to) {
        Throughput throughput = numbers.throughput();
        double seconds = (to - scope.from) / SECOND;
        if (throughput == null || !(throughput.mean() > 0) || seconds <= 0) {
            return numbers;
        }
        return numbers.with(
                        Uncertainty.INSTRUMENT,
                        ofGenerator(throughput.mean(), numbers.calls().mayBeOk(), scope, to))
                .with(Uncertainty.CLOCK, ofClocks(throughput, seconds));
    }

    /**
     * Returns what the throughput would have been had the load generator failed no call and added nothing to any. Some that ended near
     * either end of the part belonged to the other side. Clients that wait for their answers would have made their next call so much
     * sooner, those too that still waited at its end; failed calls are taken for ok ones.
     *
     * @param refused calls that the load generator failed
     */
    private @Nullable Range ofGenerator(double perSecond, long refused, ScopeTally scope, long to) {
        double least = scope.response.lowMillis(Statistic.MEAN, scope.least);
        double clients = offered.isClosed() ? meanOf(series.of(Series.ACTIVE_CLIENTS), scope.from, to) : 0;
        double seconds = (to - scope.from) / SECOND;
        double low = perSecond;
        double high = perSecond + refused / seconds;
        if (!Double.isNaN(least)) {
            low = Math.max(0, perSecond - scope.brought() / seconds);
            high += scope.held() / seconds;
        }
        if (!Double.isNaN(least) && clients > 0) {
            long ended = scope.response.count() + scope.responseFailed.count();
            double waited = (scope.response.meanMillis() - least) / 1e3 * ended + scope.heldNanos() / SECOND;
            double all = clients * seconds;
            // What is left of a client's time may be nothing, or less next to open load; then the number is of no use,
            // however far it reaches.
            high = Math.max(high, perSecond * all / Math.max(all - waited, all / FARTHEST));
        }
        return low < high ? new Range(low, high) : null;
    }

    /** Calls that ended near either end of a part of the run may belong to it, or not. */
    private @Nullable Range ofClocks(Throughput throughput, double seconds) {
        if (!(clockSeconds > 0)) {
            return null;
        }
        Double most = throughput.max();
        double calls = 2 * clockSeconds * Math.max(throughput.mean(), most == null ? 0 : most);
        return new Range(Math.max(0, throughput.mean() - calls / seconds), throughput.mean() + calls / seconds);
    }

    /** Returns the mean of a series over a part of the run. */
    private double meanOf(double[] values, long from, long to) {
        double sum = 0;
        double weight = 0;
        for (int i = 0; i < values.length; i++) {
            double begin = Math.max(from / SECOND, i * series.quantumSeconds());
            double end = Math.min(to / SECOND, (i + 1) * series.quantumSeconds());
            if (end > begin && Double.isFinite(values[i])) {
                sum += values[i] * (end - begin);
                weight += end - begin;
            }
        }
        return weight > 0 ? sum / weight : Double.NaN;
    }

    /** Returns the steady state of a stage; {@code null} where its load was not constant. */
    public static @Nullable SteadyPhase steady(Tally tally, int number, boolean settled) {
        ScopeTally scope = tally.stages.of(number);
        var whole = tally.stages.whole(number);
        if (whole == null) {
            return null;
        }
        return settled ? SteadyPhase.of(whole, scope.from) : SteadyPhase.of(whole);
    }

    /** Checks a part of the run with constant load; {@code null} where it cannot be checked. */
    @Nullable
    public LittlesLaw littlesLaw(ScopeTally scope, long to) {
        boolean mixed = run.stages().stream()
                .anyMatch(stage -> !stage.model().equals(run.stages().get(0).model()));
        // A program that times its own calls says nothing of what it does between them.
        if (mixed || to <= scope.from || run.has(ClientTrait.TIMES_ITSELF)) {
            return null;
        }
        if (!offered.isClosed()) {
            return LittlesLawCheck.open(scope, to, inFlight(scope.from, to), series.quantumSeconds());
        }
        // It is not recorded how many calls such clients made at once.
        if (run.has(ClientTrait.MAKES_CALLS_AT_ONCE)) {
            return null;
        }
        // Clients of journeys think after a journey, and where its steps say, not after each call.
        ThinkTime think = run.groups().isEmpty() ? think(scope.from, to) : null;
        return think == null ? null : LittlesLawCheck.closed(scope, to, clients(scope.from, to), think);
    }

    private double inFlight(long from, long to) {
        int first = (int) Math.ceil(from / SECOND / series.quantumSeconds() - 1e-9);
        int end = (int) Math.min(series.size(), Math.floor(to / SECOND / series.quantumSeconds() + 1e-9));
        double sum = 0;
        for (int i = first; i < end; i++) {
            sum += series.of(Series.IN_FLIGHT)[i];
        }
        return end - first < MIN_QUANTA ? Double.NaN : sum / (end - first);
    }

    /** Counts the clients that were active all through a part of the run; 0 where others came or went. */
    private int clients(long from, long to) {
        int all = 0;
        for (int client = 0; client < offered.clients(); client++) {
            if (offered.isActive(client, from, to)) {
                all++;
            } else {
                long[] spans = offered.spans(client);
                for (int i = 0; i < spans.length; i += 2) {
                    if (spans[i] < to && spans[i + 1] > from) {
                        return 0;
                    }
                }
            }
        }
        return all;
    }

    /** Returns the think time over a part of the run; {@code null} where it is not one and the same. */
    private @Nullable ThinkTime think(long from, long to) {
        List<ThinkTime> thinks = offered.stages().stream()
                .filter(stage -> stage.start() < to && stage.end() > from)
                .map(stage -> stage.record().closed())
                .flatMap(Stream::ofNullable)
                .map(ClosedLoad::think)
                .distinct()
                .toList();
        return thinks.size() == 1 ? thinks.get(0) : null;
    }

    /** Lists what does not hold; none of it changes the verdict. */
    public static List<Warning> warnings(Window measured, @Nullable Window peak, List<StageSummary> stages) {
        List<Warning> warnings = new ArrayList<>();
        steady(measured, warnings);
        littlesLaw("the measured part", measured.littlesLaw(), warnings);
        if (peak != null && peak.differsFrom(measured)) {
            littlesLaw("the peak", peak.littlesLaw(), warnings);
        }
        for (StageSummary stage : stages) {
            if (warnings.size() < MAX_LISTED) {
                littlesLaw(name(stage), stage.littlesLaw(), warnings);
            }
        }
        List<String> drifting = stages.stream()
                .filter(stage -> stage.level() != null && Boolean.FALSE.equals(agrees(stage)))
                .map(ValidityChecks::name)
                .toList();
        if (!drifting.isEmpty()) {
            warnings.add(note((drifting.size() <= MAX_LISTED
                            ? String.join(", ", drifting)
                            : String.join(", ", drifting.subList(0, MAX_LISTED)) + " and "
                                    + (drifting.size() - MAX_LISTED) + " more")
                    + ": considered settled during the run, but by the whole level not yet steady at that point, where the "
                    + "numbers start"));
        }
        return warnings;
    }

    private static @Nullable Boolean agrees(StageSummary stage) {
        SteadyPhase steady = stage.steady();
        return steady == null ? null : steady.agrees();
    }

    private static String name(StageSummary stage) {
        Double level = stage.level();
        return level == null
                ? "stage " + (stage.number() + 1)
                : "level " + String.format(Locale.ROOT, "%.6g", level).replaceFirst("\\.?0+$", "");
    }

    private static void steady(Window measured, List<Warning> warnings) {
        SteadyPhase steady = measured.steady();
        if (steady == null) {
            return;
        }
        Double from = steady.fromSeconds();
        double length = measured.toSeconds() - measured.fromSeconds();
        if (steady.isNone()) {
            warnings.add(note(
                    "response times or throughput still changed in the second half of the measured part: its averages"
                            + " say little of what comes after; run longer"));
        } else if (from != null && from - measured.fromSeconds() > SMALL * length) {
            warnings.add(note(String.format(
                    Locale.ROOT,
                    "the measured part was steady only from %.1f s on, but starts at %.1f s: exclude the warm-up with "
                            + "measure.skip or --window",
                    from,
                    measured.fromSeconds())));
        }
    }

    private static void littlesLaw(String what, @Nullable LittlesLaw law, List<Warning> warnings) {
        if (law != null && !law.holds()) {
            warnings.add(Warning.note(
                    Subject.SAMPLES,
                    "Little's law does not hold for " + what + ", which indicates a measurement fault: "
                            + LittlesLawCheck.words(law)));
        }
    }

    private static Warning note(String text) {
        return Warning.note(Subject.LOAD, text);
    }
}
