package org.diperf.controller.page;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import org.diperf.analyzer.live.RunSeries;
import org.diperf.controller.experiment.ExperimentFile;
import org.diperf.controller.progress.LiveSnapshot;
import org.diperf.controller.progress.LiveSnapshot.Standing;
import org.diperf.controller.progress.LiveSource;
import org.diperf.core.clock.NanoClock;
import org.diperf.core.experiment.Experiment;
import org.diperf.core.plugin.Plugins;
import org.diperf.core.spi.SeriesFamily;
import org.diperf.core.spi.SeriesFamily.Histogram;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What Prometheus is told. */
@Timeout(60)
class MetricsPageTests {

    private static LiveSource run() throws Exception {
        Experiment experiment = ExperimentFile.parse(
                        "name: fake\ntarget: http://127.0.0.1:1/\nload: { clients: 1, run-for: 1s }\n",
                        "fake",
                        List.of(),
                        Plugins.bundled())
                .experiment();
        return new LiveSource() {
            @Override
            public Experiment experiment() {
                return experiment;
            }

            @Override
            public Path folder() {
                return Path.of("no-such-folder");
            }

            @Override
            public LiveSnapshot look(long since) {
                RunSeries series = new RunSeries(0, List.of("a \"quoted\"\nname"));
                return new LiveSnapshot(
                        "",
                        null,
                        series.look(since, 1_000_000_000),
                        List.of(new LiveSnapshot.TesterNow(1, "host", "started", "", 3, 2, 0.5)),
                        List.of(
                                new LiveSnapshot.ThresholdNow("failed < 1%", Standing.HOLDS, "0 %"),
                                new LiveSnapshot.ThresholdNow("verdict == valid", Standing.LATER, "")),
                        List.of(),
                        List.of(),
                        List.of());
            }

            @Override
            public void stop(String who) {
                throw new AssertionError("nobody may stop a run here");
            }
        };
    }

    private final List<String> warnings = new CopyOnWriteArrayList<>();

    private static HttpResponse<String> get(MetricsPage page, String path) throws Exception {
        return HttpClient.newHttpClient()
                .send(
                        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + page.port() + path))
                                .build(),
                        HttpResponse.BodyHandlers.ofString());
    }

    @Test
    void numbersAreInSecondsAndEachFamilyIsNamedOnce() throws Exception {
        try (MetricsPage page = new MetricsPage("127.0.0.1", 0, NanoClock.SYSTEM, warnings::add)) {
            assertThat(get(page, "/metrics").body()).isEmpty();
            page.begins(run());
            Thread.sleep(300);
            HttpResponse<String> answer = get(page, "/metrics");
            assertThat(answer.headers().firstValue("content-type")).contains(MetricsText.TYPE);
            List<String> lines = answer.body().lines().toList();
            assertThat(lines)
                    .contains(
                            "diperf_run_info{experiment=\"fake\",seed=\"1\"} 1".replace("seed=\"1\"", seed(lines)),
                            "diperf_active_clients{tester=\"1\"} 3",
                            "diperf_calls_in_flight{tester=\"1\"} 2",
                            "diperf_clock_error_seconds{tester=\"1\"} 5.0E-4",
                            "diperf_testers{state=\"started\"} 1",
                            "diperf_threshold_holds{threshold=\"failed < 1%\"} 1",
                            "diperf_run_over 0");
            assertThat(lines.stream().filter(line -> line.startsWith("# TYPE")).toList())
                    .doesNotHaveDuplicates();
            assertThat(answer.body()).endsWith("\n").doesNotContain("verdict == valid");
            assertThat(get(page, "/").statusCode()).isEqualTo(404);
        }
    }

    private static String seed(List<String> lines) {
        return lines.stream()
                .filter(line -> line.startsWith("diperf_run_info"))
                .map(line -> line.replaceFirst(".*(seed=\"[^\"]*\").*", "$1"))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void theEndIsWaitedForWhereSomebodyScrapedAlone() throws Exception {
        try (MetricsPage page = new MetricsPage("127.0.0.1", 0, NanoClock.SYSTEM, warnings::add)) {
            page.begins(run());
            long began = System.nanoTime();
            page.ends();
            assertThat(System.nanoTime() - began).isLessThan(5_000_000_000L);
        }
        try (MetricsPage page = new MetricsPage("127.0.0.1", 0, NanoClock.SYSTEM, warnings::add)) {
            page.begins(run());
            get(page, "/metrics");
            Thread end = new Thread(page::ends);
            end.start();
            while (!get(page, "/metrics").body().contains("diperf_run_over 1")) {
                Thread.onSpinWait();
            }
            end.join(10_000);
            assertThat(end.isAlive()).isFalse();
        }
        assertThat(warnings).isEmpty();
    }

    @Test
    void whoNeverCameForTheLastCountsIsToldOfOnce() throws Exception {
        AtomicLong now = new AtomicLong(1);
        try (MetricsPage page = new MetricsPage("127.0.0.1", 0, now::get, warnings::add)) {
            page.begins(run());
            get(page, "/metrics");
            now.addAndGet(1_000_000);
            get(page, "/metrics");
            now.addAndGet(2_500_000_000L);
            page.ends();
        }
        assertThat(warnings).hasSize(1);
        assertThat(warnings.get(0)).contains("The final counts were not scraped", "the last scrape was 2.5 s ago");
    }

    @Test
    void aScrapeThatCameEarlyDoesNotShortenTheWait() throws Exception {
        AtomicLong now = new AtomicLong(1);
        try (MetricsPage page = new MetricsPage("127.0.0.1", 0, now::get, warnings::add)) {
            page.begins(run());
            get(page, "/metrics");
            now.addAndGet(400_000_000);
            get(page, "/metrics");
            now.addAndGet(1_000_000);
            get(page, "/metrics");
            long began = System.nanoTime();
            page.ends();
            assertThat(System.nanoTime() - began).isGreaterThanOrEqualTo(2_600_000_000L);
        }
    }

    @Test
    void whoAsksForNativeHistogramsGetsEachFamilyAsAMessage() {
        Histogram histogram = new Histogram(
                List.of(0.5, 1.0), List.of(3L, 0L, 1L), -8, List.of(0L, 2L, 1L, 0L, 0L, 0L, 0L, 0L, 0L, 1L));
        byte[] bytes = MetricsProtobuf.of(List.of(
                new SeriesFamily.Builder("none", SeriesFamily.Kind.GAUGE, "nothing").build(),
                new SeriesFamily.Builder("up_total", SeriesFamily.Kind.COUNTER, "ups")
                        .add(300, "a", "b")
                        .build(),
                new SeriesFamily.Builder("t_seconds", SeriesFamily.Kind.HISTOGRAM, "times")
                        .add(histogram, 2.5)
                        .build()));

        assertThat(MetricsProtobuf.isWanted("application/vnd.google.protobuf;proto=io.prometheus.client.MetricFamily;"
                        + "encoding=delimited,text/plain;q=0.5"))
                .isTrue();
        assertThat(MetricsProtobuf.isWanted("text/plain")).isFalse();
        // By hand from metrics.proto: name, help, type, metric { label, counter }.
        String counter = "26" + "0a0875705f746f74616c" + "1203757073" + "1800" + "2213" + "0a060a0161120162"
                + "1a09090000000000c07240";
        String times = "0a09745f7365636f6e6473" + "120574696d6573" + "1804";
        // Count 4, sum 2.5; up to 0.5 three, up to 1 three, all four; schema 3, threshold, no zero.
        String fixed = "0804" + "110000000000000440" + "1a0b0803" + "11000000000000e03f" + "1a0b0803"
                + "11000000000000f03f" + "1a0b0804" + "11000000000000f07f" + "2806" + "31000000000000f037" + "3800";
        // From the bucket up to 2^(-6/8) on two, then six empty ones and one; 2, 1 less, the same as before.
        String fine = "620408" + "0b" + "1002" + "6204080c1001" + "6a03040100";
        String histograms = "3a" + hex(fixed.length() / 2 + fine.length() / 2) + fixed + fine;
        String metric = "22" + hex(histograms.length() / 2) + histograms;
        String expected = counter + hex(times.length() / 2 + metric.length() / 2) + times + metric;
        assertThat(java.util.HexFormat.of().formatHex(bytes)).isEqualTo(expected);
    }

    private static String hex(int length) {
        assertThat(length).isLessThan(128);
        return String.format(java.util.Locale.ROOT, "%02x", length);
    }
}
