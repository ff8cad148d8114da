package org.diperf.analyzer.judge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.diperf.analyzer.Analyzer;
import org.diperf.analyzer.RunFixture;
import org.diperf.analyzer.result.Analysis;
import org.diperf.analyzer.result.Analysis.MarkedInterval;
import org.diperf.analyzer.result.Summary;
import org.diperf.core.plan.ThinkTime;
import org.diperf.core.run.Warning;
import org.diperf.core.sample.Outcome;
import org.diperf.core.spi.ClientTrait;
import org.diperf.core.spi.Failure;
import org.diperf.core.spi.Fault;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Runs of 10 s on one tester, 100 calls a second; what makes the generator suspect, and what does not. */
@Timeout(60)
final class GeneratorLimitsTests {

    @TempDir
    private Path folder;

    private static RunFixture run(double responseMillis) {
        return run(responseMillis, 0, 0);
    }

    /** Every n-th call is late by so much. */
    private static RunFixture run(double responseMillis, int every, double lateMillis) {
        RunFixture run = new RunFixture()
                .tester(1, 1_000_000_000L, 0)
                .think(ThinkTime.fixed(Duration.ofNanos(Math.max(0, 1000 * Math.round(1000 * (10 - responseMillis))))))
                .closed(1, 0, 10_000)
                .exchanges(11_000);
        for (int i = 0; i < 990; i++) {
            double lag = every > 0 && i % every == 0 ? lateMillis : 0;
            run.call(1, 0, 10 * i, 10 * i + lag, 10 * i + lag + responseMillis, "ok");
        }
        return run;
    }

    private static RunFixture seconds(RunFixture run, String metric, int from, int to, double value) {
        for (int second = from; second <= to; second++) {
            run.observation(1, metric, 1_000L * second, value);
        }
        return run;
    }

    private Analysis analyze(RunFixture run) throws IOException {
        return run.analyze(folder);
    }

    private static List<MarkedInterval> marks(Analysis analysis) {
        return analysis.intervals().stream()
                .filter(interval -> interval.kind() == MarkedInterval.Kind.GENERATOR_LIMITED)
                .toList();
    }

    @Test
    void aQuietRunIsNotMarked() throws IOException {
        RunFixture run = run(1);
        seconds(run, "tester.hiccup", 1, 10, 4);
        seconds(run, "tester.gc", 1, 10, 20);
        seconds(run, "tester.runqueue", 1, 10, 0.03);
        seconds(run, "tester.starved", 1, 10, 0.3);
        seconds(run, "host.steal", 1, 10, 0.01);
        Analysis analysis = analyze(run);
        assertThat(marks(analysis)).isEmpty();
        assertThat(analysis.summary().verdict()).isEqualTo("valid");
        assertThat(analysis.summary().warnings()).isEmpty();
    }

    @Test
    void oneHiccupIsMarkedAndTheRunStaysValid() throws IOException {
        RunFixture run = run(1).observation(1, "tester.hiccup", 3_500, 14).observation(1, "tester.stalled", 4_000, 14);
        Analysis analysis = analyze(run);
        assertThat(marks(analysis)).singleElement().satisfies(mark -> {
            assertThat(mark.fromSeconds()).isEqualTo(3);
            assertThat(mark.toSeconds()).isEqualTo(4);
            assertThat(mark.note()).isEqualTo("the tester paused for up to 14 ms");
        });
        assertThat(analysis.summary().verdict()).isEqualTo("valid");
        assertThat(analysis.summary().warnings()).isEmpty();
    }

    @Test
    void aStandStillOfSecondsIsMarkedFromItsBeginToItsEnd() throws IOException {
        RunFixture run =
                run(1).observation(1, "tester.hiccup", 5_200, 1_500).observation(1, "tester.stalled", 5_300, 1_500);
        Analysis analysis = analyze(run);
        assertThat(marks(analysis)).singleElement().satisfies(mark -> {
            assertThat(mark.fromSeconds()).isEqualTo(3);
            assertThat(mark.toSeconds()).isEqualTo(6);
        });
        assertThat(analysis.summary().verdict()).isEqualTo("suspect");
        assertThat(analysis.summary().warnings())
                .extracting(Warning::text)
                .singleElement()
                .asString()
                .contains("tester 1 paused for 1500 ms in total, up to 1500 ms at a time");
    }

    @Test
    void manyShortStandStillsAddUp() throws IOException {
        RunFixture run = run(1);
        seconds(run, "tester.hiccup", 1, 10, 15);
        seconds(run, "tester.stalled", 1, 10, 30);
        assertThat(analyze(run).summary().verdict()).isEqualTo("suspect");
    }

    @Test
    void aStandStillThatIsShortForTheServiceIsNone() throws IOException {
        RunFixture run =
                run(2_000).observation(1, "tester.hiccup", 5_200, 600).observation(1, "tester.stalled", 5_300, 600);
        Analysis analysis = analyze(run);
        assertThat(marks(analysis)).isEmpty();
        assertThat(analysis.summary().verdict()).isEqualTo("valid");
    }

    @Test
    void aTesterThatWaitsForAProcessorIsMarkedInWords() throws IOException {
        RunFixture run = run(1);
        seconds(run, "tester.runqueue", 3, 6, 0.2);
        seconds(run, "tester.starved", 3, 5, 0.62);
        seconds(run, "tester.starved", 6, 6, 0.71);
        Analysis analysis = analyze(run);
        assertThat(marks(analysis)).singleElement().satisfies(mark -> {
            assertThat(mark.fromSeconds()).isEqualTo(2);
            assertThat(mark.toSeconds()).isEqualTo(6);
            assertThat(mark.note())
                    .isEqualTo("the tester waited for a processor for up to 71 % of the time it needed one");
        });
        assertThat(analysis.summary().verdict()).isEqualTo("suspect");
        assertThat(analysis.summary().warnings())
                .extracting(Warning::text)
                .singleElement()
                .asString()
                .startsWith("the load generator was the limit for 40.0 % of the measured time: the tester waited");
    }

    @Test
    void aThreadThatHardlyWantsAProcessorMayWaitForIt() throws IOException {
        RunFixture run = run(1);
        seconds(run, "tester.runqueue", 1, 10, 0.09);
        seconds(run, "tester.starved", 1, 10, 0.8);
        assertThat(marks(analyze(run))).isEmpty();
    }

    @Test
    void oneBadSecondIsMarkedAndTheRunStaysValid() throws IOException {
        RunFixture run = run(1);
        seconds(run, "tester.runqueue", 1, 1, 0.3);
        seconds(run, "tester.starved", 1, 1, 0.7);
        Analysis analysis = analyze(run);
        assertThat(marks(analysis)).hasSize(1);
        assertThat(analysis.summary().verdict()).isEqualTo("valid");
    }

    @Test
    void whatWasBeforeTheStartBelongsToNoQuantum() throws IOException {
        RunFixture run = run(1);
        seconds(run, "tester.gc", -3, 0, 400);
        Analysis analysis = analyze(run);
        assertThat(marks(analysis)).isEmpty();
        assertThat(analysis.testers().get(0).watch().gcPercent()).isNaN();
    }

    @Test
    void shortQuantaAreMarkedForTheWholeSecondThatWasBad() throws IOException {
        RunFixture run = run(1).quantumMillis(100);
        seconds(run, "tester.gc", 3, 5, 90);
        assertThat(marks(analyze(run))).singleElement().satisfies(mark -> {
            assertThat(mark.fromSeconds()).isCloseTo(2, within(0.11));
            assertThat(mark.toSeconds()).isCloseTo(5, within(0.11));
            assertThat(mark.note()).isEqualTo("the tester spent up to 9 % of the time in garbage collection");
        });
    }

    @Test
    void collectionsStolenTimeAndHeldSamplesMakeTheRunSuspect() throws IOException {
        for (String[] each : new String[][] {
            {"tester.gc", "60", "spent up to 6 % of the time in garbage collection"},
            {"host.steal", "0.2", "the hypervisor withheld processors from the tester's host for up to 20 % of the time"
            },
            {"tester.held", "300", "could not be passed on for up to 300 ms"}
        }) {
            RunFixture run = run(1);
            seconds(run, each[0], 4, 7, Double.parseDouble(each[1]));
            Summary summary =
                    run.analyze(Files.createDirectory(folder.resolve(each[0]))).summary();
            assertThat(summary.verdict()).as(each[0]).isEqualTo("suspect");
            assertThat(summary.warnings())
                    .extracting(Warning::text)
                    .singleElement()
                    .asString()
                    .contains(each[2]);
        }
    }

    @Test
    void moreThanOneCallInTwentySentLateMakesTheRunSuspect() throws IOException {
        Summary summary = analyze(run(1, 15, 3)).summary();
        assertThat(summary.verdict()).isEqualTo("suspect");
        assertThat(summary.warnings())
                .extracting(Warning::text)
                .anyMatch(warning -> warning.contains("were sent late, by at least 3.0 ms"));
    }

    @Test
    void fewLateCallsOrLatenessThatIsLittleForTheServiceDoNot() throws IOException {
        assertThat(analyze(run(1, 40, 3)).summary().verdict()).isEqualTo("valid");
        assertThat(run(50, 15, 3)
                        .analyze(Files.createDirectory(folder.resolve("slow")))
                        .summary()
                        .verdict())
                .isEqualTo("valid");
    }

    @Test
    void callsThatFailForWantOfDescriptorsAreTheGeneratorsFailures() throws IOException {
        RunFixture run = run(1);
        for (int i = 0; i < 10; i++) {
            run.call(1, 0, 4_000 + i, 4_000 + i, 4_001 + i, "too many open files");
        }
        run.call(1, 0, 6_000, 6_000, 6_001, "connection refused");
        Analysis analysis = analyze(run);
        assertThat(marks(analysis)).singleElement().satisfies(mark -> {
            assertThat(mark.fromSeconds()).isEqualTo(4);
            assertThat(mark.note()).startsWith("10 calls failed because of limits of the tester");
        });
        assertThat(analysis.summary().verdict()).isEqualTo("suspect");
        assertThat(analysis.summary().warnings())
                .extracting(Warning::text)
                .singleElement()
                .asString()
                .startsWith("10 calls failed because of limits");
    }

    @Test
    void aProgramThatCannotBeStartedForWantOfProcessesIsNotTheServicesFault() throws IOException {
        RunFixture run = run(1).traits(ClientTrait.STARTS_PROGRAMS);
        String word = Outcome.ofFailure(Failure.ofGenerator("cannot start curl: too many processes"));
        run.call(1, 0, 6_000, 6_000, 6_001, word);
        Analysis analysis = analyze(run);
        assertThat(analysis.summary().verdict()).isEqualTo("suspect");
        assertThat(analysis.summary().warnings())
                .extracting(Warning::text)
                .anyMatch(warning -> warning.startsWith("1 call failed because of limits of the load generator, not"));
        assertThat(analysis.failures()).singleElement().satisfies(cause -> {
            assertThat(cause.outcome()).isEqualTo("cannot start curl: too many processes");
            assertThat(cause.fault()).isEqualTo(Fault.GENERATOR);
        });
    }

    @Test
    void theGeneratorsFailuresAreToldApartAmongMoreKindsThanAreKept() throws IOException {
        RunFixture run = run(1).traits();
        for (int i = 0; i < 1_100; i++) {
            run.call(1, 0, 4_000, 4_000, 4_001, "status " + i);
        }
        for (int i = 0; i < 10; i++) {
            String word = Outcome.ofFailure(Failure.ofGenerator("no free local port or address " + i));
            run.call(1, 0, 6_000, 6_000, 6_001, word);
        }
        assertThat(analyze(run).summary().warnings())
                .extracting(Warning::text)
                .anyMatch(warning -> warning.startsWith("10 calls failed because of limits of the load generator"));
    }

    @Test
    void aFileThatIsMissingIsTheExperimentsFault() throws IOException {
        RunFixture run = run(1).traits();
        run.call(1, 0, 6_000, 6_000, 6_001, Outcome.ofFailure(Failure.ofExperiment("local file: no such file")));
        Analysis analysis = analyze(run);
        assertThat(marks(analysis)).isEmpty();
        assertThat(analysis.summary().verdict()).isEqualTo("suspect");
        assertThat(analysis.summary().warnings())
                .extracting(Warning::text)
                .singleElement()
                .asString()
                .startsWith("1 call failed because of the experiment");
    }

    @Test
    void whatTheServiceSaysOfItselfIsItsOwnFaultWhateverTheWords() throws IOException {
        RunFixture run = run(1).traits();
        run.call(1, 0, 6_000, 6_000, 6_001, "500 too many open files");
        Analysis analysis = analyze(run);
        assertThat(marks(analysis)).isEmpty();
        assertThat(analysis.failures())
                .singleElement()
                .satisfies(cause -> assertThat(cause.fault()).isEqualTo(Fault.SERVICE));
    }

    @Test
    void whatATesterSawOfItselfIsInItsRow(@TempDir Path out) throws IOException {
        RunFixture run = run(1);
        seconds(run, "tester.cpu", 1, 4, 0.5);
        seconds(run, "tester.starved", 1, 4, 0.25);
        seconds(run, "tester.descriptors", 1, 4, 28);
        seconds(run, "tester.descriptors.limit", 1, 1, 1_024);
        Analyzer.write(analyze(run), out);
        List<String> lines = Files.readAllLines(out.resolve("testers.csv"));
        assertThat(lines.get(0))
                .contains(",cpu_percent,hiccup_max_ms,stalled_ms,gc_percent,gc_pause_max_ms,run_queue_percent,"
                        + "starved_percent,descriptors_max,descriptor_limit,host_cpu_cores,host_steal_percent,"
                        + "tcp_retransmits_per_s,node");
        assertThat(lines.get(1)).contains(",50,,,,,,25,28,1024,,,,");
    }
}
