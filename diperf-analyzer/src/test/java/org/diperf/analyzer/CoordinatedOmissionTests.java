package org.diperf.analyzer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Objects;
import org.assertj.core.data.Percentage;
import org.diperf.analyzer.result.Summary;
import org.diperf.analyzer.stats.Statistics;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A service that answers in 1 ms stands still for one second of a minute, at 1,000 calls a second. Of 60,000 calls those due in
 * the stall wait for its end: the k-th slowest takes 1,000 ms - (k - 1) ms, and more than 98 % take 1 ms. So the median is 1 ms, the
 * 99th percentile (the 601st slowest) 401 ms, the 99.9th (the 61st slowest) 941 ms.
 */
@Timeout(60)
final class CoordinatedOmissionTests {

    private static final int CALLS = 60_000;
    private static final long MILLI = 1_000_000;
    private static final long STALL_FROM = 30_000;
    private static final long STALL_TO = 31_000;

    @TempDir
    private Path folder;

    /** @param connections that the generator has; it sends a call only when one of them is free */
    private Summary run(int connections) throws IOException {
        RunFixture run =
                new RunFixture().tester(1, 5_000_000_000L, 30).exchanges(62_000).open(1000, "constant", 0, 60_000);
        long[] free = new long[connections];
        for (int i = 0; i < CALLS; i++) {
            int client = i % connections;
            long sent = Math.max(i, free[client]);
            long end = sent >= STALL_FROM && sent < STALL_TO ? STALL_TO : sent + 1;
            free[client] = end;
            run.nanos(1, 0, client, 0, i * MILLI, sent * MILLI, end * MILLI, "ok", 1);
        }
        return run.analyze(folder).summary();
    }

    private static void assertAnalytic(Statistics times) {
        Percentage twoPercent = Percentage.withPercentage(2);
        assertThat(times.count()).isEqualTo(CALLS);
        assertThat(times.p50()).isCloseTo(1, twoPercent);
        assertThat(times.p99()).isCloseTo(401, twoPercent);
        assertThat(times.p999()).isCloseTo(941, twoPercent);
        assertThat(times.max()).isCloseTo(1000, twoPercent);
    }

    @Test
    void oneStallIsFeltByEveryCallThatWasDueInIt() throws IOException {
        Summary summary = run(2000);
        assertAnalytic(Objects.requireNonNull(summary.responseTime()));
        assertThat(Objects.requireNonNull(summary.serviceTime()).p99()).isCloseTo(401, Percentage.withPercentage(2));
    }

    @Test
    void whatWaitsForAConnectionIsHiddenFromServiceTimeAlone() throws IOException {
        Summary summary = run(10);
        Statistics response = Objects.requireNonNull(summary.responseTime());
        Statistics service = Objects.requireNonNull(summary.serviceTime());
        assertThat(response.p99()).isGreaterThan(401);
        assertThat(response.max()).isCloseTo(1000, Percentage.withPercentage(2));
        // Only the ten calls that were under way felt the stall.
        assertThat(service.p999()).isCloseTo(1, within(0.1));
    }
}
