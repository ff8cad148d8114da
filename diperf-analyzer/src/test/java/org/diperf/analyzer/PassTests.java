package org.diperf.analyzer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.diperf.analyzer.Analyzer.Options;
import org.diperf.analyzer.result.Analysis;
import org.diperf.analyzer.result.ClientRow;
import org.diperf.analyzer.result.Series;
import org.diperf.analyzer.result.Summary;
import org.diperf.analyzer.run.ClockFile;
import org.diperf.analyzer.run.RunFiles;
import org.diperf.analyzer.run.RunJson;
import org.diperf.analyzer.sets.Durations;
import org.diperf.analyzer.stats.Statistic;
import org.diperf.analyzer.stats.Uncertainty;
import org.diperf.core.clock.Corridor;
import org.diperf.core.sample.Block;
import org.diperf.core.sample.Calls;
import org.diperf.core.sample.SampleReader;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Samples counted by several threads, block by block, against one thread and against a list of all calls. */
@Timeout(120)
final class PassTests {

    @TempDir
    Path folder;

    /** Calls of every outcome, of groups, levels or one stage, in blocks that come twice, late or damaged. */
    private static RunFixture random(long seed, String load) {
        SplittableRandom random = new SplittableRandom(seed);
        RunFixture run = new RunFixture().requests("read", "write").quantumMillis(250);
        for (int tester = 1; tester <= 4; tester++) {
            run.tester(tester, tester * 1_000_000_007L, 20 * tester);
        }
        switch (load) {
            case "groups" -> run.group("some", 1, 2, 8, 0, 50, 3_000).group("others", 3, 2, 8, 500, 20, 3_000);
            case "levels" -> {
                run.stage(StageRecords.level(0, 0, 2_000, 8, 300));
                run.stage(StageRecords.level(1, 2_000, 4_000, 16, 2_400));
            }
            case "open" -> run.open(500, "poisson", 500, 3_500);
            default -> run.closed(16, 20, 3_500);
        }
        run.exchanges(5_000);
        String[] outcomes = {
            "ok", "ok", "ok", "ok", "ok", "timeout", "status 500", "too many open files", "unfinished", "dropped"
        };
        for (int i = 0; i < 20_000; i++) {
            double end = i / 5.0 + random.nextDouble();
            double latency = Math.exp(2 * random.nextDouble() + (i % 97 == 0 ? 5 : 0));
            double intended = Math.max(0, end - latency);
            int client = random.nextInt(16);
            int tester = load.equals("groups") ? client / 8 * 2 + client % 8 / 4 + 1 : client % 4 + 1;
            int stage = load.equals("levels") ? (end < 2_000 ? 0 : 1) : load.equals("groups") ? client / 8 : 0;
            run.nanos(
                    tester,
                    stage,
                    client,
                    random.nextInt(3),
                    Math.round(intended * 1e6),
                    Math.round((intended + (end - intended) * random.nextDouble() / 10) * 1e6),
                    Math.round(end * 1e6),
                    i / 500 % 2 == 0 ? "ok" : outcomes[random.nextInt(outcomes.length)],
                    random.nextInt(1_000));
            if (i % 1_300 == 0) {
                run.again(tester);
            } else if (i == 7_000) {
                run.damage(tester);
            } else if (i % 990 == 0) {
                run.observation(tester, "network.rtt", Math.round(end), random.nextDouble());
                run.observation(tester, "tester.cpu", Math.round(end), random.nextDouble());
            }
        }
        return run;
    }

    @ParameterizedTest
    @CsvSource({"1, closed", "2, groups", "3, levels", "4, open"})
    void theAnalysisDoesNotDependOnThreads(long seed, String load) throws IOException {
        Path run = random(seed, load).write(folder);
        Analysis alone = Analyzer.analyze(run, Options.AS_RECORDED, 0);
        for (int threads = 1; threads <= 5; threads += 2) {
            Analysis shared = Analyzer.analyze(run, Options.AS_RECORDED, threads);
            assertThat(shared)
                    .as("%d threads", threads)
                    .usingRecursiveComparison()
                    .withEqualsForType(Double::equals, Double.class)
                    // What gives the ranges of other percentiles is laid out differently in memory; one range is
                    // compared below.
                    .ignoringFieldsMatchingRegexes(".*\\.responseTime\\.parts")
                    .isEqualTo(alone);
            assertThat(Analyzer.summaryJson(shared)).isEqualTo(Analyzer.summaryJson(alone));
            assertThat(rare(shared)).isEqualTo(rare(alone)).isNotNull();
        }
        assertThat(alone.summary().calls().failed()).isPositive();
    }

    /** Returns the range of a percentile that files do not hold. */
    private static @Nullable Uncertainty rare(Analysis analysis) {
        Summary.Window measured = Objects.requireNonNull(analysis.summary().measured());
        return Objects.requireNonNull(measured.responseTime())
                .range(Statistic.named("p98.5").orElseThrow());
    }

    @ParameterizedTest
    @CsvSource({"closed, 64", "closed, 3000", "open, 100", "levels, 64"})
    void numbersAreThoseOfAListOfAllCalls(String load, int clients) throws IOException {
        Path run = MadeRun.write(folder, load, 300_000, 3, clients);
        Analysis analysis = Analyzer.analyze(run, Options.AS_RECORDED, 2);
        long[][] calls = list(run);
        long[] latencies = sorted(calls, Integer.MIN_VALUE);
        assertThat(analysis.summary().calls().ok()).isEqualTo(latencies.length);
        assertThat(analysis.response()).satisfies(all -> {
            assertThat(all.count()).isLessThanOrEqualTo(latencies.length);
            assertThat(analysis.summary().responseTime()).isNotNull().satisfies(times -> {
                assertThat(times.min()).isEqualTo(latencies[0] / 1e6);
                assertThat(times.max()).isEqualTo(latencies[latencies.length - 1] / 1e6);
                assertThat(times.mean())
                        .isCloseTo(Arrays.stream(latencies).average().orElse(0) / 1e6, within(1e-9));
                assertThat(times.p99()).isCloseTo(quantile(latencies, 0.99), within(times.p99() * 0.0005));
            });
        });
        for (int second = 0; second < analysis.series().size() - 1; second++) {
            long[] within = sorted(calls, second);
            assertThat(analysis.series().of(Series.THROUGHPUT)[second]).isCloseTo(within.length, within(3.0));
            double p50 = quantile(within, 0.5);
            assertThat(analysis.series().response(Statistic.P50)[second]).isCloseTo(p50, within(p50 * 0.008));
            double p99 = quantile(within, 0.99);
            assertThat(analysis.series().response(Statistic.P99)[second]).isCloseTo(p99, within(p99 * 0.008));
        }
        for (ClientRow row : analysis.clients()) {
            if (row.client() % 50 == 0 || row.client() < 10) {
                isThatOf(row, calls, load.equals("open"));
            }
        }
        long counted = analysis.clients().stream().mapToLong(ClientRow::ok).sum();
        assertThat(counted).isEqualTo(calls.length);
    }

    /** @param unplanned when the client was active is known from its calls alone */
    private static void isThatOf(ClientRow row, long[][] calls, boolean unplanned) {
        long[][] own =
                Arrays.stream(calls).filter(call -> call[1] == row.client()).toArray(long[][]::new);
        assertThat(row.ok()).as("client %d", row.client()).isEqualTo(own.length);
        assertThat(row.bytes())
                .isEqualTo(Arrays.stream(own).mapToLong(call -> call[5]).sum());
        if (own.length == 0) {
            return;
        }
        long[] latencies = sorted(own, Integer.MIN_VALUE);
        assertThat(row.response(Statistic.MEAN))
                .isCloseTo(Arrays.stream(latencies).average().orElse(0) / 1e6, within(1e-9));
        assertThat(row.response(Statistic.P50))
                .isCloseTo(quantile(latencies, 0.5), within(row.response(Statistic.P50) * 0.02));
        assertThat(row.response(Statistic.P99))
                .isCloseTo(quantile(latencies, 0.99), within(row.response(Statistic.P99) * 0.02));
        if (unplanned) {
            assertThat(row.fromSeconds())
                    .isEqualTo(Arrays.stream(own)
                                    .mapToLong(call -> Math.max(0, call[3]))
                                    .min()
                                    .orElse(0)
                            / 1e9);
            assertThat(row.toSeconds())
                    .isEqualTo(
                            Arrays.stream(own).mapToLong(call -> call[4]).max().orElse(0) / 1e9);
        }
    }

    /** Lists second, client, response time, begin, end and bytes of all calls. */
    private static long[][] list(Path run) throws IOException {
        ClockFile clocks = ClockFile.read(run.resolve(RunFiles.CLOCK));
        long start = RunJson.read(run.resolve(RunFiles.RUN)).startNanos();
        List<long[]> all = new ArrayList<>();
        Calls calls = new Calls();
        SampleReader.read(run.resolve("samples"), new SampleReader.Visitor() {
            @Override
            public void block(Block header, ByteBuffer data) throws IOException {
                calls.decode(data, header);
                Corridor corridor = Objects.requireNonNull(clocks.corridor(header.tester()));
                for (int row = 0; row < calls.rows(); row++) {
                    long end = corridor.globalNanos(calls.intendedNanos(row) + calls.latencyNanos(row)) - start;
                    long sent = end - calls.latencyNanos(row) + calls.lagNanos(row);
                    all.add(new long[] {
                        end / 1_000_000_000, calls.client(row), calls.latencyNanos(row), sent, end, calls.bytes(row)
                    });
                }
            }

            @Override
            public void damaged(Path file, long offset, String reason) {
                throw new IllegalStateException(reason);
            }
        });
        return all.toArray(long[][]::new);
    }

    private static long[] sorted(long[][] calls, int second) {
        return Arrays.stream(calls)
                .filter(call -> second < 0 || call[0] == second)
                .mapToLong(call -> call[2])
                .sorted()
                .toArray();
    }

    private static double quantile(long[] sorted, double q) {
        return sorted[(int) Durations.rank(q, sorted.length) - 1] / 1e6;
    }

    @Test
    @EnabledIfSystemProperty(named = "diperf.long", matches = "true")
    void memoryDoesNotGrowWithSamples() throws IOException {
        long few = heapAfter(MadeRun.write(folder.resolve("few"), "closed", 2_000_000, 2, 64));
        long many = heapAfter(MadeRun.write(folder.resolve("many"), "closed", 20_000_000, 2, 64));
        // Ten times as many seconds are 72 more quanta, of some KiB each.
        assertThat(many - few).isLessThan(4 << 20);
    }

    private static long heapAfter(Path run) throws IOException {
        Analysis analysis = Analyzer.analyze(run, Options.AS_RECORDED, 2);
        long least = LongStream.range(0, 5)
                .map(i -> {
                    System.gc();
                    return Runtime.getRuntime().totalMemory()
                            - Runtime.getRuntime().freeMemory();
                })
                .min()
                .orElse(0);
        assertThat(analysis.summary().calls().ok()).isPositive();
        return least;
    }
}
