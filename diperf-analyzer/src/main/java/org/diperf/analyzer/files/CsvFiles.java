package org.diperf.analyzer.files;

import java.io.IOException;
import java.io.Writer;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.diperf.analyzer.load.Shares;
import org.diperf.analyzer.result.Analysis;
import org.diperf.analyzer.result.Breakdown;
import org.diperf.analyzer.result.ClientRow;
import org.diperf.analyzer.result.Clocks;
import org.diperf.analyzer.result.Confidence;
import org.diperf.analyzer.result.MetricRow;
import org.diperf.analyzer.result.NetworkImpact;
import org.diperf.analyzer.result.RequestRow;
import org.diperf.analyzer.result.Series;
import org.diperf.analyzer.result.Steady;
import org.diperf.analyzer.result.Summary.CallCounts;
import org.diperf.analyzer.result.Summary.GroupSummary;
import org.diperf.analyzer.result.Summary.StageSummary;
import org.diperf.analyzer.result.Summary.Throughput;
import org.diperf.analyzer.result.Summary.Times;
import org.diperf.analyzer.result.Summary.Window;
import org.diperf.analyzer.result.TesterPlace;
import org.diperf.analyzer.result.TesterRow;
import org.diperf.analyzer.server.MonitoredMetric;
import org.diperf.analyzer.server.ServerView;
import org.diperf.core.clock.ClockEvent;
import org.jspecify.annotations.Nullable;

/** Writes the CSV files of a run (RFC 4180, with line feeds); what was not measured is empty. */
public final class CsvFiles {

    private CsvFiles() {}

    public static void write(Analysis analysis, Path folder) throws IOException {
        series(analysis, folder.resolve("series.csv"));
        clients(analysis, folder.resolve("clients.csv"));
        requests(analysis.requests(), folder.resolve("requests.csv"));
        testers(analysis, folder.resolve("testers.csv"));
        List<StageSummary> stages = analysis.summary().stages();
        if (stages != null) {
            stages(stages, folder.resolve("stages.csv"));
        }
        if (analysis.details().network().testers().stream().anyMatch(row -> row.trailSeconds().length > 0)) {
            network(analysis.details().network(), folder.resolve("network.csv"));
        }
        Breakdown breakdown = analysis.breakdown();
        if (breakdown != null) {
            groups(breakdown, folder.resolve("groups.csv"));
            groupSeries(breakdown, folder.resolve("groups-series.csv"));
        }
    }

    /** Round trips to the target, one row a tester and span of time. */
    private static void network(NetworkImpact network, Path file) throws IOException {
        try (Writer out = Files.newBufferedWriter(file, StandardCharsets.UTF_8)) {
            out.write("tester,host,node,time_s,latency_mean_ms\n");
            for (NetworkImpact.Row row : network.testers()) {
                for (int i = 0; i < row.trailSeconds().length; i++) {
                    line(out, row.tester(), row.host(), row.node(), row.trailSeconds()[i], row.trailMillis()[i]);
                }
            }
        }
    }

    private static void groups(Breakdown breakdown, Path file) throws IOException {
        try (Writer out = Files.newBufferedWriter(file, StandardCharsets.UTF_8)) {
            out.write(text(breakdown.by())
                    + ",testers,clients,start_s,planned,sent,ok,failed,timed_out,dropped,unfinished,bytes,share,"
                    + "throughput_per_s,response_mean_ms,response_p50_ms,response_p90_ms,response_p99_ms,"
                    + "response_p999_ms,response_max_ms,service_p50_ms,service_p99_ms,lag_p50_ms,lag_p99_ms,peak_ok,"
                    + "peak_share,peak_throughput_per_s,peak_response_p50_ms,peak_response_p99_ms,fairness_jain,"
                    + "utilisation_stddev\n");
            for (Breakdown.Part part : breakdown.parts()) {
                GroupSummary group = part.summary();
                CallCounts calls = group.calls();
                Times response = group.responseTime();
                Times service = group.serviceTime();
                Times lag = group.sendLag();
                Window peak = group.peak();
                Times atPeak = peak == null ? null : peak.responseTime();
                Throughput peakRate = peak == null ? null : peak.throughput();
                line(
                        out,
                        part.name(),
                        or(group.testers()),
                        or(group.clients()),
                        or(group.startSeconds()),
                        calls.planned(),
                        calls.sent(),
                        calls.ok(),
                        calls.failed(),
                        calls.timedOut(),
                        calls.dropped(),
                        calls.unfinished(),
                        calls.bytes(),
                        or(group.share()),
                        group.throughput() == null
                                ? ""
                                : (Object) group.throughput().mean(),
                        response == null ? "" : (Object) response.mean(),
                        response == null ? "" : (Object) response.p50(),
                        response == null ? "" : (Object) response.p90(),
                        response == null ? "" : (Object) response.p99(),
                        response == null ? "" : (Object) response.p999(),
                        response == null ? "" : (Object) response.max(),
                        service == null ? "" : (Object) service.p50(),
                        service == null ? "" : (Object) service.p99(),
                        lag == null ? "" : (Object) lag.p50(),
                        lag == null ? "" : (Object) lag.p99(),
                        peak == null ? "" : (Object) peak.calls().ok(),
                        or(group.peakShare()),
                        peakRate == null ? "" : (Object) peakRate.mean(),
                        atPeak == null ? "" : (Object) atPeak.p50(),
                        atPeak == null ? "" : (Object) atPeak.p99(),
                        group.fairness() == null
                                ? ""
                                : (Object) group.fairness().jain(),
                        group.fairness() == null
                                ? ""
                                : (Object) group.fairness().utilisationStddev());
            }
        }
    }

    private static void groupSeries(Breakdown breakdown, Path file) throws IOException {
        try (Writer out = Files.newBufferedWriter(file, StandardCharsets.UTF_8)) {
            out.write(text(breakdown.by())
                    + ",time_s,activeClients,inFlight,throughput_per_s,response_mean_ms,response_p50_ms,response_p99_ms,"
                    + "response_max_ms,failed_per_s,dropped_per_s\n");
            for (Breakdown.Part part : breakdown.parts()) {
                Series series = part.series();
                for (int i = 0; i < series.size(); i++) {
                    line(
                            out,
                            part.name(),
                            i * series.quantumSeconds(),
                            series.activeClients()[i],
                            series.inFlight()[i],
                            series.throughput()[i],
                            series.responseMean()[i],
                            series.responseP50()[i],
                            series.responseP99()[i],
                            series.responseMax()[i],
                            series.failed()[i],
                            series.dropped()[i]);
                }
            }
        }
    }

    private static void stages(List<StageSummary> stages, Path file) throws IOException {
        try (Writer out = Files.newBufferedWriter(file, StandardCharsets.UTF_8)) {
            out.write(
                    "stage,model,level,clients,rate_per_s,from_s,to_s,settled_s,planned,sent,ok,failed,timed_out,dropped,"
                            + "unfinished,bytes,throughput_per_s,response_mean_ms,response_p50_ms,response_p90_ms,"
                            + "response_p99_ms,response_p999_ms,response_max_ms,service_p50_ms,service_p99_ms,lag_p50_ms,"
                            + "lag_p99_ms,verdict,throughput_low_per_s,throughput_high_per_s,response_mean_low_ms,"
                            + "response_mean_high_ms,response_p50_low_ms,response_p50_high_ms,response_p99_low_ms,"
                            + "response_p99_high_ms,steady,steady_from_s,littles_law_percent\n");
            for (StageSummary stage : stages) {
                CallCounts calls = stage.calls();
                Times response = stage.responseTime();
                Times service = stage.serviceTime();
                Times lag = stage.sendLag();
                Confidence confidence = stage.confidence();
                Confidence.TimeBounds bounds = confidence == null ? null : confidence.responseTime();
                Steady steady = stage.steady();
                line(
                        out,
                        stage.number(),
                        stage.model(),
                        or(stage.level()),
                        or(stage.clients()),
                        or(stage.rate()),
                        stage.fromSeconds(),
                        stage.toSeconds(),
                        or(stage.settledSeconds()),
                        calls.planned(),
                        calls.sent(),
                        calls.ok(),
                        calls.failed(),
                        calls.timedOut(),
                        calls.dropped(),
                        calls.unfinished(),
                        calls.bytes(),
                        stage.throughput() == null
                                ? ""
                                : (Object) stage.throughput().mean(),
                        response == null ? "" : (Object) response.mean(),
                        response == null ? "" : (Object) response.p50(),
                        response == null ? "" : (Object) response.p90(),
                        response == null ? "" : (Object) response.p99(),
                        response == null ? "" : (Object) response.p999(),
                        response == null ? "" : (Object) response.max(),
                        service == null ? "" : (Object) service.p50(),
                        service == null ? "" : (Object) service.p99(),
                        lag == null ? "" : (Object) lag.p50(),
                        lag == null ? "" : (Object) lag.p99(),
                        stage.verdict(),
                        low(confidence == null ? null : confidence.throughput()),
                        high(confidence == null ? null : confidence.throughput()),
                        low(bounds == null ? null : bounds.mean()),
                        high(bounds == null ? null : bounds.mean()),
                        low(bounds == null ? null : bounds.p50()),
                        high(bounds == null ? null : bounds.p50()),
                        low(bounds == null ? null : bounds.p99()),
                        high(bounds == null ? null : bounds.p99()),
                        steady == null ? "" : steady.state(),
                        or(steady == null ? null : steady.fromSeconds()),
                        stage.littlesLaw() == null
                                ? ""
                                : (Object) stage.littlesLaw().differencePercent());
            }
        }
    }

    private static Object low(Confidence.@Nullable Bounds bounds) {
        return bounds == null ? "" : (Object) bounds.low();
    }

    private static Object high(Confidence.@Nullable Bounds bounds) {
        return bounds == null ? "" : (Object) bounds.high();
    }

    private static Object or(@Nullable Object value) {
        return value == null ? "" : value;
    }

    private static void series(Analysis analysis, Path file) throws IOException {
        Series series = analysis.series();
        ServerView server = analysis.server();
        List<MetricRow> metrics = analysis.details().metrics();
        try (Writer out = Files.newBufferedWriter(file, StandardCharsets.UTF_8)) {
            out.write("time_s,activeClients,inFlight,throughput_per_s,response_mean_ms,response_p50_ms,response_p99_ms,"
                    + "response_max_ms,failed_per_s,dropped_per_s,lag_p99_ms,network_ms,bytes_per_s");
            for (MonitoredMetric track : server.tracks()) {
                out.write("," + text(track.column()));
            }
            for (MetricRow metric : metrics) {
                out.write("," + text(metric.column()));
            }
            out.write('\n');
            for (int i = 0; i < series.size(); i++) {
                List<Object> row = new ArrayList<>(List.of(
                        i * series.quantumSeconds(),
                        series.activeClients()[i],
                        series.inFlight()[i],
                        series.throughput()[i],
                        series.responseMean()[i],
                        series.responseP50()[i],
                        series.responseP99()[i],
                        series.responseMax()[i],
                        series.failed()[i],
                        series.dropped()[i],
                        series.lagP99()[i],
                        series.networkMs()[i],
                        series.bytes()[i]));
                for (MonitoredMetric track : server.tracks()) {
                    row.add(track.values()[i]);
                }
                for (MetricRow metric : metrics) {
                    row.add(metric.values()[i]);
                }
                line(out, row.toArray());
            }
        }
    }

    private static void clients(Analysis analysis, Path file) throws IOException {
        Shares shares = Shares.of(analysis.run());
        String all = analysis.summary().labels().entrySet().stream()
                .map(label -> label.getKey() + "=" + label.getValue())
                .collect(Collectors.joining(";"));
        try (Writer out = Files.newBufferedWriter(file, StandardCharsets.UTF_8)) {
            out.write(
                    "client,tester,host,group,labels,from_s,to_s,calls,ok,failed,bytes,response_mean_ms,response_p50_ms,"
                            + "response_p99_ms,utilisation,peak_utilisation,success_rate,fail_rate\n");
            for (ClientRow row : analysis.clients()) {
                line(
                        out,
                        row.client(),
                        row.tester(),
                        row.host(),
                        or(shares.record(shares.ofSlot(shares.slotOf(row.client())))
                                .group()),
                        all,
                        row.fromSeconds(),
                        row.toSeconds(),
                        row.calls(),
                        row.ok(),
                        row.failed(),
                        row.bytes(),
                        row.mean(),
                        row.p50(),
                        row.p99(),
                        row.utilisation(),
                        row.peakUtilisation(),
                        share(row.ok(), row.calls()),
                        share(row.failed(), row.calls()));
            }
        }
    }

    private static double share(long part, long of) {
        return of == 0 ? Double.NaN : (double) part / of;
    }

    private static void requests(List<RequestRow> rows, Path file) throws IOException {
        try (Writer out = Files.newBufferedWriter(file, StandardCharsets.UTF_8)) {
            out.write("request,calls,ok,failed,throughput_per_s,response_mean_ms,response_p50_ms,response_p95_ms,"
                    + "response_p99_ms,response_p999_ms,response_max_ms\n");
            for (RequestRow row : rows) {
                line(
                        out,
                        row.name(),
                        row.calls(),
                        row.ok(),
                        row.failed(),
                        row.perSecond(),
                        row.mean(),
                        row.p50(),
                        row.p95(),
                        row.p99(),
                        row.p999(),
                        row.max());
            }
        }
    }

    private static void testers(Analysis analysis, Path file) throws IOException {
        try (Writer out = Files.newBufferedWriter(file, StandardCharsets.UTF_8)) {
            out.write("tester,host,clients,calls,ok,clock_offset_ms,clock_drift_ppm,clock_error_bound_us,"
                    + "clock_expected_error_us,clock_steps,clock_suspends,clock_slews,route_changes,rtt_ms,start_skew_us,lost,cpu_percent,hiccup_max_ms,"
                    + "stalled_ms,gc_percent,gc_pause_max_ms,run_queue_percent,starved_percent,descriptors_max,"
                    + "descriptor_limit,host_cpu_cores,host_steal_percent,tcp_retransmits_per_s,"
                    + "node,labels,replaces,lost_s,latency_ms,latency_source,bandwidth_bytes_per_s,bandwidth_source,"
                    + "response_mean_ms,calls_per_client_per_s,success_percent\n");
            Clocks clocks = analysis.clocks();
            for (TesterRow row : analysis.testers()) {
                TesterPlace place = TesterPlace.of(analysis.run(), row.tester());
                NetworkImpact.Row network = analysis.details().network().testers().stream()
                        .filter(each -> each.tester() == row.tester())
                        .findFirst()
                        .orElse(null);
                line(
                        out,
                        row.tester(),
                        row.host(),
                        row.clients(),
                        row.calls(),
                        row.ok(),
                        row.offsetMillis(),
                        row.driftPpm(),
                        row.errorBoundMicros(),
                        row.expectedErrorMicros(),
                        clocks.count(row.tester(), ClockEvent.Kind.STEP),
                        clocks.count(row.tester(), ClockEvent.Kind.SUSPEND),
                        clocks.count(row.tester(), ClockEvent.Kind.SLEW),
                        clocks.count(row.tester(), ClockEvent.Kind.ROUTE_CHANGE),
                        row.rttMillis(),
                        row.startSkewMicros(),
                        row.lost(),
                        row.watch().cpuPercent(),
                        row.watch().hiccupMaxMillis(),
                        row.watch().stalledMillis(),
                        row.watch().gcPercent(),
                        row.watch().gcPauseMaxMillis(),
                        row.watch().runQueuePercent(),
                        row.watch().starvedPercent(),
                        row.watch().descriptorsMax(),
                        row.watch().descriptorLimit(),
                        row.watch().hostCpu(),
                        row.watch().stealPercent(),
                        row.watch().retransmits(),
                        place.node(),
                        place.labels(),
                        place.replaces() == 0 ? "" : place.replaces(),
                        place.lostSeconds(),
                        network == null ? Double.NaN : network.latencyMillis(),
                        network == null ? "" : network.latencySource().word(),
                        network == null ? Double.NaN : network.bandwidthBytes(),
                        network == null ? "" : network.bandwidthSource().word(),
                        network == null ? Double.NaN : network.responseMillis(),
                        network == null ? Double.NaN : network.perClientPerSecond(),
                        network == null ? Double.NaN : network.successPercent());
            }
        }
    }

    private static void line(Writer out, Object... values) throws IOException {
        for (int i = 0; i < values.length; i++) {
            if (i > 0) {
                out.write(',');
            }
            out.write(text(values[i]));
        }
        out.write('\n');
    }

    private static String text(Object value) {
        if (value instanceof Double number) {
            return Double.isNaN(number) || Double.isInfinite(number)
                    ? ""
                    : BigDecimal.valueOf(number)
                            .setScale(9, RoundingMode.HALF_EVEN)
                            .stripTrailingZeros()
                            .toPlainString();
        }
        String text = value.toString();
        boolean quoted = text.contains(",") || text.contains("\"") || text.contains("\n") || text.contains("\r");
        return quoted ? '"' + text.replace("\"", "\"\"") + '"' : text;
    }
}
