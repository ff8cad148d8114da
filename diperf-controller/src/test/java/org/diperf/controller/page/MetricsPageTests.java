package org.diperf.controller.page;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.List;
import org.diperf.analyzer.live.RunSeries;
import org.diperf.controller.experiment.ExperimentFile;
import org.diperf.controller.progress.LivePicture;
import org.diperf.controller.progress.LivePicture.Standing;
import org.diperf.controller.progress.LiveSource;
import org.diperf.core.clock.NanoClock;
import org.diperf.core.experiment.Experiment;
import org.diperf.core.plugin.Plugins;
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
            public LivePicture look(long since) {
                RunSeries series = new RunSeries(0, List.of("a \"quoted\"\nname"));
                return new LivePicture(
                        "",
                        null,
                        series.look(since, 1_000_000_000),
                        List.of(new LivePicture.TesterNow(1, "host", "started", "", 3, 2, 0.5)),
                        List.of(
                                new LivePicture.ThresholdNow("failed < 1%", Standing.HOLDS, "0 %"),
                                new LivePicture.ThresholdNow("verdict == valid", Standing.LATER, "")),
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

    private static HttpResponse<String> get(MetricsPage page, String path) throws Exception {
        return HttpClient.newHttpClient()
                .send(
                        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + page.port() + path))
                                .build(),
                        HttpResponse.BodyHandlers.ofString());
    }

    @Test
    void numbersAreInSecondsAndEachFamilyIsNamedOnce() throws Exception {
        try (MetricsPage page = new MetricsPage("127.0.0.1", 0, NanoClock.SYSTEM)) {
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
        try (MetricsPage page = new MetricsPage("127.0.0.1", 0, NanoClock.SYSTEM)) {
            page.begins(run());
            long began = System.nanoTime();
            page.ends();
            assertThat(System.nanoTime() - began).isLessThan(5_000_000_000L);
        }
        try (MetricsPage page = new MetricsPage("127.0.0.1", 0, NanoClock.SYSTEM)) {
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
    }
}
