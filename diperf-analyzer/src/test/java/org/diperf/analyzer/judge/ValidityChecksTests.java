package org.diperf.analyzer.judge;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.diperf.analyzer.Analyzer;
import org.diperf.analyzer.RunFixture;
import org.diperf.analyzer.StageRecords;
import org.diperf.analyzer.result.Analysis;
import org.diperf.analyzer.result.Confidence;
import org.diperf.analyzer.result.LittlesLaw;
import org.diperf.analyzer.result.SteadyPhase;
import org.diperf.analyzer.result.Summary.StageSummary;
import org.diperf.analyzer.result.Summary.Window;
import org.diperf.analyzer.stats.Statistic;
import org.diperf.core.plan.ThinkTime;
import org.diperf.core.run.Warning;
import org.diperf.core.spi.ClientTrait;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
final class ValidityChecksTests {

    private static final long MILLI = 1_000_000;

    @TempDir
    private Path folder;

    private static RunFixture fixture() {
        return new RunFixture().tester(1, 3_600_000_000_000L, 0).exchanges(31_000);
    }

    /** Two clients for 30 s; calls take 8 and 12 ms in turn, slower at the begin by {@code slowMillis}, and clients think 10 ms. */
    private static RunFixture steady(long warmUpMillis, long slowMillis) {
        RunFixture run = fixture().think(ThinkTime.fixed(Duration.ofMillis(10))).closed(2, 0, 30_000);
        for (int client = 0; client < 2; client++) {
            long at = 0;
            for (int i = 0; at < 29_980; i++) {
                long takes = (i % 2 == 0 ? 8 : 12) + (at < warmUpMillis ? slowMillis : 0);
                run.nanos(1, 0, client, 0, at * MILLI, at * MILLI, (at + takes) * MILLI, "ok", 10);
                at += takes + 10;
            }
        }
        return run;
    }

    @Test
    void aSteadyRunHasIntervalsAroundItsNumbersAndKeepsLittlesLaw() throws IOException {
        Analysis analysis = steady(0, 0).analyze(folder);
        Window measured = requireNonNull(analysis.summary().measured());
        Confidence confidence = requireNonNull(measured.confidence());
        Confidence.Bounds mean = requireNonNull(confidence.responseTime(Statistic.MEAN));
        assertThat(confidence.level()).isEqualTo(0.95);
        assertThat(mean.low()).isBetween(9.5, 10.0);
        assertThat(mean.high()).isBetween(10.0, 10.5);
        assertThat(requireNonNull(confidence.throughput()).low()).isBetween(98.0, 100.1);
        assertThat(confidence.missing()).containsKey("responseTime.p99");
        assertThat(requireNonNull(measured.steady()).state()).isEqualTo("steady");
        assertThat(measured.steady().fromSeconds()).isEqualTo(0);
        LittlesLaw law = requireNonNull(measured.littlesLaw());
        // Each client makes a call every 20 ms on average: 2 = 100/s x (10 ms + 10 ms).
        assertThat(law.counted()).isEqualTo(2);
        assertThat(law.product()).isCloseTo(2, within(0.01));
        assertThat(law.perSecond()).isCloseTo(100, within(0.2));
        assertThat(law.thinkMillis()).isEqualTo(10);
        assertThat(law.holds()).isTrue();
        assertThat(analysis.summary().warnings()).isEmpty();
    }

    @Test
    void aWarmUpThatIsMeasuredIsNamedWithItsEnd() throws IOException {
        Analysis analysis = steady(9_000, 15).analyze(folder);
        SteadyPhase steady =
                requireNonNull(requireNonNull(analysis.summary().measured()).steady());
        assertThat(steady.fromSeconds()).isBetween(8.8, 9.6);
        assertThat(analysis.summary().warnings())
                .extracting(Warning::text)
                .singleElement()
                .asString()
                .startsWith("the measured part was steady only from 9.")
                .contains("measure.skip");
        assertThat(analysis.summary().verdict()).isEqualTo("valid");
    }

    @Test
    void aRunThatIsSlowToItsEndWasNeverSteady() throws IOException {
        Analysis analysis = steady(20_000, 15).analyze(folder);
        assertThat(requireNonNull(requireNonNull(analysis.summary().measured()).steady())
                        .state())
                .isEqualTo("none");
        assertThat(analysis.summary().warnings())
                .extracting(Warning::text)
                .singleElement()
                .asString()
                .startsWith("response times or throughput still changed in the second half");
    }

    /** Clients think once a journey, so that calls and think time together would say more clients than there are. */
    @Test
    void ofCallsOfJourneysLittlesLawSaysNothing() throws IOException {
        RunFixture run = fixture()
                .journey("buy", "look", "pay")
                .think(ThinkTime.fixed(Duration.ofMillis(10)))
                .closed(1, 0, 30_000);
        for (long at = 0; at < 29_970; at += 20) {
            run.nanos(1, 0, 0, 0, at * MILLI, at * MILLI, (at + 5) * MILLI, "ok", 10);
            run.nanos(1, 0, 0, 1, (at + 5) * MILLI, (at + 5) * MILLI, (at + 10) * MILLI, "ok", 10);
        }
        Analysis analysis = run.analyze(folder);
        assertThat(requireNonNull(analysis.summary().measured()).littlesLaw()).isNull();
        assertThat(analysis.summary().warnings()).isEmpty();
    }

    @Test
    void ofClientsThatMayMakeSeveralCallsAtOnceLittlesLawSaysNothing() throws IOException {
        RunFixture run = fixture().traits(ClientTrait.MAKES_CALLS_AT_ONCE).closed(1, 0, 30_000);
        for (long at = 0; at < 29_980; at += 10) {
            run.nanos(1, 0, 0, 0, at * MILLI, at * MILLI, (at + 10) * MILLI, "ok", 10);
            run.nanos(1, 0, 0, 0, at * MILLI, at * MILLI, (at + 10) * MILLI, "ok", 10);
        }
        Analysis analysis = run.analyze(folder);
        assertThat(requireNonNull(analysis.summary().measured()).littlesLaw()).isNull();
        assertThat(analysis.summary().warnings()).isEmpty();
    }

    @Test
    void callsThatAreMissingBreakLittlesLaw() throws IOException {
        RunFixture run = fixture().think(ThinkTime.fixed(Duration.ofMillis(10))).closed(1, 0, 30_000);
        for (int i = 0; i < 1500; i++) {
            if (i % 10 != 0) {
                run.call(1, 0, 20 * i, 20 * i, 20 * i + 10, "ok");
            }
        }
        Analysis analysis = run.analyze(folder);
        LittlesLaw law =
                requireNonNull(requireNonNull(analysis.summary().measured()).littlesLaw());
        assertThat(law.holds()).isFalse();
        assertThat(law.differencePercent()).isCloseTo(-10, within(0.1));
        assertThat(analysis.summary().warnings())
                .extracting(Warning::text)
                .singleElement()
                .asString()
                .startsWith(
                        "Little's law does not hold for the measured part, which indicates a measurement fault: 1 clients were active, but 45.00 calls/s of 10.00 ms and 10.00 ms of think time amount to 0.9");
    }

    /** Two clients for 30 s, each a call every 20 ms that takes 8 and 12 ms in turn, but for every {@code slow}th: 30 ms. */
    private RunFixture paced(int slow) {
        RunFixture run = fixture().think(new ThinkTime.Pace(20 * MILLI)).closed(2, 0, 30_000);
        for (int client = 0; client < 2; client++) {
            long at = 0;
            for (int i = 0; at < 29_960; i++) {
                long takes = i % slow == slow - 1 ? 30 : i % 2 == 0 ? 8 : 12;
                run.nanos(1, 0, client, 0, at * MILLI, at * MILLI, (at + takes) * MILLI, "ok", 10);
                at += Math.max(20, takes);
            }
        }
        return run;
    }

    @Test
    void underAPaceAClientPausesForWhatACallLeavesOfIt() throws IOException {
        Analysis analysis = paced(Integer.MAX_VALUE).analyze(folder);
        LittlesLaw law =
                requireNonNull(requireNonNull(analysis.summary().measured()).littlesLaw());
        // A call every 20 ms that takes 10 ms leaves 10 ms: 2 = 100/s x (10 ms + 10 ms), however long calls take.
        assertThat(law.counted()).isEqualTo(2);
        assertThat(law.thinkMillis()).isCloseTo(10, within(0.01));
        assertThat(law.product()).isCloseTo(2, within(0.01));
        assertThat(law.holds()).isTrue();
        assertThat(analysis.summary().warnings()).isEmpty();
    }

    @Test
    void callsThatAreMissingUnderAPaceBreakLittlesLaw() throws IOException {
        RunFixture run = fixture().think(new ThinkTime.Pace(20 * MILLI)).closed(1, 0, 30_000);
        for (int i = 0; i < 1500; i++) {
            if (i % 10 != 0) {
                run.call(1, 0, 20 * i, 20 * i, 20 * i + 10, "ok");
            }
        }
        LittlesLaw law = requireNonNull(
                requireNonNull(run.analyze(folder).summary().measured()).littlesLaw());
        assertThat(law.holds()).isFalse();
        assertThat(law.differencePercent()).isCloseTo(-10, within(0.1));
    }

    @Test
    void whereACallOutlastedThePaceLittlesLawSaysNothing() throws IOException {
        assertThat(requireNonNull(paced(50).analyze(folder).summary().measured())
                        .littlesLaw())
                .isNull();
    }

    @Test
    void ofOpenLoadTheCallsInFlightAreChecked() throws IOException {
        RunFixture run = fixture().open(100, "constant", 0, 30_000);
        for (int i = 0; i < 3000; i++) {
            run.call(1, i % 7, 10 * i, 10 * i, 10 * i + 25, "ok");
        }
        LittlesLaw law = requireNonNull(
                requireNonNull(run.analyze(folder).summary().measured()).littlesLaw());
        assertThat(law.counted()).isCloseTo(2.5, within(0.01));
        assertThat(law.product()).isCloseTo(2.5, within(0.02));
        assertThat(law.thinkMillis()).isNull();
        assertThat(law.holds()).isTrue();
    }

    @Test
    void aLevelThatSettledTooEarlySaysSoAndKeepsItsNumbers() throws IOException {
        RunFixture run = fixture()
                .stage(StageRecords.level(0, 0, 15_000, 1, 1_000))
                .stage(StageRecords.level(1, 15_000, 30_000, 2, 16_000));
        for (int level = 0; level < 2; level++) {
            for (int client = 0; client <= level; client++) {
                long at = 15_000L * level;
                while (at < 15_000L * (level + 1) - 60) {
                    long takes = level == 1 && at < 20_000 ? 25 : 10;
                    run.nanos(1, level, client, 0, at * MILLI, at * MILLI, (at + takes) * MILLI, "ok", 10);
                    at += takes;
                }
            }
        }
        Analysis analysis = run.analyze(folder);
        List<StageSummary> stages = requireNonNull(analysis.summary().stages());
        assertThat(requireNonNull(stages.get(0).steady()).agrees()).isTrue();
        StageSummary second = stages.get(1);
        assertThat(second.settledSeconds()).isEqualTo(16);
        assertThat(requireNonNull(second.steady()).agrees()).isFalse();
        assertThat(second.steady().fromSeconds()).isBetween(19.9, 20.5);
        assertThat(requireNonNull(second.littlesLaw()).holds()).isTrue();
        // From 16 s to 20 s it still was slow: no interval is made up for what it drifted through.
        assertThat(requireNonNull(second.confidence()).missing()).containsKey("responseTime.mean");
        assertThat(analysis.summary().warnings())
                .extracting(Warning::text)
                .filteredOn(warning -> warning.contains("not yet steady at that point"))
                .singleElement()
                .asString()
                .startsWith("level 2: considered settled");
        Analyzer.write(analysis, folder);
        assertThat(Files.readAllLines(folder.resolve("stages.csv")).get(2)).containsPattern(",steady,20[.,]");
        assertThat(Files.readString(folder.resolve("summary.json")))
                .contains("\"steady\" : {", "\"agrees\" : false", "\"littlesLaw\" : {", "\"confidence\" : {")
                .doesNotContain("isNone");
    }
}
