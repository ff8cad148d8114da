package org.diperf.analyzer.imports;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.diperf.analyzer.Analyzer;
import org.diperf.analyzer.export.RunCalls;
import org.diperf.analyzer.result.Analysis;
import org.diperf.analyzer.result.Summary;
import org.diperf.analyzer.table.SummaryTable;
import org.diperf.analyzer.text.TerminalFormat;
import org.diperf.core.run.TesterRecord;
import org.diperf.core.run.Warning;
import org.diperf.core.spi.CallExport;
import org.diperf.core.spi.ExportedCall;
import org.diperf.core.spi.ExportedRun.ExportedMetric;
import org.diperf.core.spi.ImportedCall;
import org.diperf.core.spi.ImportedCalls;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Calls that another program measured as runs. */
@Timeout(60)
class RunImportTests {

    private static final long MILLI = 1_000_000;
    private static final long TEN_OCLOCK = 1_795_255_200_000L * MILLI;

    @TempDir
    private Path work = Path.of("");

    private final List<Long> rows = new ArrayList<>();
    private final List<Long> bytes = new ArrayList<>();

    /** A call of client 0 to the only target; the number of its kind of request is that of its tester, from 0. */
    private record Made(int tester, long atMillis, long responseNanos, String outcome, boolean isCause)
            implements ImportedCall {

        static Made ok(long atMillis, long responseMillis) {
            return new Made(1, atMillis, responseMillis * MILLI, "ok", false);
        }

        static Made ended(String outcome, boolean isCause) {
            return new Made(1, 0, MILLI, outcome, isCause);
        }

        @Override
        public long intendedNanos() {
            return TEN_OCLOCK + atMillis * MILLI;
        }

        @Override
        public long lagNanos() {
            return 0;
        }

        @Override
        public long bytes() {
            return 500;
        }

        @Override
        public int client() {
            return 0;
        }

        @Override
        public int request() {
            return tester - 1;
        }

        @Override
        public int target() {
            return 0;
        }

        @Override
        public boolean isFirst() {
            return atMillis == 0;
        }

        @Override
        public double[] metrics() {
            return new double[] {atMillis};
        }
    }

    /** A file of made calls and of rows that cannot be read, which ends with a failure or without. */
    private record MadeCalls(List<Made> calls, List<String> bad, boolean hasLag, String failure)
            implements ImportedCalls {

        @Override
        public List<ExportedMetric> metrics() {
            return List.of(new ExportedMetric("at", "ms"));
        }

        @Override
        public boolean hasBytes() {
            return true;
        }

        @Override
        public void read(Sink to) throws IOException {
            for (Made call : calls) {
                to.add(call);
            }
            bad.forEach(to::skip);
            if (!failure.isEmpty()) {
                throw new IOException(failure);
            }
        }

        @Override
        public long bytesRead() {
            return 7;
        }

        @Override
        public List<String> requests() {
            return List.of("home", "order, now");
        }

        @Override
        public List<String> targets() {
            return List.of("http://a/");
        }

        @Override
        public String tester(int number) {
            return "n" + number;
        }
    }

    private RunImport.Imported read(MadeCalls calls) throws IOException {
        Path file = Files.writeString(work.resolve("calls.jtl"), "of ten letters");
        Path run = Files.createDirectories(work.resolve("run"));
        return RunImport.read(file, calls, run, "calls", "test", (row, at, of) -> {
            rows.add(row);
            bytes.add(at);
            assertThat(of).isEqualTo(14);
        });
    }

    private RunImport.Imported read(Made... calls) throws IOException {
        return read(new MadeCalls(List.of(calls), List.of(), false, ""));
    }

    private Analysis analysis() throws IOException {
        return Analyzer.analyze(work.resolve("run"), Analyzer.Options.AS_RECORDED);
    }

    @Test
    void whatIsNotKnownIsAbsentAndNotZero() throws IOException {
        RunImport.Imported imported = read(
                Made.ok(0, 100),
                Made.ok(50, 200),
                new Made(2, 1_000, 30 * MILLI, "status 500", true),
                new Made(2, 1_500, 5_000 * MILLI, "java.net.SocketTimeoutException", true));
        Summary summary = analysis().summary();

        assertThat(imported).isEqualTo(new RunImport.Imported(4, 0, List.of()));
        assertThat(summary.calls().outcomes())
                .isEqualTo(Map.of("ok", 2L, "status 500", 1L, "java.net.SocketTimeoutException", 1L));
        assertThat(summary.responseTime().mean()).isEqualTo(150.0);
        assertThat(summary.sendLag()).isNull();
        assertThat(summary.serviceTime()).isNull();
        assertThat(summary.startedAt()).isEqualTo("2026-11-21T10:00:00Z");
        assertThat(summary.durationSeconds()).isEqualTo(6.5);
        assertThat(analysis().requests().keySet()).containsExactly("home", "order, now");
        assertThat(analysis().run().testers()).extracting(TesterRecord::host).containsExactly("n1", "n2");
        assertThat(summary.warnings()).extracting(Warning::text).anyMatch(text -> text.contains("send lag is absent"));
        assertThat(summary.verdict()).isEqualTo("valid");
        assertThat(summary.clock()).isNull();
        assertThat(summary.load()).isEqualTo(new Summary.LoadSummary("unknown", null, null, null));
        assertThat(SummaryTable.render(analysis(), TerminalFormat.PLAIN, "r", "a", true))
                .contains("from the start time in the file")
                .contains("clocks unknown")
                .doesNotContain("intended start", "lag p99");
    }

    @Test
    void aCauseInOtherWordsIsNeverTakenForOneOfOurs() throws IOException {
        read(
                Made.ended("ok", true),
                Made.ended("timeout", false),
                Made.ended("", true),
                Made.ended("x".repeat(300), false));
        assertThat(analysis().summary().calls().outcomes())
                .isEqualTo(Map.of("failed: ok", 1L, "timeout", 1L, "failed", 1L, "x".repeat(200), 1L));
    }

    @Test
    void aCallKeepsItsMetricsAndWhetherItWasTheFirstOnItsConnection() throws IOException {
        read(Made.ok(0, 1), Made.ok(250, 1));
        List<String> kept = new ArrayList<>();
        RunCalls.of(work.resolve("run")).read(Long.MIN_VALUE, Long.MAX_VALUE, new CallExport() {
            @Override
            public void add(ExportedCall call) {
                kept.add(call.metric(0) + " " + call.first() + " " + call.bytes());
            }

            @Override
            public void close() {}
        });
        assertThat(kept).containsExactly("0.0 true 500", "250.0 false 500");
    }

    @Test
    void aCallThatWasNeverSentIsNotCountedAsSent() throws IOException {
        read(Made.ok(0, 1), Made.ended("dropped", false));
        assertThat(analysis().run().testers().get(0).sent()).isEqualTo(1);
    }

    @Test
    void theFirstBadRowsAreNamedAndTheOthersCounted() throws IOException {
        List<String> bad = new ArrayList<>();
        for (int line = 2; line < 14; line++) {
            bad.add("line " + line);
        }
        RunImport.Imported imported = read(new MadeCalls(List.of(Made.ok(0, 1)), bad, true, ""));
        assertThat(imported).isEqualTo(new RunImport.Imported(1, 12, bad.subList(0, 10)));
        assertThat(analysis().summary().warnings())
                .extracting(Warning::text)
                .anyMatch(text -> text.equals("12 rows of the file could not be read; the first: line 2"))
                .noneMatch(text -> text.contains("send lag is absent"));
    }

    @Test
    void whatIsRefusedLeavesNothing() {
        assertThatThrownBy(() -> read(new MadeCalls(List.of(), List.of("line 2: bad"), false, "")))
                .hasMessageEndingWith("calls.jtl: expected rows with calls, got no readable ones; line 2: bad");
        assertThat(work.resolve("run")).isEmptyDirectory();
        assertThatThrownBy(() -> read(new MadeCalls(List.of(Made.ok(0, 1)), List.of(), false, "cut off")))
                .hasMessage("cut off");
        assertThat(work.resolve("run")).isEmptyDirectory();
    }

    @Test
    void progressIsToldInRowsAndInBytesOfTheFile() throws IOException {
        List<Made> calls = new ArrayList<>();
        for (int i = 0; i < 40_000; i++) {
            calls.add(Made.ok(i, 1));
        }
        assertThat(read(new MadeCalls(calls, List.of(), false, "")).calls()).isEqualTo(40_000);
        assertThat(rows).containsExactly(16_384L, 32_768L);
        assertThat(bytes).containsExactly(7L, 7L);
        assertThat(analysis().summary().calls().total()).isEqualTo(40_000);
    }
}
