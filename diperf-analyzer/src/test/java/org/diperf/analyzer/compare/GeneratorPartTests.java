package org.diperf.analyzer.compare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.diperf.analyzer.RunFixture;
import org.diperf.analyzer.SimulatedLoad;
import org.diperf.analyzer.SimulatedService;
import org.diperf.analyzer.compare.Comparison.Verdict;
import org.diperf.analyzer.compare.MetricResult.Finding;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A service that answers in 20 ms against one that takes 23, each measured by a generator that may have added something. */
@Timeout(120)
class GeneratorPartTests {

    @TempDir
    Path folder;

    private Side side(String name, double takes, long bound) throws IOException {
        RunFixture run = new RunFixture()
                .tester(1, 0, 0)
                .closed(4, 0, 20_000)
                .exchanges(21_000)
                .bounded(bound, bound);
        new SimulatedLoad(run, SimulatedService.even(4, takes)).think(1).closed(0, 0, 4, 0, 0, 20_000);
        return Side.of(name, List.of(MeasuredRun.read(name, run.write(Files.createTempDirectory(folder, name)))), true);
    }

    private Comparison compare(long bound, FailRule... rules) throws IOException {
        return ComparisonBuilder.compare(
                List.of(side("fast", 20, bound), side("slow", 23, bound)),
                Settings.DEFAULT.with(List.of(rules), 0.02),
                List.of(),
                List.of());
    }

    private static MetricResult mean(Comparison comparison) {
        return comparison.contrasts().get(0).result(Metric.RESPONSE_MEAN);
    }

    @Test
    void aDifferenceThatTheGeneratorCannotHaveMadeCounts() throws IOException {
        Comparison comparison = compare(1 << 16);
        assertThat(mean(comparison).finding()).isEqualTo(Finding.WORSE);
        assertThat(comparison.verdict()).isEqualTo(Verdict.WORSE);
    }

    @Test
    void aDifferenceThatTheGeneratorMayHaveMadeDecidesNothing() throws IOException {
        Comparison comparison = compare(1 << 21);
        MetricResult mean = mean(comparison);
        // The slow one at least 23 ms less both bounds, the fast one at most 20 ms; and the other way round.
        double added = 2 * (1 << 21) / 1e6;
        assertThat(mean.withoutGenerator().low()).isCloseTo((23 - added) / 20 - 1, within(0.001));
        assertThat(mean.withoutGenerator().high()).isCloseTo(23 / (20 - added) - 1, within(0.001));
        assertThat(mean.finding()).isEqualTo(Finding.GENERATOR);
        assertThat(comparison.verdict()).isEqualTo(Verdict.UNDECIDABLE);
        assertThat(comparison.reasons())
                .anyMatch(why -> why.startsWith("throughput ")
                        && why.contains(
                                "undecided whether slow is worse than fast, as it may be due to the load generator"));
        assertThat(ComparisonText.finding(comparison)).contains("may be due to the load generator: without it, ");
    }

    @Test
    void aRuleThatIsBrokenOnlyWithWhatTheGeneratorMayHaveAddedIsUndecided() throws IOException {
        FailRule rule = FailRule.parse("response.mean +5%");
        assertThat(compare(1 << 16, rule).verdict()).isEqualTo(Verdict.WORSE);
        Comparison open = compare(1 << 21, rule);
        assertThat(open.verdict()).isEqualTo(Verdict.UNDECIDABLE);
        assertThat(open.reasons())
                .singleElement()
                .asString()
                .contains(
                        "against a limit of 'response.mean +5%': undecided for slow, as it may be due to the load generator");
    }
}
