package org.diperf.analyzer;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.diperf.analyzer.export.RunCalls;
import org.diperf.analyzer.result.Analysis;
import org.diperf.analyzer.result.Series;
import org.diperf.analyzer.result.Summary;
import org.diperf.analyzer.run.RunFiles;
import org.diperf.analyzer.run.RunJson;
import org.diperf.core.clock.Exchange;
import org.diperf.core.run.RunRecord;
import org.diperf.core.run.Warning;
import org.diperf.core.sample.SampleReader;
import org.diperf.core.spi.CallExport;
import org.diperf.core.spi.ExportedCall;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Run directories in which a tester reports what cannot be: calls of clients that are not its own, or of another time. */
@Timeout(60)
class ForeignCallsTests {

    private static final int FORGED = 5_000;

    @TempDir
    Path folder;

    private static RunFixture twoTesters() {
        return new RunFixture()
                .tester(1, 0, 0)
                .tester(2, 0, 0)
                .closed(4, 0, 10_000)
                .exchanges(11_000)
                .call(1, 0, 0, 0, 100, "ok")
                .call(1, 2, 0, 0, 100, "ok")
                .call(2, 1, 0, 0, 100, "ok")
                .block(1)
                .block(2);
    }

    private static RunFixture withForgedCalls() {
        RunFixture run = twoTesters();
        for (int i = 0; i < FORGED; i++) {
            run.call(2, 0, 1 + i, 1 + i, 1.001 + i, "ok");
        }
        return run;
    }

    @Test
    void callsOfAnotherTestersClientAreLeftOutAndTheTesterIsNamed() throws IOException {
        for (int threads : new int[] {0, 2}) {
            Path dir = withForgedCalls().write(folder.resolve("threads-" + threads));
            Analysis analysis = Analyzer.analyze(dir, Analyzer.Options.AS_RECORDED, threads);
            Summary summary = analysis.summary();
            assertThat(summary.calls().ok()).isEqualTo(3);
            assertThat(summary.verdict()).isEqualTo("suspect");
            assertThat(summary.warnings())
                    .filteredOn(warning -> warning.subject() == Warning.Subject.TESTER)
                    .extracting(Warning::text)
                    .containsExactly("tester 2 reported " + FORGED
                            + " calls of clients that do not belong to it, such as client 0; they are excluded");
            assertThat(analysis.clients().get(0).ok()).isEqualTo(1);
            assertThat(analysis.testers().get(1).ok()).isEqualTo(1);
        }
    }

    @Test
    void anExportHasNoneOfThem() throws IOException {
        Path dir = withForgedCalls().write(folder);
        long[] calls = {0};
        RunCalls.Found found = RunCalls.of(dir).read(0, Long.MAX_VALUE, new CallExport() {
            @Override
            public void add(ExportedCall call) {
                calls[0]++;
            }

            @Override
            public void close() {}
        });
        assertThat(calls[0]).isEqualTo(3);
        assertThat(found.damaged()).isEqualTo(FORGED / 1_000);
    }

    @Test
    void aTesterThatReplacesAnotherHasItsClients() throws IOException {
        Summary summary = twoTesters()
                .replacement(3, 2, 7_000)
                .lost(2, 5_000)
                .call(3, 1, 7_500, 7_500, 7_600, "ok")
                .analyze(folder)
                .summary();
        assertThat(summary.calls().ok()).isEqualTo(4);
    }

    @Test
    void ofATesterThatTheRecordDoesNotNameTheReportSaysSo() throws IOException {
        Path dir = twoTesters()
                .replacement(3, 2, 7_000)
                .lost(2, 5_000)
                .call(3, 1, 7_500, 7_500, 7_600, "ok")
                .write(folder);
        RunRecord record = RunJson.read(dir.resolve("run.json"));
        RunJson.write(
                dir.resolve("run.json"),
                record.ended(
                        record.endNanos(),
                        record.end(),
                        record.testers().subList(0, 2),
                        record.events(),
                        record.warnings()));
        assertThat(Analyzer.analyze(dir, Analyzer.Options.AS_RECORDED).summary().warnings())
                .extracting(Warning::text)
                .contains(
                        "tester 3 reported 1 call, but run.json does not list it, so it is not known which clients belong "
                                + "to it; it is excluded");
    }

    @Test
    void aClientBeyondThePlanMakesTheReportNoLonger() throws IOException {
        Analysis analysis = twoTesters()
                .call(2, (1 << 24) - 1, 200, 200, 300, "ok")
                .block(2)
                .call(2, Integer.MAX_VALUE, 200, 200, 300, "refused")
                .analyze(folder);
        assertThat(analysis.clients()).hasSize(4);
        assertThat(analysis.summary().calls().ok()).isEqualTo(3);
        assertThat(analysis.summary().calls().failed()).isZero();
        assertThat(analysis.summary().verdict()).isEqualTo("suspect");
    }

    @Test
    void callsInFlightBoundTheClientsOfOpenLoad() throws IOException {
        Analysis analysis = new RunFixture()
                .tester(1, 0, 0)
                .open(10, "constant", 0, 10_000)
                .exchanges(11_000)
                .call(1, RunFixture.MAX_IN_FLIGHT - 1, 0, 0, 100, "ok")
                .block(1)
                .call(1, RunFixture.MAX_IN_FLIGHT, 200, 200, 300, "ok")
                .analyze(folder);
        assertThat(analysis.summary().calls().ok()).isEqualTo(1);
        assertThat(analysis.summary().verdict()).isEqualTo("suspect");
    }

    @Test
    void whatATesterWritesWithinABlockThatCannotBeUsedIsNoBlockOfAnother() throws IOException {
        Path inner = new RunFixture()
                .tester(1, 0, 0)
                .closed(4, 0, 10_000)
                .gap(1)
                .call(1, 0, 500, 500, 600, "ok")
                .write(folder.resolve("inner"));
        byte[] block = onlyBlock(inner);
        Path dir = twoTesters().nested(2, block).write(folder.resolve("outer"));
        Summary summary = Analyzer.analyze(dir, Analyzer.Options.AS_RECORDED).summary();
        assertThat(summary.calls().ok()).isEqualTo(3);
        assertThat(summary.verdict()).isEqualTo("suspect");
    }

    private static byte[] onlyBlock(Path dir) throws IOException {
        byte[] file = Files.readAllBytes(
                SampleReader.files(dir.resolve(RunFiles.SAMPLES)).get(0));
        return Arrays.copyOfRange(file, "DIPERF1\n".length(), file.length);
    }

    @Test
    void ofARunWhoseRecordWasNeverClosedNothingIsRefused() throws IOException {
        Summary summary = twoTesters()
                .call(2, 6, 200, 200, 300, "ok")
                .killed()
                .analyze(folder)
                .summary();
        assertThat(summary.calls().ok()).isEqualTo(4);
    }

    @Test
    void aCallFromYearsLaterLeavesTheOthersInTheirQuanta() throws IOException {
        double years = 1e3 * 86_400 * 365 * 50;
        Analysis without = twoTesters().analyze(folder.resolve("without"));
        Analysis with = twoTesters()
                .call(2, 1, years, years, years + 1, "ok")
                .call(2, 1, years, years, years + 1, "refused")
                .analyze(folder.resolve("with"));
        // The record says that the run had ended a minute after its plan.
        assertThat(with.series().of(Series.THROUGHPUT))
                .startsWith(without.series().of(Series.THROUGHPUT))
                .hasSizeBetween(10, 70);
        assertThat(with.testers().get(0)).isEqualTo(without.testers().get(0));
        assertThat(with.summary().warnings())
                .extracting(Warning::text)
                .contains("tester 2 reported calls long after the end of the run");
    }

    private static final long[] EXTREMES = {
        Long.MIN_VALUE, Long.MIN_VALUE + 1, -(1L << 56), -1, (1L << 56) + 1, Long.MAX_VALUE - 1, Long.MAX_VALUE
    };

    private static Stream<Arguments> impossibleCalls() {
        Stream.Builder<Arguments> calls = Stream.builder();
        for (long extreme : EXTREMES) {
            for (String outcome : List.of("ok", "refused", "dropped", "unfinished")) {
                calls.add(Arguments.of(outcome, extreme, 0, 100));
                calls.add(Arguments.of(outcome, 1_000, extreme, 100));
                calls.add(Arguments.of(outcome, 1_000, 0, extreme));
                calls.add(Arguments.of(outcome, extreme, extreme, extreme));
            }
        }
        calls.add(Arguments.of("ok", 1_000, 1_001, 100));
        return calls.build();
    }

    @ParameterizedTest
    @MethodSource("impossibleCalls")
    void aCallThatCannotBeIsLeftOutAndItsTesterNamed(String outcome, long latency, long lag, long bytes)
            throws IOException {
        Path dir = twoTesters()
                .nanos(2, 0, 3, 0, 1_000_000_000, 1_000_000_000 + lag, 1_000_000_000 + latency, outcome, bytes)
                .write(folder);
        Analysis analysis = Analyzer.analyze(dir, Analyzer.Options.AS_RECORDED);
        Analyzer.write(analysis, dir);
        assertThat(analysis.summary().calls().total()).isEqualTo(3);
        assertThat(analysis.testers().get(0).ok()).isEqualTo(2);
        assertThat(analysis.summary().verdict()).isEqualTo("suspect");
        assertThat(analysis.summary().warnings())
                .extracting(Warning::text)
                .contains("tester 2 reported 1 call in blocks with impossible times or byte counts, such as "
                        + "a response time of " + latency + " ns, a send lag of " + lag + " ns and " + bytes
                        + " bytes; it is excluded");
    }

    @Test
    void anArrivalThatWasDroppedLongAfterItWasDueIsPossible() throws IOException {
        Summary summary = twoTesters()
                .nanos(2, 0, 3, 0, 1_000_000_000, 1_000_005_000, 1_000_001_000, "dropped", 0)
                .analyze(folder)
                .summary();
        assertThat(summary.calls().dropped()).isEqualTo(1);
    }

    @Test
    @Timeout(20)
    void exchangesFurtherApartThanALongReachesDoNotHoldUpTheReport() throws IOException {
        RunFixture run = twoTesters();
        for (long client :
                new long[] {Long.MIN_VALUE / 4 * 3, Long.MIN_VALUE / 2, Long.MAX_VALUE / 2, Long.MAX_VALUE / 4 * 3}) {
            long server = RunFixture.START + 5_000_000_000L;
            run.probe(2, 0, 0, new Exchange(server, client, client + 1_000, server + 2_000));
        }
        Path dir = run.write(folder);
        Analysis analysis = Analyzer.analyze(dir, Analyzer.Options.AS_RECORDED);
        Analyzer.write(analysis, dir);
        assertThat(analysis.testers().get(0).ok()).isEqualTo(2);
    }

    private static Stream<Arguments> impossibleValues() {
        double[] extremes = {
            Double.NEGATIVE_INFINITY, -Double.MAX_VALUE, -1e31, 1e31, Double.MAX_VALUE, Double.POSITIVE_INFINITY
        };
        return Stream.of("network.rtt", "client.startup", "tester.hiccup", "host.steal", "loop.delay", "other")
                .flatMap(metric -> Arrays.stream(extremes).mapToObj(extreme -> Arguments.of(metric, extreme)));
    }

    @ParameterizedTest
    @MethodSource("impossibleValues")
    void aValueThatCannotBeIsLeftOutAndItsTesterNamed(String metric, double value) throws IOException {
        Path dir = twoTesters()
                .observation(2, metric, 2_000, value)
                .observation(2, metric, 3_000, value)
                .observation(2, metric, 4_000, 5)
                .write(folder);
        Analysis analysis = Analyzer.analyze(dir, Analyzer.Options.AS_RECORDED);
        Analyzer.write(analysis, dir);
        assertThat(analysis.summary().calls().ok()).isEqualTo(3);
        assertThat(analysis.summary().warnings())
                .extracting(Warning::text)
                .contains("tester 2 reported 2 values outside the metric's range, such as " + metric + " of " + value
                        + "; they are excluded");
    }

    @Test
    void impossibleMetricsOfCallsAreLeftOut() throws IOException {
        RunFixture run = new RunFixture()
                .metric("size", "B")
                .tester(1, 0, 0)
                .tester(2, 0, 0)
                .closed(4, 0, 10_000)
                .exchanges(11_000);
        for (double value : new double[] {Double.MAX_VALUE, Double.POSITIVE_INFINITY, -Double.MAX_VALUE, 3}) {
            run.carrying(false, value).call(2, 1, 300, 300, 400, "ok");
        }
        Path dir = run.write(folder);
        Analysis analysis = Analyzer.analyze(dir, Analyzer.Options.AS_RECORDED);
        Analyzer.write(analysis, dir);
        assertThat(Files.readString(dir.resolve("summary.json"))).contains("\"size\"");
        assertThat(analysis.summary().calls().ok()).isEqualTo(4);
    }
}
