package org.diperf.analyzer.measure;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.diperf.analyzer.RunFixture;
import org.diperf.analyzer.files.SummaryFile;
import org.diperf.analyzer.measure.Value.Amount;
import org.diperf.analyzer.result.Confidence;
import org.diperf.analyzer.result.Summary;
import org.diperf.analyzer.stats.Range;
import org.diperf.analyzer.stats.Statistic;
import org.diperf.analyzer.stats.Uncertainty;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A name that is accepted can be answered. */
@Timeout(60)
final class MeasuresTests {

    private static final List<String> SCOPES = List.of("", "measured.", "whole.", "peak.", "stages.0.", "groups.lan.");

    /** What this run cannot have: nothing came of a search, an unfinished clock survey or a knee. */
    private static final Pattern ABSENT = Pattern.compile("(search|saturation|processing|processingTime)\\b.*");

    private static final long MILLI = 1_000_000;

    @TempDir
    private Path folder = Path.of("");

    /** Two groups, two kinds of request, a failed call, first calls, a metric and a monitor; all within a peak. */
    private Summary summary() throws IOException {
        RunFixture run = new RunFixture()
                .requests("browse", "order")
                .metric("first-byte", "ms")
                .monitor("host", "host")
                .tester(1, 3_600_000_000_000L, 20)
                .tester(2, -5_000_000L, -30)
                .group("lan", 1, 1, 1, 0, 0, 20_000)
                .group("wan", 2, 1, 1, 0, 0, 20_000)
                .exchanges(25_000);
        SplittableRandom random = new SplittableRandom(8);
        for (int client = 0; client < 2; client++) {
            for (int i = 0; i < 400; i++) {
                long at = i * 50L;
                long took = 5L + random.nextInt(40);
                run.carrying(i == 0 || i == 200, 2.0 + i % 7)
                        .nanos(
                                client + 1,
                                client,
                                client,
                                i % 2,
                                at * MILLI,
                                at * MILLI + 100_000,
                                (at + took) * MILLI,
                                i % 100 == 99 ? "http 500" : "ok",
                                1000);
            }
        }
        for (int second = 0; second < 20; second++) {
            run.watched("gauge memory [bytes]", second * 1000L, 100 + second);
        }
        return run.analyze(folder).summary();
    }

    @Test
    void everyListedNameIsAnsweredInEveryScopeThatIsAccepted() throws IOException {
        Summary summary = summary();
        List<String> unanswered = new ArrayList<>();
        int answered = 0;
        for (String scope : SCOPES) {
            for (String name : Measures.names(MeasureSource.SUMMARY)) {
                if (Measures.find(scope + name).isPresent()
                        && !ABSENT.matcher(name).matches()) {
                    answered++;
                    if (Measures.raw(summary, scope + name) == null) {
                        unanswered.add(scope + name);
                    }
                }
            }
        }
        assertThat(unanswered).isEmpty();
        assertThat(answered).isGreaterThan(500);
        assertThat(Measures.names(MeasureSource.SUMMARY))
                .allMatch(name -> Measures.find(name).isPresent());
    }

    /** An open run in which no count, and no statistic of any time, is the same as another. */
    private Summary varied() throws IOException {
        RunFixture run = new RunFixture()
                .tester(1, 3_600_000_000_000L, 20)
                .tester(2, -5_000_000L, -30)
                .open(50, "constant", 0, 20_000)
                .exchanges(25_000);
        SplittableRandom random = new SplittableRandom(15);
        for (int i = 0; i < 1000; i++) {
            long due = i * 20 * MILLI;
            long sent = due + random.nextLong(3 * MILLI);
            long took = MILLI + random.nextLong(9 * MILLI) * (i % 7 == 0 ? 4 : 1);
            String outcome = i % 100 == 1
                    ? "dropped"
                    : i % 50 == 2 ? "unfinished" : i % 40 == 3 ? "timeout" : i % 30 == 4 ? "http 500" : "ok";
            boolean never = outcome.equals("dropped");
            run.nanos(1 + i % 2, 0, i % 2, 0, due, never ? due : sent, never ? due : sent + took, outcome, 1000 + i);
        }
        return run.analyze(folder).summary();
    }

    @Test
    void everyNameAnswersWhatTheSummaryHasAtItsPlace() throws IOException {
        Summary summary = varied();
        JsonNode json = JsonMapper.shared().readTree(SummaryFile.json(summary));
        Map<String, Double> compared = new LinkedHashMap<>();
        for (String name : Measures.names(MeasureSource.SUMMARY)) {
            Stream.of("/measured/", "/")
                    .flatMap(at -> Measures.of(name).names().stream().map(each -> json.at(at + each.replace('.', '/'))))
                    .filter(JsonNode::isNumber)
                    .findFirst()
                    .ifPresent(node -> {
                        assertThat(number(summary, name))
                                .as(name)
                                .isCloseTo(node.asDouble(), within(1e-9 * Math.max(1, node.asDouble())));
                        compared.put(name, node.asDouble());
                    });
        }
        assertThat(compared)
                .containsKeys("planned", "sent", "total", "ok", "failed", "timedOut", "dropped", "unfinished", "bytes")
                .containsKeys("throughput.mean", "throughput.max", "clock.maxErrorBoundMicros", "testers.started");
        // Were two of them the same, one could answer for the other.
        List<Double> counts = Stream.of("planned", "sent", "ok", "failed", "timedOut", "dropped", "unfinished", "bytes")
                .map(compared::get)
                .toList();
        assertThat(counts).doesNotHaveDuplicates().doesNotContain(0.0);
        for (String times : List.of("response", "responseTimeFailed", "service", "lag")) {
            for (Statistic statistic : Statistic.listed()) {
                assertThat(compared).containsKey(times + "." + statistic.path());
            }
        }
        List<Double> ofTimes = Stream.of("response", "service", "lag")
                .flatMap(times -> Stream.of("mean", "stddev", "min", "p50", "p75", "p90", "p95", "p99", "max")
                        .map(statistic -> compared.get(times + "." + statistic)))
                .toList();
        assertThat(ofTimes).doesNotHaveDuplicates().doesNotContainNull();
    }

    /** By hand: 10 of 1,000 planned calls were dropped, 20 of 990 sent ones unfinished. */
    @Test
    void aShareIsOfWhatItsCountIsAPartOf() throws IOException {
        Summary summary = varied();
        assertThat(Measures.raw(summary, "dropped.share")).isEqualTo(10 / 1000.0);
        assertThat(Measures.raw(summary, "unfinished.share")).isEqualTo(20 / 990.0);
        assertThat(Measures.raw(summary, "failed.share")).isEqualTo((25 + 34) / 970.0);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void anyPercentileIsAnsweredWhereverTimesAre(long seed) throws IOException {
        Summary summary = summary();
        SplittableRandom random = new SplittableRandom(seed);
        for (int i = 0; i < 200; i++) {
            String percentile =
                    "p" + random.nextInt(100) + (random.nextBoolean() ? "" : "." + random.nextInt(1, 10_000));
            for (String times : List.of(
                    "peak.response.",
                    "whole.serviceTime.",
                    "sendLag.",
                    "stages.1.lag.",
                    "groups.wan.peak.response.",
                    "requests.order.response.",
                    "responseTimeFailed.",
                    "firstCalls.",
                    "metrics.first-byte.")) {
                assertThat(Measures.raw(summary, times + percentile))
                        .as("seed %d: %s%s", seed, times, percentile)
                        .isNotNull();
            }
        }
    }

    @Test
    void aPercentileOfThePeakLiesBetweenItsNeighbours() throws IOException {
        Summary summary = summary();
        double p95 = number(summary, "peak.response.p95");
        double p97 = number(summary, "peak.response.p97");
        double p99 = number(summary, "peak.response.p99");
        assertThat(p97).isBetween(p95, p99);
        assertThat(p99)
                .isEqualTo(requireNonNull(requireNonNull(summary.peak()).responseTime())
                        .p99());
    }

    private static double number(Summary summary, String path) {
        return ((Amount) requireNonNull(Measures.of(path).of(summary))).number();
    }

    @Test
    void whatCannotBeAnsweredIsNotFound() {
        assertThat(List.of(
                        "response",
                        "response.q99",
                        "response.p99.share",
                        "peak.fairness.jain",
                        "peak.verdict",
                        "peak.processing.p50",
                        "requests.order.service.p99",
                        "requests.order.planned",
                        "stages.0.peak.failed",
                        "bytes.share",
                        "nothing.known",
                        "metrics.first-byte",
                        "server.memory.p99",
                        "groups.lan.verdict"))
                .noneMatch(path -> Measures.find(path).isPresent());
        assertThat(Measures.find("responseTimeFailed.p99", MeasureSource.STAGE_UNDER_WAY))
                .isEmpty();
        assertThat(Measures.find("service.p99", MeasureSource.RUN_UNDER_WAY)).isEmpty();
        assertThat(Measures.find("peak.response.p99", MeasureSource.STAGE_UNDER_WAY))
                .isEmpty();
    }

    @Test
    void shortAndLongNamesAreTheSame() {
        for (MeasureSource source : List.of(MeasureSource.SUMMARY, MeasureSource.STAGE_UNDER_WAY)) {
            assertThat(Measures.find("sendLag.p99", source)).isEqualTo(Measures.find("lag.p99", source));
            assertThat(Measures.find("responseTime.p999", source)).isEqualTo(Measures.find("response.p99.9", source));
            assertThat(Measures.find("lag.p99", source)).isPresent();
        }
        assertThat(Measures.of("measured.responseTime.p999").path()).isEqualTo("response.p99.9");
        assertThat(Measures.of("calls.failed.share").path()).isEqualTo("failed.share");
        assertThat(Measures.of("groups.wan.peak.sendLag.median").path()).isEqualTo("groups.wan.peak.lag.p50");
    }

    /** The pattern of the schema and the registry accept the same. */
    @Test
    void thePatternAcceptsWhatIsFoundAndNothingElse() {
        for (MeasureSource source : MeasureSource.values()) {
            Pattern pattern = Pattern.compile(Measures.pattern(source));
            List<String> paths = new ArrayList<>(List.of(
                    "response.p97.5",
                    "response.p101",
                    "response",
                    "failed.share",
                    "bytes.share",
                    "requests.order.failed",
                    "requests.order.sent",
                    "groups.lan.peak.lag.p90",
                    "stages.3.service.mean",
                    "stages.3.verdict",
                    "metrics.data.throughput.p99.9",
                    "server.memory.max",
                    "server.memory.p50",
                    "outcomes.timeout",
                    "verdictx"));
            for (String scope : SCOPES) {
                Measures.names(MeasureSource.SUMMARY).forEach(name -> paths.add(scope + name));
            }
            for (String path : paths) {
                assertThat(pattern.matcher(path).matches())
                        .as("%s in %s", path, source)
                        .isEqualTo(Measures.find(path, source).isPresent());
            }
        }
    }

    @Test
    void anAmountSaysItsUnitItsCountAndItsInterval() throws IOException {
        Summary summary = summary();
        Amount mean = (Amount) requireNonNull(Measures.of("response.mean").of(summary));
        Confidence confidence =
                requireNonNull(requireNonNull(summary.measured()).confidence());
        Confidence.Bounds bounds = confidence.responseTime(Statistic.MEAN);
        assertThat(mean.unit()).isEqualTo("ms");
        assertThat(mean.count())
                .isEqualTo(requireNonNull(summary.measured()).calls().ok());
        if (bounds == null) {
            assertThat(mean.range()).isNull();
        } else {
            assertThat(requireNonNull(mean.range()).parts())
                    .containsEntry(Uncertainty.SAMPLING, new Range(bounds.low(), bounds.high()));
        }
        assertThat(requireNonNull(Measures.of("throughput").of(summary)))
                .isInstanceOfSatisfying(
                        Amount.class, rate -> assertThat(rate.unit()).isEqualTo("calls/s"));
        assertThat(requireNonNull(Measures.of("server.memory.max").of(summary)))
                .isInstanceOfSatisfying(
                        Amount.class, memory -> assertThat(memory.unit()).isEqualTo("bytes"));
    }
}
