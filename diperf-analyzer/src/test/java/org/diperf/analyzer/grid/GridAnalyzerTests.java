package org.diperf.analyzer.grid;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import org.diperf.analyzer.grid.GridFixture.Numbers;
import org.diperf.analyzer.grid.GridSummary.FindingSummary;
import org.diperf.analyzer.grid.GridSummary.PointSummary;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

@Timeout(30)
class GridAnalyzerTests {

    private static final String WORKERS = "service.env.workers";

    @TempDir
    Path folder;

    private GridFixture workers(double... ofTheSecondPoint) throws Exception {
        GridFixture grid = new GridFixture(folder).axis(WORKERS, "workers", 1, 2);
        double[] first = {100, 102, 98};
        for (int trial = 1; trial <= ofTheSecondPoint.length; trial++) {
            grid.run(Map.of(WORKERS, 2), trial, ofTheSecondPoint[trial - 1], 5);
            grid.run(Map.of(WORKERS, 1), trial, first[trial - 1], 10);
        }
        return grid;
    }

    @Test
    void theIntervalOfAMeanIsStudents() {
        // By hand: mean 100, s = 2, n = 3; t(0.975, 2) = 4.302653, so 100 +- 4.302653 x 2 / sqrt(3).
        Spread spread = Spread.of(DoubleStream.of(102, 98, 100));

        assertThat(spread.n()).isEqualTo(3);
        assertThat(spread.median()).isEqualTo(100);
        assertThat(spread.q1()).isEqualTo(99);
        assertThat(spread.q3()).isEqualTo(101);
        assertThat(spread.low()).isCloseTo(95.031724, within(1e-6));
        assertThat(spread.high()).isCloseTo(104.968276, within(1e-6));
    }

    @Test
    void ofTwoTrialsNoIntervalIsGivenAndOfNoneNothing() {
        assertThat(Spread.of(DoubleStream.of(1, 3))).isEqualTo(new Spread(2, 2, 1.5, 2.5, 2, null, null));
        assertThat(Spread.of(DoubleStream.of(Double.NaN))).isNull();
    }

    @Test
    void trialsComeTogetherInTheOrderOfTheAxis() throws Exception {
        GridSummary summary = workers(200, 204, 196).analysis().summary();

        assertThat(summary.points())
                .extracting(PointSummary::set)
                .containsExactly(Map.of(WORKERS, 1), Map.of(WORKERS, 2));
        assertThat(summary.points().get(1).runs()).containsExactly(1, 3, 5);
        assertThat(summary.points().get(1).throughput().median()).isEqualTo(200);
        assertThat(summary.points().get(0).responseTime().get("p99").median()).isEqualTo(40);
        assertThat(Metric.P99.of(summary.points().get(0)).median()).isEqualTo(40);
        assertThat(Metric.P99.of(summary.runs().get(1))).isEqualTo(40);
        assertThat(Metric.MEDIAN.of(summary.points().get(0)).median()).isEqualTo(10);
        assertThat(Metric.MEDIAN.of(summary.runs().get(1))).isEqualTo(10);
        assertThat(summary.verdict()).isEqualTo("valid");
        assertThat(summary.warnings()).isEmpty();
    }

    @Test
    void aDifferenceThatTrialsDoNotScatterByIsFound() throws Exception {
        FindingSummary finding = workers(200, 204, 196).analysis().summary().finding();

        assertThat(finding.best()).isEqualTo(Map.of(WORKERS, 2));
        assertThat(finding.metric()).isEqualTo("throughput");
        assertThat(finding.differencePercent()).isCloseTo(100, within(1e-9));
        assertThat(finding.isLargerThanNoise()).isTrue();
        // Welch by hand: variances of mean logarithms 0.00040012 / 3 each, 4 degrees of freedom: exp(ln 2 -+ 2.776 x
        // 0.01633).
        assertThat(finding.lowPercent()).isCloseTo(91.13, within(0.05));
        assertThat(finding.conclusion())
                .contains("workers=2 has the highest throughput, 200 calls/s")
                .contains("workers=2 against workers=1: +100.0 % (95 % CI: +91.1 to +109 %), larger than the scatter "
                        + "between trials.");
    }

    /** As {@code compare} has it: the later against the earlier, of the earlier, whichever is better. */
    @Test
    void theChangeIsThatOfTheLaterPointAgainstTheEarlierByGeometricMeans() throws Exception {
        FindingSummary finding = workers(50, 25, 100).analysis().summary().finding();

        assertThat(finding.best()).isEqualTo(Map.of(WORKERS, 1));
        // Geometric means 50 and (100 x 102 x 98)^(1/3) = 99.9867.
        assertThat(finding.differencePercent()).isCloseTo(100 * (50 / 99.98667) - 100, within(1e-3));
        assertThat(finding.conclusion()).contains("workers=2 against workers=1: -50.0 %");
    }

    @Test
    void aChangeOfMeansThatMediansDoNotShowSaysThatItIsOne() throws Exception {
        assertThat(workers(101, 102, 60).analysis().summary().finding().conclusion())
                .contains("workers=2 had 101 calls/s", "workers=2 against workers=1, comparing means: -14.");
    }

    @Test
    void aDifferenceWithinTheScatterIsSaidToBeNone() throws Exception {
        FindingSummary finding = workers(103, 99, 101).analysis().summary().finding();

        assertThat(finding.isLargerThanNoise()).isFalse();
        assertThat(finding.conclusion())
                .startsWith(
                        "No clear best point by throughput: workers=2 had 101 calls/s (median of 3 trials), workers=1 "
                                + "100 calls/s. workers=2 against workers=1: +1.0 % (95 % CI: ")
                .endsWith("no larger than the scatter between trials; diperf compare uses the individual calls and may "
                        + "show more.")
                .doesNotContain("highest");
    }

    @Test
    void aRowIsMarkedBestOnlyWhereTheFindingNamesABestPoint() throws Exception {
        assertThat(GridText.points(workers(200, 204, 196).analysis()))
                .extracting(row -> row.get(row.size() - 1))
                .containsExactly("", "best");
        folder = Files.createDirectories(folder.resolve("scatter"));
        assertThat(GridText.points(workers(103, 99, 101).analysis()))
                .extracting(row -> row.get(row.size() - 1))
                .containsExactly("", "");
        folder = Files.createDirectories(folder.resolve("single"));
        assertThat(GridText.points(workers(200).analysis()))
                .extracting(row -> row.get(row.size() - 1))
                .containsExactly("", "");
    }

    /** A few late calls move the 99th percentile: the headline would contradict what compare says of the same two runs. */
    @Test
    void pointsThatWereOfferedTheSameRateAreComparedByTheMedianOfTheirTimes() throws Exception {
        GridAnalysis analysis = new GridFixture(folder)
                .axis(WORKERS, "workers", 1, 2)
                .offering(50)
                .run(Map.of(WORKERS, 1), 1, 50, 2)
                .run(Map.of(WORKERS, 2), 1, 50, 1)
                .analysis();

        assertThat(analysis.main()).isEqualTo(Metric.MEDIAN);
        assertThat(analysis.summary().finding().metric()).isEqualTo("responseTime.p50");
        assertThat(analysis.summary().finding().conclusion())
                .startsWith("No clear best point by response time p50: workers=2 had 1.00 ms, workers=1 2.00 ms.");
    }

    /** The same trials of the same two points: what two points show is luck where the best of six is picked. */
    @Test
    void theBestOfManyPointsMustBeBetterByMoreThanTheBestOfTwo() throws Exception {
        FindingSummary ofTwo = points(2).analysis().summary().finding();
        // By hand, of logarithms: t = 0.0488 / sqrt((0.000381 + 0.000400) / 3) = 3.06 of 4 degrees of freedom, so p =
        // 0.04.
        assertThat(ofTwo.isLargerThanNoise()).isTrue();
        assertThat(ofTwo.conclusion()).contains("95 % CI").doesNotContain("corrected");

        FindingSummary ofSix = points(6).analysis().summary().finding();
        assertThat(ofSix.best()).isEqualTo(ofTwo.best());
        assertThat(ofSix.differencePercent()).isEqualTo(ofTwo.differencePercent());
        assertThat(ofSix.isLargerThanNoise()).isFalse();
        assertThat(ofSix.highPercent()).isPositive();
        assertThat(ofSix.conclusion()).contains("corrected for", "no larger than the scatter between trials; diperf");
    }

    /** Workers whose throughputs scatter alike: the best has 105 calls/s, the others 100. */
    private GridFixture points(int count) throws Exception {
        Path grid = Files.createDirectories(folder.resolve(count + " points"));
        Object[] workers = IntStream.rangeClosed(1, count).boxed().toArray();
        GridFixture fixture = new GridFixture(grid).axis(WORKERS, "workers", workers);
        for (int point = 1; point <= count; point++) {
            double mean = point == 1 ? 105 : 100;
            for (int trial = 1; trial <= 3; trial++) {
                fixture.run(Map.of(WORKERS, point), trial, mean + 2 * (trial - 2), 5);
            }
        }
        return fixture;
    }

    @Test
    void withOneTrialNobodyCanSay() throws Exception {
        FindingSummary finding = workers(200).analysis().summary().finding();

        assertThat(finding.isLargerThanNoise()).isNull();
        assertThat(finding.conclusion()).contains("cannot be distinguished from noise");
    }

    @Test
    void aFailedRunIsNamedAndItsPointRestsOnTheOthers() throws Exception {
        GridSummary summary = workers(200, 204)
                .failed(Map.of(WORKERS, 2), 3, "Could not reach http://x/: refused")
                .analysis()
                .summary();

        assertThat(summary.points().get(1).n()).isEqualTo(2);
        assertThat(summary.planned()).isEqualTo(5);
        assertThat(summary.done()).isEqualTo(4);
        assertThat(summary.verdict()).isEqualTo("suspect");
        assertThat(summary.warnings()).anySatisfy(line -> assertThat(line).contains("run 5", "refused"));
    }

    @Test
    void aSuspectPointIsNotBest() throws Exception {
        FindingSummary finding = workers(200, 200, 200)
                .axis("x", "x", 1)
                .run(Map.of(WORKERS, 3), 1, new Numbers(900, 1, 2, 0, 0, "suspect", ""))
                .analysis()
                .summary()
                .finding();

        assertThat(finding.best()).isEqualTo(Map.of(WORKERS, 2));
        assertThat(finding.conclusion()).contains("1 point with suspect runs");
    }

    @Test
    void callsOfDifferentSizesAreComparedByBits() throws Exception {
        GridAnalysis analysis = new GridFixture(folder)
                .axis("client.with.size", "size", "1KiB", "1MiB")
                .run(Map.of("client.with.size", "1KiB"), 1, new Numbers(1000, 1, 2, 0, 10_240_000, "valid", ""))
                .run(Map.of("client.with.size", "1MiB"), 1, new Numbers(100, 9, 20, 0, 1_048_576_000, "valid", ""))
                .analysis();

        assertThat(analysis.main()).isEqualTo(Metric.BANDWIDTH);
        assertThat(analysis.summary().finding().best()).isEqualTo(Map.of("client.with.size", "1MiB"));
        assertThat(analysis.summary().finding().value()).isCloseTo(104_857_600, within(1e-3));
    }

    @Test
    void levelsOfTrialsComeTogether() throws Exception {
        String level = "{\"number\":0,\"model\":\"closed\",\"level\":%s,\"fromSeconds\":0,\"toSeconds\":9,\"calls\":{},"
                + "\"throughput\":{\"mean\":%s},\"verdict\":\"valid\"}";
        GridFixture grid = new GridFixture(folder).variant("old", Map.of("service.start", "./v1"));
        for (int trial = 1; trial <= 2; trial++) {
            String levels = level.formatted("1", 10 * trial) + "," + level.formatted("2", 20 * trial);
            grid.run(Map.of("variant", "old"), trial, new Numbers(20, 5, 6, 0, 0, "valid", levels));
        }

        PointSummary point = grid.analysis().summary().points().get(0);

        assertThat(point.levels()).extracting(level1 -> level1.level()).containsExactly(1.0, 2.0);
        assertThat(point.levels().get(1).throughput().median()).isEqualTo(30);
    }

    @Test
    void theLoadAtSaturationIsOverTheTrialsThatReachedIt() throws Exception {
        String reached = "{\"reached\":true,\"clients\":%s,\"throughput\":100}";
        String not = "{\"reached\":false,\"throughput\":100}";
        GridAnalysis analysis = new GridFixture(folder)
                .axis(WORKERS, "workers", 1, 2)
                .run(Map.of(WORKERS, 1), 1, new Numbers(100, 5, 6, 0, 0, "valid", "", reached.formatted(4)))
                .run(Map.of(WORKERS, 1), 2, new Numbers(100, 5, 6, 0, 0, "valid", "", reached.formatted(6)))
                .run(Map.of(WORKERS, 1), 3, new Numbers(100, 5, 6, 0, 0, "valid", "", not))
                .run(Map.of(WORKERS, 2), 1, new Numbers(200, 5, 6, 0, 0, "valid", "", not))
                .analysis();

        assertThat(analysis.summary().points().get(0).saturation().judged()).isEqualTo(3);
        assertThat(analysis.summary().points().get(0).saturation().clients().median())
                .isEqualTo(5);
        int column = GridText.pointHead(analysis).indexOf("saturation");
        assertThat(GridText.points(analysis))
                .extracting(row -> row.get(column))
                .containsExactly("5 (2 of 3)", "not reached");
    }

    @Test
    void oneTrialOfEachPointHasNoColumnsForWhatTrialsScatterBy() throws Exception {
        assertThat(GridText.pointHead(workers(200).analysis()))
                .contains("workers", "mean ms")
                .doesNotContain("95 % interval", "p99 quartiles", "saturation");
        assertThat(GridText.pointHead(workers(200, 201).analysis())).contains("95 % interval", "p99 quartiles");
    }

    @Test
    void theIntervalOfWhatCannotBeBelowZeroEndsThere() {
        assertThat(Spread.of(DoubleStream.of(1, 2, 90)).low()).isZero();
        assertThat(Spread.of(DoubleStream.of(-1, 2, 90)).low()).isNegative();
    }

    @Test
    void theFilesHaveWhatScriptsRead() throws Exception {
        GridAnalysis analysis = workers(200, 204, 196).analysis();

        GridAnalyzer.write(analysis, folder);

        JsonNode json = JsonMapper.builder().build().readTree(Files.readAllBytes(folder.resolve("summary.json")));
        assertThat(json.path("format").asString()).isEqualTo("diperf-summary/1");
        assertThat(json.path("kind").asString()).isEqualTo("grid");
        JsonNode run = json.path("runs").path(2);
        assertThat(run.path("dir").asString()).isEqualTo("runs/003");
        assertThat(run.path("set").path(WORKERS).asInt()).isEqualTo(2);
        assertThat(run.path("trial").asInt()).isEqualTo(2);
        assertThat(run.path("verdict").asString()).isEqualTo("valid");
        assertThat(json.path("points").path(1).path("throughput").path("median").asDouble())
                .isEqualTo(200);
        List<String> runs = Files.readAllLines(folder.resolve("runs.csv"));
        assertThat(runs).hasSize(7);
        assertThat(runs.get(0)).startsWith("run,dir,workers,trial,");
        assertThat(runs.get(1)).startsWith("1,runs/001,2,1,done,valid,");
        assertThat(Files.readAllLines(folder.resolve("points.csv")).get(2)).startsWith("2,3,valid,200,198,202,200,");
    }

    @Test
    void aFolderWithoutAGridIsRefused() {
        assertThatThrownBy(() -> GridAnalyzer.read(folder)).hasMessageContaining("grid.json");
    }
}
