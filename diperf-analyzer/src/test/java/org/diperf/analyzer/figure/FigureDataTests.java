package org.diperf.analyzer.figure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Path;
import org.assertj.core.data.Offset;
import org.diperf.analyzer.RunFixture;
import org.diperf.analyzer.StageRecords;
import org.diperf.analyzer.figure.FigureData.Row;
import org.diperf.analyzer.result.Analysis;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * What figures draw, of runs that were written by the sample writer and read by the analyzer. The numbers are worked out by hand:
 * client 0 makes two calls of 100 ms a second, client 1 one of 400 ms, for 4 s; the last one of client 1 fails.
 */
@Timeout(120)
final class FigureDataTests {

    private static final long MILLI = 1_000_000;
    private static final double[] MIDDLES = {0.5, 1.5, 2.5, 3.5};
    private static final Offset<Double> EXACT = within(1e-9);

    @TempDir
    private Path folder;

    private Analysis twoClients() throws IOException {
        RunFixture run = new RunFixture().tester(1, 0, 0).closed(2, 0, 4000).exchanges(5000);
        for (int second = 0; second < 4; second++) {
            long at = 1000L * second;
            run.call(1, 0, at + 100, at + 100, at + 200, "ok");
            run.call(1, 0, at + 600, at + 600, at + 700, "ok");
            run.call(1, 1, at + 300, at + 300, at + 700, second == 3 ? "refused" : "ok");
        }
        return run.analyze(folder);
    }

    @Test
    void theMainFigureShowsLoadAndThroughputAboveAndResponseTimesBelow() throws IOException {
        FigureData main = FigureData.of(twoClients(), "main");

        assertThat(main.domain()).isEqualTo("time since the start of the run (s)");
        assertThat(main.panel(0)).extracting(Row::name).containsExactly("active clients", "throughput (calls/s)");
        assertThat(main.panel(0))
                .extracting(Row::axis)
                .containsExactly("load (active clients)", "throughput (calls/s)");
        assertThat(main.row(0, "active clients").x()).containsExactly(MIDDLES, EXACT);
        assertThat(main.row(0, "active clients").y()).containsExactly(new double[] {2, 2, 2, 2}, within(0.3));
        assertThat(main.row(0, "throughput (calls/s)").y()).containsExactly(new double[] {3, 3, 3, 2}, EXACT);
        assertThat(main.panel(1)).extracting(Row::axis).containsOnly("response time (ms)");
        assertThat(main.row(1, "response p99 (ms)").y()).containsExactly(new double[] {400, 400, 400, 100}, EXACT);
        assertThat(main.row(1, "response p50 (ms)").y()).containsExactly(new double[] {100, 100, 100, 100}, EXACT);
        assertThat(main.legend())
                .startsWith("active clients", "throughput (calls/s)", "response p99 (ms)", "response p50 (ms)");
    }

    @Test
    void everyOkCallIsADotAtItsEnd() throws IOException {
        Row dots = FigureData.of(twoClients(), "load-throughput-response").row(0, "single calls (ms)");

        assertThat(dots.axis()).isEqualTo("response time (ms)");
        double[] ends = {0.2, 0.7, 0.7, 1.2, 1.7, 1.7, 2.2, 2.7, 2.7, 3.2, 3.7};
        assertThat(dots.x()).hasSize(ends.length);
        assertThat(java.util.Arrays.stream(dots.x()).sorted().toArray()).containsExactly(ends, EXACT);
        assertThat(java.util.Arrays.stream(dots.y()).filter(millis -> millis > 200))
                .hasSize(3)
                .allMatch(millis -> millis == 400);
    }

    @Test
    void failedCallsHaveAFigureOfTheirOwnOnlyWhereThereAreAny() throws IOException {
        FigureData failures = FigureData.of(twoClients(), "failures");

        assertThat(failures.panel(0)).extracting(Row::name).containsExactly("failed");
        assertThat(failures.row(0, "failed").axis()).isEqualTo("rate (calls/s)");
        assertThat(failures.row(0, "failed").x()).containsExactly(MIDDLES, EXACT);
        assertThat(failures.row(0, "failed").y()).containsExactly(new double[] {0, 0, 0, 1}, EXACT);
    }

    @Test
    void aFigureOfLevelsHasAPointForEachAtWhatItServed() throws IOException {
        RunFixture run = new RunFixture()
                .tester(1, 0, 0)
                .exchanges(13_000)
                .stage(StageRecords.level(0, 0, 4000, 1, 1000))
                .stage(StageRecords.level(1, 4000, 8000, 2, 5000))
                .stage(StageRecords.level(2, 8000, 12_000, 4, 9000));
        int[] clients = {1, 2, 4};
        long[] took = {100, 100, 200};
        for (int stage = 0; stage < 3; stage++) {
            for (int client = 0; client < clients[stage]; client++) {
                for (long at = 4000L * stage; at + took[stage] <= 4000L * (stage + 1); at += took[stage]) {
                    run.nanos(1, stage, client, 0, at * MILLI, at * MILLI, (at + took[stage]) * MILLI - 1, "ok", 0);
                }
            }
        }
        FigureData levels = FigureData.of(run.analyze(folder), "levels");

        // Levels that span less than a decade are drawn on linear scales: 10, 20 and 20 calls a second.
        assertThat(levels.domain()).isEqualTo("load (concurrent clients)");
        Row served = levels.row(0, "throughput");
        assertThat(served.axis()).isEqualTo("throughput (ok calls/s)");
        assertThat(served.x()).containsExactly(new double[] {1, 2, 4}, EXACT);
        assertThat(served.y()).containsExactly(new double[] {10, 20, 20}, within(0.5));
        assertThat(levels.row(1, "response p50").y()).containsExactly(new double[] {100, 100, 200}, within(0.1));
        assertThat(levels.legend()).contains("best level").doesNotContain("generator was the limit");
    }

    @Test
    void whatAMonitorSawStandsBesideWhatClientsAskedFor() throws IOException {
        RunFixture run = new RunFixture()
                .tester(1, 0, 0)
                .closed(1, 0, 4000)
                .exchanges(5000)
                .monitor("server", "process");
        for (int call = 0; call < 40; call++) {
            run.call(1, 0, 100 * call, 100 * call, 50 + 100 * call, "ok");
        }
        for (int second = 0; second <= 4; second++) {
            run.watched("gauge cpu [cores]", 1000 * second, 0.5).watched("gauge memory [bytes]", 1000 * second, 64e6);
        }
        FigureData server = FigureData.of(run.analyze(folder), "server-server");

        assertThat(server.row(0, "server memory (MB)").y()).containsExactly(new double[] {64, 64, 64, 64}, EXACT);
        assertThat(server.row(0, "server memory (MB)").axis()).isEqualTo("server memory (MB)");
        assertThat(server.row(1, "server CPU (cores)").y()).containsExactly(new double[] {0.5, 0.5, 0.5, 0.5}, EXACT);
        assertThat(server.row(1, "throughput (calls/s)").y()).containsExactly(new double[] {10, 10, 10, 10}, EXACT);
        assertThat(server.legend())
                .startsWith("active clients", "server memory (MB)", "throughput (calls/s)", "server CPU (cores)");
    }
}
