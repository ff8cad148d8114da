package org.diperf.analyzer.compare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import org.diperf.analyzer.RunFixture;
import org.diperf.analyzer.compare.Comparison.Verdict;
import org.diperf.analyzer.report.ComparisonPage;
import org.diperf.analyzer.result.Summary;
import org.diperf.analyzer.text.TerminalFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Comparisons of run directories, from samples to the page. */
@Timeout(120)
class ComparedRunsTests {

    private static final int CLIENTS = 8;
    private static final int SECONDS = 12;
    private static final double FAILED = 0.01;

    @TempDir
    Path folder;

    /** Writes a run of clients that call one after the other, on two testers whose clocks are off. */
    private MeasuredRun run(String name, double meanMillis, long seed) throws IOException {
        SplittableRandom random = new SplittableRandom(seed);
        RunFixture fixture = new RunFixture()
                .tester(1, 5_000_000_000L, 20)
                .tester(2, -7_000_000_000L, -30)
                .closed(CLIENTS, 100, SECONDS * 1000L)
                .exchanges(SECONDS * 1000L + 2000);
        for (int client = 0; client < CLIENTS; client++) {
            double at = client * 100;
            double until = at + SECONDS * 1000;
            while (true) {
                double end = at + meanMillis * Math.exp(0.3 * random.nextGaussian() - 0.045);
                if (end >= until) {
                    break;
                }
                fixture.call(1 + client % 2, client, at, at + 0.1, end, random.nextDouble() < FAILED ? "500" : "ok");
                at = end;
            }
        }
        return MeasuredRun.read(name, fixture.write(folder.resolve(name)));
    }

    @Test
    void batchesHoldTheCallsOfTheMeasuredPartAsTheSummaryHasThem() throws IOException {
        MeasuredRun run = run("a", 12, 1);
        Summary summary = Objects.requireNonNull(run.summary());
        Summary.Window measured = Objects.requireNonNull(summary.measured());
        CallBatches batches = Objects.requireNonNull(run.batches());
        long failed = 0;
        double response = 0;
        double service = 0;
        for (int i = 0; i < batches.size(); i++) {
            failed += batches.failed(i);
            response += batches.responseSum(i);
            service += batches.serviceSum(i);
        }
        assertThat(run.okCalls()).isEqualTo(measured.calls().ok());
        assertThat(failed).isEqualTo(measured.calls().failed());
        assertThat(run.seconds()).isCloseTo(measured.toSeconds() - measured.fromSeconds(), within(1e-6));
        assertThat(response / run.okCalls() / 1e6)
                .isCloseTo(Objects.requireNonNull(measured.responseTime()).mean(), within(1e-9));
        assertThat(service / run.okCalls() / 1e6)
                .isCloseTo(Objects.requireNonNull(measured.serviceTime()).mean(), within(1e-9));
        assertThat(JainIndex.index(batches.clients()))
                .isCloseTo(Objects.requireNonNull(summary.fairness()).jain(), within(1e-9));
        double p99 = new Blocks(batches, 1).values()[Metric.RESPONSE_P99.ordinal()];
        assertThat(p99)
                .isCloseTo(Objects.requireNonNull(measured.responseTime()).p99(), within(0.003 * p99));
    }

    @Test
    void aSlowerServiceIsFoundFromSamplesAndShownOnAPageThatStandsAlone() throws IOException {
        Side a = Side.of("before", List.of(run("a", 12, 2)), false);
        Side b = Side.of("after <b>", List.of(run("b", 13.2, 3)), false);
        Comparison comparison = ComparisonBuilder.compare(List.of(a, b), Settings.DEFAULT, List.of(), List.of());
        assertThat(comparison.verdict()).isEqualTo(Verdict.WORSE);
        assertThat(comparison.contrasts().get(0).result(Metric.RESPONSE_MEAN).change())
                .isCloseTo(0.1, within(0.02));
        assertThat(comparison.contrasts().get(0).result(Metric.THROUGHPUT).change())
                .isCloseTo(-0.09, within(0.02));
        ComparisonPage.write(comparison, folder);
        String page = Files.readString(folder.resolve("compare.html"));
        assertThat(page)
                .contains("after &lt;b&gt; is worse than before")
                .doesNotContain("<b>")
                .doesNotContain("<script")
                .doesNotContainPattern("(?:src|href)=\"(?:https?:)?//");
        for (String figure : List.of("compare-effects", "compare-time", "compare-percentiles", "compare-ecdf")) {
            assertThat(page).contains("id=\"figure-" + figure + "\"");
            assertThat(folder.resolve("figures/" + figure + ".png")).isNotEmptyFile();
            assertThat(folder.resolve("figures/" + figure + ".svg")).isNotEmptyFile();
        }
    }

    /** It ended at "(95 % CI…", after 300 characters. */
    @Test
    void theFindingStandsInFullOnThePage() throws IOException {
        Side a = Side.of("a".repeat(200), List.of(run("a", 12, 2)), false);
        Side b = Side.of("b".repeat(200), List.of(run("b", 13.2, 3)), false);
        Comparison comparison = ComparisonBuilder.compare(List.of(a, b), Settings.DEFAULT, List.of(), List.of());
        ComparisonPage.write(comparison, folder);
        assertThat(ComparisonText.finding(comparison)).hasSizeGreaterThan(300);
        assertThat(Files.readString(folder.resolve("compare.html"))).contains(ComparisonText.finding(comparison));
    }

    @Test
    void equalServicesAreNotCalledDifferent() throws IOException {
        Side a = Side.of("a", List.of(run("a", 12, 4)), false);
        Side b = Side.of("b", List.of(run("b", 12, 5)), false);
        Settings coarse = Settings.DEFAULT.with(List.of(), 0.2);
        Comparison comparison = ComparisonBuilder.compare(List.of(a, b), coarse, List.of(), List.of());
        assertThat(comparison.verdict()).isEqualTo(Verdict.NOT_WORSE);
        assertThat(ComparisonTable.render(comparison, TerminalFormat.PLAIN)).startsWith("response mean ");
    }
}
