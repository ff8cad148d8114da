package org.diperf.analyzer;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.diperf.analyzer.result.Analysis;
import org.diperf.analyzer.result.Clocks;
import org.diperf.analyzer.result.Series;
import org.diperf.analyzer.result.Summary;
import org.diperf.core.clock.ClockEvent;
import org.diperf.core.clock.Exchange;
import org.diperf.core.run.Warning;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What the analysis says of clocks; one tester, whose clock is an hour off. */
@Timeout(60)
final class ClocksTests {

    private static final long MILLI = 1_000_000;
    private static final long SECOND = 1_000_000_000;
    private static final long HOUR = 3600 * SECOND;
    private static final long WALL = 1_763_719_200_000L;

    @TempDir
    Path folder;

    private static RunFixture oneClient() {
        return new RunFixture().tester(1, HOUR, 40).closed(1, 0, 20_000).call(1, 0, 2_000, 2_000, 2_100, "ok");
    }

    /** Probes four times a second, there in 40 us and back in 40 us; from an instant on the tester's clock is wrong. */
    private static RunFixture probed(RunFixture run, long fromMillis, long jumpNanos) {
        run.exchange(1, -SECOND, 40_000, 40_000);
        for (long at = 0; at <= 22_000; at += 250) {
            probe(run, 0, at, at < fromMillis ? 0 : jumpNanos, 0);
        }
        return run;
    }

    private static void probe(RunFixture run, long epoch, long atMillis, long jumpNanos, long serverNanos) {
        long at = atMillis * MILLI;
        long server = RunFixture.START + at + 40_000 + serverNanos;
        run.probe(
                1,
                epoch,
                WALL + atMillis,
                new Exchange(server, run.local(1, at + 80_000) + jumpNanos, run.local(1, at) + jumpNanos, server));
    }

    @Test
    void aSteppedClockIsNamedWithItsInstant() throws IOException {
        Analysis analysis = probed(oneClient(), 9_100, 3 * SECOND).analyze(folder);
        assertThat(analysis.summary().warnings())
                .extracting(Warning::text)
                .singleElement()
                .asString()
                .startsWith("the clock of tester 1 was set forward by 3.000 s between 9.0 s and 9.");
        assertThat(analysis.clocks().count(1, ClockEvent.Kind.STEP)).isEqualTo(1);
        assertThat(requireNonNull(analysis.summary().clock()).steps()).isEqualTo(1);
        assertThat(analysis.summary().verdict()).isEqualTo("valid");
    }

    @Test
    void aSuspendedTesterIsNamedAsSuch() throws IOException {
        Analysis analysis = probed(oneClient(), 9_100, -4 * SECOND).analyze(folder);
        assertThat(analysis.summary().warnings())
                .extracting(Warning::text)
                .anyMatch(warning -> warning.contains("paused for 4.000 s"));
        assertThat(analysis.clocks().count(1, ClockEvent.Kind.SUSPEND)).isEqualTo(1);
    }

    @Test
    void columnsOfTestersCsvCountWhatBefellClocks() throws IOException {
        Analysis analysis = probed(oneClient(), 9_100, 3 * SECOND).analyze(folder);
        Analyzer.write(analysis, folder.resolve("out"));
        var lines = Files.readAllLines(folder.resolve("out/testers.csv"));
        int column = java.util.List.of(lines.get(0).split(",")).indexOf("clock_steps");
        assertThat(lines.get(1).split(",")[column]).isEqualTo("1");
        assertThat(Files.readString(folder.resolve("out/summary.json")))
                .contains("expectedErrorMicros", "startSkewMicros", "\"steps\"");
    }

    @Test
    void probesOfAClockThatNothingConnectsWithTheControllersAreLeftOut() throws IOException {
        RunFixture run = oneClient().exchanges(22_000);
        for (long at = 0; at <= 22_000; at += 250) {
            probe(run, 77, at, 0, 55 * SECOND);
        }
        run.probe(1, 0, 0, new Exchange(1, 1, 1, 1));
        Analysis analysis = run.analyze(folder);
        assertThat(analysis.summary().warnings())
                .extracting(Warning::text)
                .anyMatch(warning -> warning.startsWith("89 exchanges with a time server could not be used"));
        assertThat(analysis.series().of(Series.THROUGHPUT)[2]).isEqualTo(1);
    }

    @Test
    void aQuantumFinerThanTheClockBoundIsMarked() throws IOException {
        RunFixture run = oneClient().quantumMillis(1);
        for (long at = -1_000; at <= 22_000; at += 500) {
            run.exchange(1, at * MILLI, 20 * MILLI, 20 * MILLI);
        }
        Analysis analysis = run.analyze(folder);
        assertThat(analysis.summary().warnings())
                .extracting(Warning::text)
                .anyMatch(warning -> warning.contains("shorter than the clock error bound"));
    }

    @Test
    void theStartThatTestersAchievedIsSummedUp() throws IOException {
        Summary summary = probed(oneClient(), Long.MAX_VALUE, 0).analyze(folder).summary();
        Summary.ClockSummary clock = requireNonNull(summary.clock());
        Summary.StartSkew skew = requireNonNull(clock.startSkewMicros());
        assertThat(skew.max()).isBetween(0.0, 20.0);
        assertThat(skew.mean()).isLessThanOrEqualTo(skew.max());
        assertThat(clock.expectedErrorMicros()).isLessThan(clock.maxErrorBoundMicros());
        assertThat(clock.steps()).isZero();
    }

    @Test
    void aTrackIsTheOffsetLessItsLineWithinItsBand() throws IOException {
        Analysis analysis = probed(oneClient(), Long.MAX_VALUE, 0).analyze(folder);
        Clocks.Track track = analysis.clocks().tracks().get(0);
        assertThat(track.seconds()[0]).isBetween(-0.01, 0.01);
        assertThat(track.probes().seconds()).hasSizeGreaterThan(70);
        for (int i = 0; i < track.seconds().length; i++) {
            assertThat(track.estimate()[i]).isBetween(-40.0, 40.0).isBetween(track.lower()[i], track.upper()[i]);
            assertThat(track.upper()[i] - track.lower()[i]).isLessThan(200);
        }
    }
}
