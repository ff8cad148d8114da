package org.diperf.controller.page;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;
import java.util.function.ToIntFunction;
import java.util.stream.Collectors;
import org.diperf.analyzer.live.RunSeries;
import org.diperf.controller.progress.LiveSnapshot;
import org.diperf.controller.progress.LiveSnapshot.Standing;
import org.diperf.controller.progress.LiveSnapshot.TesterNow;
import org.diperf.controller.progress.LiveSnapshot.ThresholdNow;
import org.diperf.controller.progress.LiveStatus;
import org.diperf.core.experiment.Experiment;
import org.diperf.core.sample.Outcome;
import org.diperf.core.spi.SeriesFamily;
import org.diperf.core.spi.SeriesFamily.Builder;
import org.diperf.core.spi.SeriesFamily.Histogram;
import org.diperf.core.spi.SeriesFamily.Kind;

/**
 * The series of a run, as outputs send them. Labels are bounded: 64 testers, 20 kinds of request, 20 causes of failure, others
 * together.
 */
public final class RunSeriesFamilies {

    private static final int MAX_CAUSES = 20;
    private static final int MAX_TESTERS = 64;
    private static final int MAX_THRESHOLDS = 50;

    private final List<SeriesFamily> families = new ArrayList<>();

    private RunSeriesFamilies() {}

    /**
     * Lists them.
     *
     * @param isOver whether all that the run measured is counted
     */
    public static List<SeriesFamily> of(Experiment experiment, LiveSnapshot picture, boolean isOver) {
        RunSeriesFamilies all = new RunSeriesFamilies();
        all.run(experiment, picture, isOver);
        RunSeries.Look series = picture.series();
        if (series != null) {
            all.calls(series);
        }
        all.testers(picture);
        all.thresholds(picture.thresholds());
        return all.families;
    }

    private static Builder gauge(String name, String help) {
        return new Builder(name, Kind.GAUGE, help);
    }

    private static Builder counter(String name, String help) {
        return new Builder(name, Kind.COUNTER, help);
    }

    private void add(Builder family) {
        families.add(family.build());
    }

    private void run(Experiment experiment, LiveSnapshot picture, boolean isOver) {
        add(gauge("diperf_run_info", "The run that these metrics belong to.")
                .add(1, "experiment", experiment.name(), "seed", String.valueOf(experiment.seed())));
        add(gauge("diperf_run_over", "1 once everything that the run measured is counted, 0 before.")
                .add(isOver ? 1 : 0));
        LiveStatus status = picture.status();
        if (status != null) {
            add(gauge("diperf_run_elapsed_seconds", "Time since the start of the load.")
                    .add(status.elapsedSeconds()));
            add(gauge("diperf_samples_seen_ratio", "Share of the samples that these metrics are based on.")
                    .add(status.seenShare()));
        }
        add(gauge("diperf_numbers_suspect", "1 if the numbers so far are suspect, 0 otherwise.")
                .add(picture.doubts().isEmpty() ? 0 : 1));
    }

    private void calls(RunSeries.Look series) {
        Builder calls = counter("diperf_calls_total", "Completed calls by result.");
        Builder times = new Builder(
                "diperf_response_time_seconds",
                Kind.HISTOGRAM,
                "Response times of ok calls, measured from the intended start.");
        for (RunSeries.BucketLook cell : series.buckets()) {
            calls.add(cell.ok(), "tester", cell.tester(), "request", cell.request(), "result", "ok");
            calls.add(cell.failed(), "tester", cell.tester(), "request", cell.request(), "result", "failed");
            times.add(histogram(cell), cell.seconds(), "tester", cell.tester(), "request", cell.request());
        }
        add(calls);
        add(times);
        Builder failures = counter("diperf_failures_total", "Failed calls by cause.");
        List<RunSeries.CauseLook> causes = series.causes();
        causes.stream()
                .limit(MAX_CAUSES)
                .forEach(cause -> failures.add(cause.count(), "cause", Outcome.cause(cause.cause())));
        if (causes.size() > MAX_CAUSES) {
            failures.add(
                    causes.stream()
                            .skip(MAX_CAUSES)
                            .mapToLong(RunSeries.CauseLook::count)
                            .sum(),
                    "cause",
                    "others");
        }
        add(failures);
        add(counter("diperf_arrivals_dropped_total", "Calls that were due in open load but never sent.")
                .add(series.numbers().calls().dropped()));
    }

    private static Histogram histogram(RunSeries.BucketLook cell) {
        return new Histogram(
                RunSeries.bucketLimits(),
                Arrays.stream(cell.counts()).boxed().toList(),
                RunSeries.firstFineBucket(),
                Arrays.stream(cell.fine()).boxed().toList());
    }

    private void testers(LiveSnapshot picture) {
        List<TesterNow> testers = picture.testers().stream().limit(MAX_TESTERS).toList();
        Builder states = gauge("diperf_testers", "Testers by state.");
        Map<String, Long> byState = picture.testers().stream()
                .collect(Collectors.groupingBy(TesterNow::state, TreeMap::new, Collectors.counting()));
        byState.forEach((state, count) -> states.add(count, "state", state));
        add(states);
        perTester(
                "diperf_active_clients",
                "Clients that have made their first call and are not finished.",
                testers,
                TesterNow::tester,
                TesterNow::activeClients);
        perTester("diperf_calls_in_flight", "Calls in flight.", testers, TesterNow::tester, TesterNow::inFlight);
        perTester(
                "diperf_clock_error_seconds",
                "Upper bound on a tester's clock error.",
                testers,
                TesterNow::tester,
                each -> each.clockErrorMs() / 1e3);
        RunSeries.Look series = picture.series();
        if (series == null) {
            return;
        }
        List<RunSeries.TesterLook> looks =
                series.testers().stream().limit(MAX_TESTERS).toList();
        perTester(
                "diperf_send_lag_p99_seconds",
                "99th percentile of the send lag of recent calls.",
                looks,
                RunSeries.TesterLook::tester,
                each -> each.lagP99Ms() / 1e3);
        perTester(
                "diperf_tester_cpu_processors",
                "Processors used by a tester in the last second.",
                looks,
                RunSeries.TesterLook::tester,
                RunSeries.TesterLook::cpu);
    }

    /** Adds a gauge with a series for each tester whose value is known. */
    private <T> void perTester(
            String name, String help, List<T> testers, ToIntFunction<T> number, ToDoubleFunction<T> value) {
        Builder family = gauge(name, help);
        for (T each : testers) {
            double of = value.applyAsDouble(each);
            if (Double.isFinite(of)) {
                family.add(of, "tester", String.valueOf(number.applyAsInt(each)));
            }
        }
        add(family);
    }

    private void thresholds(List<ThresholdNow> thresholds) {
        Builder holds = gauge("diperf_threshold_holds", "1 if a threshold holds over all calls so far, 0 if it fails.");
        thresholds.stream()
                .filter(each -> each.standing() == Standing.HOLDS || each.standing() == Standing.FAILS)
                .limit(MAX_THRESHOLDS)
                .forEach(each -> holds.add(each.standing() == Standing.HOLDS ? 1 : 0, "threshold", each.that()));
        add(holds);
    }
}
