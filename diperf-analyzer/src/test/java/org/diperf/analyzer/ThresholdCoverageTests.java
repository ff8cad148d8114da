package org.diperf.analyzer;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.diperf.analyzer.result.Summary.ThresholdResult;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * How often thresholds are decided wrongly, over simulated runs of a service whose times are exponential, so that the truth is known,
 * with calls in flight when the measured part ends. Seeds are fixed.
 */
@Timeout(600)
class ThresholdCoverageTests {

    private static final boolean LONG = Boolean.getBoolean("diperf.long");
    private static final long SEED = 20_261_130;
    private static final int RUNS = LONG ? 1_000 : 25;
    /** So many runs may be decided wrongly, of each threshold. */
    private static final int MAX_WRONG = LONG ? 5 : 1;

    /** How far limits lie from the truth, of it. */
    private static final double[] DISTANCES = {-0.4, -0.2, -0.1, -0.04, 0.04, 0.1, 0.2, 0.4};

    /** What is simulated; all have about 2,000 calls in the measured part. */
    enum Kind {
        /** Ten clients from the start of the run: of each a call is in flight when it ends, and none when it begins. */
        FEW_CLIENTS(10, 50, 0, 10_000),
        /** Hundreds of clients that have begun before: a tenth of the calls is in flight at either end. */
        MANY_CLIENTS(200, 1_000, 3_000, 13_000),
        /** Arrivals at 200/s. */
        OPEN(0, 50, 0, 10_000);

        final int clients;
        final double mean;
        final int from;
        final int to;

        Kind(int clients, double mean, int from, int to) {
            this.clients = clients;
            this.mean = mean;
            this.from = from;
            this.to = to;
        }

        RunFixture run(long seed) {
            SplittableRandom random = new SplittableRandom(seed);
            RunFixture run = new RunFixture()
                    .metric("value", "ms")
                    .requests("one", "other")
                    .tester(1, 0, 0)
                    .exchanges(to);
            if (clients == 0) {
                run.open(200, "poisson", 0, to);
                for (double due = exponential(random, 5); due < to; due += exponential(random, 5)) {
                    call(run, 0, due, due + exponential(random, mean));
                }
            } else {
                run.closed(clients, 0, to).measure("range", from, to, 0);
                for (int client = 0; client < clients; client++) {
                    double end;
                    for (double due = 0; due < to; due = end) {
                        end = due + exponential(random, mean);
                        call(run, client, due, end);
                    }
                }
            }
            return run;
        }

        private static double exponential(SplittableRandom random, double mean) {
            return -mean * Math.log(1 - random.nextDouble());
        }

        private static void call(RunFixture run, int client, double due, double end) {
            run.carrying(false, end - due).call(1, client, (int) (Math.round(end * 1e6) % 2), due, due, end, "ok", 100);
        }

        /** Returns the true numbers by their names, ms and 1/s. */
        Map<String, Double> truth() {
            Map<String, Double> truth = new TreeMap<>();
            truth.put("response.mean", mean);
            truth.put("response.p50", -mean * Math.log(0.5));
            truth.put("response.p90", -mean * Math.log(0.1));
            truth.put("response.p99", -mean * Math.log(0.01));
            truth.put("service.p50", -mean * Math.log(0.5));
            truth.put("whole.response.p90", -mean * Math.log(0.1));
            truth.put("requests.one.response.mean", mean);
            truth.put("requests.one.response.p90", -mean * Math.log(0.1));
            truth.put("metrics.value.p90", -mean * Math.log(0.1));
            truth.put("throughput", 200.0);
            return truth;
        }
    }

    @TempDir
    private Path folder;

    @ParameterizedTest
    @EnumSource
    void whatIsDecidedIsRight(Kind kind) throws IOException {
        List<String> thresholds = new ArrayList<>();
        List<Boolean> truths = new ArrayList<>();
        kind.truth().forEach((name, value) -> {
            for (double distance : DISTANCES) {
                thresholds.add(String.format(Locale.ROOT, "%s < %.6f", name, (1 + distance) * value));
                truths.add(distance > 0);
            }
        });
        int[] passed = new int[thresholds.size()];
        int[] failed = new int[thresholds.size()];
        for (int i = 0; i < RUNS; i++) {
            List<ThresholdResult> results = kind.run(SEED + i)
                    .thresholds(thresholds.toArray(String[]::new))
                    .analyze(folder)
                    .summary()
                    .thresholds();
            Files.delete(folder.resolve("samples/000001.dps"));
            for (int k = 0; k < results.size(); k++) {
                passed[k] += results.get(k).holds() ? 1 : 0;
                failed[k] += results.get(k).fails() ? 1 : 0;
            }
        }
        StringBuilder wrong = new StringBuilder();
        for (int k = 0; k < thresholds.size(); k++) {
            String seen = kind + ", " + thresholds.get(k) + ": of " + RUNS + " runs, seeds from " + SEED + ", "
                    + passed[k] + " passed, " + failed[k] + " failed";
            System.err.println(seen);
            wrong.append((truths.get(k) ? failed[k] : passed[k]) > MAX_WRONG ? seen + "\n" : "");
        }
        assertThat(wrong)
                .as("wrongly decided more than " + MAX_WRONG + " times")
                .isEmpty();
    }
}
