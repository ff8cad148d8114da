package org.diperf.controller.page;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.diperf.analyzer.live.RunSeries;
import org.diperf.controller.progress.LivePicture;
import org.diperf.controller.progress.LivePicture.Standing;
import org.diperf.controller.progress.LivePicture.TesterNow;
import org.diperf.controller.progress.LivePicture.ThresholdNow;
import org.diperf.controller.progress.LiveStatus;
import org.diperf.core.experiment.Experiment;
import org.diperf.core.sample.Outcome;

/**
 * Writes a look at a run in Prometheus' text format, version 0.0.4
 * (https://prometheus.io/docs/instrumenting/exposition_formats/). Counts only grow; times are in seconds. Labels are bounded: 64
 * testers, 20 kinds of request, 20 causes of failure, others together.
 */
final class MetricsText {

    static final String TYPE = "text/plain; version=0.0.4; charset=utf-8";

    private static final int MOST_CAUSES = 20;
    private static final int MOST_TESTERS = 64;
    private static final int MOST_THRESHOLDS = 50;
    private static final int LONGEST_VALUE = 200;

    private final StringBuilder out = new StringBuilder(1 << 14);

    private MetricsText() {}

    static String of(Experiment experiment, LivePicture picture, boolean isOver) {
        MetricsText text = new MetricsText();
        text.run(experiment, picture, isOver);
        RunSeries.Look series = picture.series();
        if (series != null) {
            text.calls(series);
        }
        text.testers(picture);
        text.thresholds(picture.thresholds());
        return text.out.toString();
    }

    private void family(String name, String type, String help) {
        out.append("# HELP ").append(name).append(' ').append(help).append('\n');
        out.append("# TYPE ").append(name).append(' ').append(type).append('\n');
    }

    /** @param labels name, value, name, value */
    private void sample(String name, double value, String... labels) {
        out.append(name);
        for (int i = 0; i < labels.length; i += 2) {
            out.append(i == 0 ? '{' : ',').append(labels[i]).append("=\"");
            escape(labels[i + 1]);
            out.append('"').append(i + 2 == labels.length ? "}" : "");
        }
        out.append(' ').append(number(value)).append('\n');
    }

    private void escape(String value) {
        value.codePoints().limit(LONGEST_VALUE).forEach(c -> {
            switch (c) {
                case '\\' -> out.append("\\\\");
                case '"' -> out.append("\\\"");
                case '\n' -> out.append("\\n");
                default -> out.appendCodePoint(c);
            }
        });
    }

    private static String number(double value) {
        return Double.isNaN(value)
                ? "NaN"
                : value == Math.rint(value) && Math.abs(value) < 1e15
                        ? String.valueOf((long) value)
                        : String.valueOf(value);
    }

    private void run(Experiment experiment, LivePicture picture, boolean isOver) {
        family("diperf_run_info", "gauge", "The run that these numbers are of.");
        sample("diperf_run_info", 1, "experiment", experiment.name(), "seed", String.valueOf(experiment.seed()));
        family("diperf_run_over", "gauge", "1 when all that the run measured is counted, 0 before.");
        sample("diperf_run_over", isOver ? 1 : 0);
        LiveStatus status = picture.status();
        if (status != null) {
            family("diperf_run_elapsed_seconds", "gauge", "Time since the start of the load.");
            sample("diperf_run_elapsed_seconds", status.elapsedSeconds());
            family("diperf_samples_seen_ratio", "gauge", "Share of the samples that these numbers are made from.");
            sample("diperf_samples_seen_ratio", status.seenShare());
        }
        family("diperf_numbers_suspect", "gauge", "1 where something speaks against the numbers so far, 0 otherwise.");
        sample("diperf_numbers_suspect", picture.doubts().isEmpty() ? 0 : 1);
    }

    private void calls(RunSeries.Look series) {
        family("diperf_calls_total", "counter", "Calls that ended, by whether they succeeded.");
        for (RunSeries.BucketLook cell : series.buckets()) {
            sample("diperf_calls_total", cell.ok(), "tester", cell.tester(), "request", cell.request(), "result", "ok");
            sample(
                    "diperf_calls_total",
                    cell.failed(),
                    "tester",
                    cell.tester(),
                    "request",
                    cell.request(),
                    "result",
                    "failed");
        }
        family("diperf_response_time_seconds", "histogram", "Response times of ok calls, from the intended start.");
        for (RunSeries.BucketLook cell : series.buckets()) {
            long sum = 0;
            for (int i = 0; i < cell.counts().length; i++) {
                sum += cell.counts()[i];
                sample(
                        "diperf_response_time_seconds_bucket",
                        sum,
                        "tester",
                        cell.tester(),
                        "request",
                        cell.request(),
                        "le",
                        i < RunSeries.bucketLimits().size()
                                ? String.valueOf(RunSeries.bucketLimits().get(i))
                                : "+Inf");
            }
            sample(
                    "diperf_response_time_seconds_sum",
                    cell.seconds(),
                    "tester",
                    cell.tester(),
                    "request",
                    cell.request());
            sample("diperf_response_time_seconds_count", sum, "tester", cell.tester(), "request", cell.request());
        }
        family("diperf_failures_total", "counter", "Failed calls by cause.");
        List<RunSeries.CauseLook> causes = series.causes();
        causes.stream()
                .limit(MOST_CAUSES)
                .forEach(
                        cause -> sample("diperf_failures_total", cause.count(), "cause", Outcome.cause(cause.cause())));
        if (causes.size() > MOST_CAUSES) {
            sample(
                    "diperf_failures_total",
                    causes.stream()
                            .skip(MOST_CAUSES)
                            .mapToLong(RunSeries.CauseLook::count)
                            .sum(),
                    "cause",
                    "others");
        }
        family("diperf_arrivals_dropped_total", "counter", "Calls due in open load that were never sent.");
        sample("diperf_arrivals_dropped_total", series.numbers().calls().dropped());
    }

    private void testers(LivePicture picture) {
        List<TesterNow> testers = picture.testers().stream().limit(MOST_TESTERS).toList();
        family("diperf_testers", "gauge", "Testers by state.");
        Map<String, Long> states =
                picture.testers().stream().collect(Collectors.groupingBy(TesterNow::state, Collectors.counting()));
        states.forEach((state, count) -> sample("diperf_testers", count, "state", state));
        family("diperf_active_clients", "gauge", "Clients between their first call and their end.");
        testers.forEach(each -> sample("diperf_active_clients", each.activeClients(), tester(each)));
        family("diperf_calls_in_flight", "gauge", "Calls under way.");
        testers.forEach(each -> sample("diperf_calls_in_flight", each.inFlight(), tester(each)));
        family("diperf_clock_error_seconds", "gauge", "How far off a tester's clock may be.");
        testers.stream()
                .filter(each -> Double.isFinite(each.clockErrorMs()))
                .forEach(each -> sample("diperf_clock_error_seconds", each.clockErrorMs() / 1e3, tester(each)));
        RunSeries.Look series = picture.series();
        if (series == null) {
            return;
        }
        List<RunSeries.TesterLook> looks =
                series.testers().stream().limit(MOST_TESTERS).toList();
        family(
                "diperf_send_lag_p99_seconds",
                "gauge",
                "99th percentile of how late calls of the last seconds were sent.");
        looks.stream()
                .filter(each -> Double.isFinite(each.lagP99Ms()))
                .forEach(each -> sample(
                        "diperf_send_lag_p99_seconds", each.lagP99Ms() / 1e3, "tester", String.valueOf(each.tester())));
        family("diperf_tester_cpu_processors", "gauge", "Processors that a tester used in its last second.");
        looks.stream()
                .filter(each -> Double.isFinite(each.cpu()))
                .forEach(each ->
                        sample("diperf_tester_cpu_processors", each.cpu(), "tester", String.valueOf(each.tester())));
    }

    private static String[] tester(TesterNow each) {
        return new String[] {"tester", String.valueOf(each.tester())};
    }

    private void thresholds(List<ThresholdNow> thresholds) {
        family("diperf_threshold_holds", "gauge", "1 where a threshold holds so far over all calls, 0 where it fails.");
        thresholds.stream()
                .filter(each -> each.standing() == Standing.HOLDS || each.standing() == Standing.FAILS)
                .limit(MOST_THRESHOLDS)
                .forEach(each -> sample(
                        "diperf_threshold_holds", each.standing() == Standing.HOLDS ? 1 : 0, "threshold", each.that()));
    }
}
