package org.diperf.analyzer;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.assertj.core.data.Offset;
import org.diperf.analyzer.result.Analysis;
import org.diperf.analyzer.result.ClientRow;
import org.diperf.analyzer.result.PartCounts;
import org.diperf.analyzer.result.Series;
import org.diperf.analyzer.result.Summary;
import org.diperf.analyzer.result.Summary.CallCounts;
import org.diperf.analyzer.result.Summary.Fairness;
import org.diperf.analyzer.result.Summary.RequestSummary;
import org.diperf.analyzer.result.Summary.StageSummary;
import org.diperf.analyzer.result.Summary.Throughput;
import org.diperf.analyzer.stats.Statistic;
import org.diperf.analyzer.stats.Statistics;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Fifteen calls whose numbers were worked out on paper: level 1, client 0 alone, from 0 s to 4 s, settled at 1 s; level 2, both
 * clients, from 4 s to 8 s, settled at 5 s. Reads move 1,000 bytes, writes 5,000. What calls alone decide is compared to the last
 * digit; the paper's fractions to 1e-12.
 */
@Timeout(60)
final class HandSolvedLevelsTests {

    private static final long MILLI = 1_000_000;
    private static final int READ = 0;
    private static final int WRITE = 1;
    private static final Offset<Double> ROUNDING = within(1e-12);

    @TempDir
    private Path folder;

    private final RunFixture run = new RunFixture();
    private Analysis analysis;

    @BeforeEach
    void analyze() throws IOException {
        run.tester(1, 0, 0)
                .requests("read", "write")
                .stage(StageRecords.level(0, 0, 4000, 1, 1000))
                .stage(StageRecords.level(1, 4000, 8000, 2, 5000))
                .exchanges(9000)
                .observation(1, "network.rtt", 1000, 2.0);
        call(0, 0, READ, 100, 100, 300, "ok");
        call(0, 0, WRITE, 500, 510, 900, "http 500");
        call(0, 0, READ, 1200, 1200, 1500, "ok");
        call(0, 0, WRITE, 2050, 2060, 2550, "ok");
        call(0, 0, READ, 3100, 3100, 3200, "ok");
        // Begun in the first level, ended in the second.
        call(0, 0, READ, 3500, 3500, 4300, "ok");
        call(1, 0, READ, 4400, 4400, 4800, "ok");
        // Due before the second level had settled, ended behind that.
        call(1, 1, WRITE, 4100, 4100, 5200, "ok");
        call(1, 0, READ, 5050, 5050, 5450, "ok");
        call(1, 1, WRITE, 5300, 5320, 6300, "ok");
        call(1, 0, READ, 6100, 6100, 6400, "ok");
        call(1, 1, READ, 6500, 6500, 6700, "timeout");
        call(1, 0, WRITE, 6600, 6600, 7400, "ok");
        call(1, 1, READ, 7100, 7100, 7600, "ok");
        call(1, 0, READ, 7700, 7700, 7990, "ok");
        analysis = run.analyze(folder);
    }

    private void call(int stage, int client, int request, long intended, long sent, long ended, String outcome) {
        run.nanos(
                1,
                stage,
                client,
                request,
                intended * MILLI,
                sent * MILLI,
                ended * MILLI,
                outcome,
                request == READ ? 1000 : 5000);
    }

    private Summary summary() {
        return analysis.summary();
    }

    @Test
    void callsAreCounted() {
        assertThat(summary().durationSeconds()).isEqualTo(8);
        CallCounts calls = summary().calls();
        assertThat(calls.sent()).isEqualTo(15);
        assertThat(calls.total()).isEqualTo(15);
        assertThat(calls.ok()).isEqualTo(13);
        assertThat(calls.failed()).isEqualTo(2);
        assertThat(calls.timedOut()).isEqualTo(1);
        assertThat(calls.outcomes()).isEqualTo(Map.of("ok", 13L, "http 500", 1L, "timeout", 1L));
        assertThat(calls.bytes()).isEqualTo(9 * 1000 + 4 * 5000);
    }

    @Test
    void throughputIsOverTimeAndOverWholeQuanta() {
        assertThat(rate(summary())).isEqualTo(new Throughput(13 / 8.0, 1.5, 1.0, 3.0));
        assertThat(Arrays.copyOf(analysis.series().of(Series.THROUGHPUT), 8)).containsExactly(1, 1, 1, 1, 2, 2, 2, 3);
        assertThat(Arrays.copyOf(analysis.series().of(Series.FAILED), 8)).containsExactly(1, 0, 0, 0, 0, 0, 1, 0);
        assertThat(analysis.series().of(Series.BYTES)[7]).isEqualTo(7000);
    }

    @Test
    void timesOfCallsAreOrderStatistics() {
        Statistics response = requireNonNull(summary().responseTime());
        assertThat(response.count()).isEqualTo(13);
        assertThat(response.min()).isEqualTo(100);
        assertThat(response.mean()).isCloseTo(6690 / 13.0, ROUNDING);
        assertThat(response.stddev()).isCloseTo(Math.sqrt(15_357_200) / 13, ROUNDING);
        assertThat(response.p50()).isEqualTo(400);
        assertThat(response.p90()).isEqualTo(1000);
        assertThat(response.p95()).isEqualTo(1100);
        assertThat(response.p99()).isEqualTo(1100);
        assertThat(response.max()).isEqualTo(1100);
        Statistics failed = requireNonNull(summary().responseTimeFailed());
        assertThat(failed.count()).isEqualTo(2);
        assertThat(failed.mean()).isEqualTo(300);
        Statistics service = requireNonNull(summary().serviceTime());
        assertThat(service.mean()).isCloseTo(6660 / 13.0, ROUNDING);
        Statistics lag = requireNonNull(summary().sendLag());
        assertThat(lag.count()).isEqualTo(15);
        assertThat(lag.mean()).isCloseTo(40 / 15.0, ROUNDING);
        assertThat(lag.p50()).isZero();
        assertThat(lag.p90()).isEqualTo(10);
        assertThat(lag.max()).isEqualTo(20);
        // All trips to the target took 2 ms.
        Statistics processing = requireNonNull(summary().processingTime());
        assertThat(processing.mean()).isCloseTo(6660 / 13.0 - 2, within(1e-9));
        assertThat(processing.p50()).isEqualTo(398);
    }

    @Test
    void aLevelIsOfTheCallsThatWereDueFromItsSettlingOn() {
        StageSummary first = requireNonNull(summary().stages()).get(0);
        assertThat(first.settledSeconds()).isEqualTo(1);
        assertThat(first.calls().ok()).isEqualTo(4);
        assertThat(first.calls().failed()).isZero();
        assertThat(first.calls().bytes()).isEqualTo(8000);
        assertThat(rate(first)).isEqualTo(new Throughput(1, 1.0, 1.0, 1.0));
        assertThat(requireNonNull(first.responseTime()).mean()).isEqualTo(425);
        assertThat(requireNonNull(first.responseTime()).p50()).isEqualTo(300);
        assertThat(requireNonNull(first.serviceTime()).mean()).isEqualTo(422.5);
        StageSummary second = requireNonNull(summary().stages()).get(1);
        assertThat(second.clients()).isEqualTo(2);
        assertThat(second.calls().ok()).isEqualTo(6);
        assertThat(second.calls().timedOut()).isEqualTo(1);
        assertThat(rate(second)).isEqualTo(new Throughput(7 / 3.0, 2.0, 2.0, 3.0));
        assertThat(requireNonNull(second.responseTime()).mean()).isCloseTo(3290 / 6.0, ROUNDING);
        assertThat(requireNonNull(second.responseTime()).p50()).isEqualTo(400);
        assertThat(requireNonNull(second.responseTime()).p99()).isEqualTo(1000);
        assertThat(second.littlesLaw()).as("of seven calls nobody can tell").isNull();
        assertThat(requireNonNull(requireNonNull(second.confidence()).missing()))
                .containsKeys("throughput", "responseTime.mean", "responseTime.p99");
    }

    @Test
    void thePeakIsTheBetterLevelFromItsSettlingOn() {
        Summary.Window peak = requireNonNull(summary().peak());
        assertThat(peak.fromSeconds()).isEqualTo(5);
        assertThat(peak.toSeconds()).isEqualTo(8);
        assertThat(peak.clients()).isEqualTo(2);
        assertThat(peak.calls().ok()).isEqualTo(7);
        assertThat(peak.calls().failed()).isEqualTo(1);
        assertThat(requireNonNull(peak.throughput()).mean()).isEqualTo(7 / 3.0);
        assertThat(requireNonNull(peak.responseTime()).mean()).isCloseTo(4390 / 7.0, ROUNDING);
        assertThat(summary().measured()).isEqualTo(peak);
    }

    @Test
    void fairnessIsOfTheSharesOfThePeak() {
        Fairness fairness = requireNonNull(summary().fairness());
        assertThat(fairness.clients()).isEqualTo(2);
        assertThat(fairness.utilisationStddev()).isCloseTo(1 / 14.0, ROUNDING);
        assertThat(fairness.jain()).isCloseTo(0.98, ROUNDING);
        assertThat(fairness.coefficientOfVariation()).isCloseTo(1 / 7.0, ROUNDING);
        assertThat(fairness.maxToMin()).isCloseTo(4 / 3.0, ROUNDING);
        assertThat(fairness.p99ToP50()).isCloseTo(4 / 3.0, ROUNDING);
        assertThat(fairness.confidence()).as("of two clients").isNull();
    }

    @Test
    void clientsAndKindsOfRequestHaveNumbersOfTheirOwn() {
        ClientRow first = analysis.clients().get(0);
        assertThat(first.calls()).isEqualTo(11);
        assertThat(first.ok()).isEqualTo(10);
        assertThat(first.bytes()).isEqualTo(18_000);
        assertThat(first.utilisation()).isEqualTo(10 / 13.0);
        assertThat(first.peakUtilisation()).isEqualTo(4 / 7.0);
        ClientRow second = analysis.clients().get(1);
        assertThat(second.fromSeconds()).isEqualTo(4);
        assertThat(second.calls()).isEqualTo(4);
        assertThat(second.failed()).isEqualTo(1);
        assertThat(second.bytes()).isEqualTo(11_000);
        assertThat(second.utilisation()).isEqualTo(3 / 9.0);
        assertThat(second.response(Statistic.P50)).isEqualTo(1000);
        List<RequestSummary> kinds = List.copyOf(analysis.requests().values());
        RequestSummary read = kinds.get(READ);
        assertThat(read.counts().total()).isEqualTo(10);
        assertThat(read.counts().ok()).isEqualTo(9);
        assertThat(read.rate().mean()).isEqualTo(9 / 8.0);
        Statistics reads = requireNonNull(read.responseTime());
        assertThat(reads.mean()).isCloseTo(3290 / 9.0, ROUNDING);
        assertThat(reads.p50()).isEqualTo(300);
        assertThat(reads.p95()).isEqualTo(800);
        RequestSummary write = kinds.get(WRITE);
        assertThat(write.counts().ok()).isEqualTo(4);
        assertThat(write.counts().failed()).isEqualTo(1);
        Statistics writes = requireNonNull(write.responseTime());
        assertThat(writes.mean()).isEqualTo(850);
        assertThat(writes.p50()).isEqualTo(800);
    }

    @Test
    void loadIsWeightedByTime() {
        Series series = analysis.series();
        assertThat(Arrays.copyOf(series.of(Series.ACTIVE_CLIENTS), 8)).containsExactly(1, 1, 1, 1, 2, 2, 2, 2);
        // From 5 s to 6 s: 0.2 s of the one that was under way, 0.4 s, and 0.68 s from when it was sent.
        assertThat(series.of(Series.IN_FLIGHT)[5]).isCloseTo(1.28, ROUNDING);
        assertThat(series.response(Statistic.MEAN)[7]).isEqualTo(530);
        assertThat(series.response(Statistic.MAX)[7]).isEqualTo(800);
        assertThat(series.response(Statistic.P50)[7]).isEqualTo(500);
    }

    /** Returns the throughput of a part without what the clocks may have made of it. */
    private static Throughput rate(PartCounts part) {
        Throughput rate = requireNonNull(part.throughput());
        return new Throughput(rate.mean(), rate.median(), rate.min(), rate.max());
    }
}
