package org.diperf.analyzer.imports;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.zip.GZIPOutputStream;
import org.diperf.analyzer.Analyzer;
import org.diperf.analyzer.result.Analysis;
import org.diperf.analyzer.result.Summary;
import org.diperf.analyzer.table.FinalTable;
import org.diperf.analyzer.text.Screen;
import org.diperf.core.run.Warning;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Files of other programs as runs. */
@Timeout(60)
class RunImportTests {

    @TempDir
    Path work;

    private RunImport.Imported read(String csv, Map<String, String> told) throws IOException {
        return read(Files.writeString(work.resolve("calls.csv"), csv), new Layout(told, true, ','));
    }

    private RunImport.Imported read(Path file, Layout layout) throws IOException {
        return RunImport.read(
                file, layout, Files.createDirectories(work.resolve("run")), "calls", "test", (rows, bytes, of) -> {});
    }

    private static byte[] gzip(String text) throws IOException {
        ByteArrayOutputStream packed = new ByteArrayOutputStream();
        try (OutputStream out = new GZIPOutputStream(packed)) {
            out.write(text.getBytes(StandardCharsets.UTF_8));
        }
        return packed.toByteArray();
    }

    private Analysis analysis() throws IOException {
        return Analyzer.analyze(work.resolve("run"), Analyzer.Options.AS_RECORDED);
    }

    /** An exponent costs a file nothing; writing the number out takes all memory, and hours. */
    @Test
    @Timeout(value = 5, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void aNumberOfAThousandMillionDigitsIsRefusedAndOneOfAsManyZerosIsNothing() throws IOException {
        String digits = "9".repeat(1_000_000);
        RunImport.Imported imported = read(
                "time,latency (s)\n1700000000,1e999999999\n1e999999999,1\n1700000000,1e-999999999\n1700000000," + digits
                        + "\n1700000000,0e999999999\n",
                Map.of());
        assertThat(imported.calls()).isEqualTo(2);
        assertThat(imported.bad()).isEqualTo(3);
        assertThat(imported.named()).anyMatch(line -> line.startsWith("line 2: expected a number for latency"));
    }

    @Test
    void aFileOfJMeterBecomesARunWithoutLag() throws IOException {
        RunImport.Imported imported = read("""
                timeStamp,elapsed,label,responseCode,responseMessage,threadName,dataType,success,failureMessage,bytes,sentBytes,grpThreads,allThreads,URL,Latency,IdleTime,Connect
                1795255200000,100,home,200,OK,Thread Group 1-1,text,true,,500,100,2,2,http://a/,90,0,1
                1795255200050,200,home,200,OK,Thread Group 1-2,text,true,,700,100,2,2,http://a/,90,0,1
                1795255201000,30,"order, now",500,"Internal, bad",Thread Group 1-1,text,false,"x
                y",0,100,2,2,http://a/order,29,0,0
                1795255201500,5000,home,Non HTTP response code: java.net.SocketTimeoutException,Read timed out,Thread Group 1-2,text,false,,0,0,2,2,http://a/,0,0,0
                """, Map.of());
        Summary summary = analysis().summary();

        assertThat(imported.calls()).isEqualTo(4);
        assertThat(summary.calls().outcomes())
                .isEqualTo(Map.of("ok", 2L, "status 500", 1L, "java.net.SocketTimeoutException", 1L));
        assertThat(summary.responseTime().mean()).isEqualTo(150.0);
        assertThat(summary.sendLag()).isNull();
        assertThat(summary.serviceTime()).isNull();
        assertThat(summary.startedAt()).isEqualTo("2026-11-21T10:00:00Z");
        assertThat(summary.durationSeconds()).isEqualTo(6.5);
        assertThat(analysis().requests()).hasSize(2);
        assertThat(summary.warnings()).extracting(Warning::text).anyMatch(text -> text.contains("send lag is absent"));
        assertThat(summary.verdict()).isEqualTo("valid");
        assertThat(summary.clock()).isNull();
        assertThat(summary.load()).isEqualTo(new Summary.LoadSummary("unknown", null, null, null));
        assertThat(FinalTable.render(analysis(), Screen.PLAIN, "r", "a"))
                .contains("from the start given in the file")
                .contains("clocks unknown")
                .doesNotContain("intended start", "lag p99");
    }

    @Test
    void aPackedFileWithoutHeaderAndWithOtherSeparatorsIsReadByTheNumbersOfItsColumns() throws IOException {
        Path file = Files.write(work.resolve("log.tsv.gz"), gzip("""
                1795255200.5\t200\tGET /a\t1500
                1795255201\t404\tGET /b\t2500
                """));

        RunImport.Imported imported = read(
                file, new Layout(Map.of("time", "1:s", "latency", "4:us", "code", "2", "request", "3"), false, '\t'));

        assertThat(imported.calls()).isEqualTo(2);
        Summary summary = analysis().summary();
        assertThat(summary.startedAt()).isEqualTo("2026-11-21T10:00:00.500Z");
        assertThat(summary.responseTime().mean()).isEqualTo(1.5);
        assertThat(summary.calls().outcomes()).isEqualTo(Map.of("ok", 1L, "status 404", 1L));
    }

    @Test
    void quotesMayHoldSeparatorsQuotesAndLinesAndOneThatDoesNotEndIsABadRow() throws IOException {
        RunImport.Imported imported = read("""
                \uFEFFtime_ms,latency_ms,request
                1795255200000,1,"a, ""b""
                c"
                1795255200000,2,"never ends
                1795255200000,3,x
                """, Map.of());

        assertThat(imported)
                .isEqualTo(new RunImport.Imported(
                        1, 1, List.of("line 4: expected a closing quote, got the end of the file")));
        assertThat(analysis().requests().keySet()).containsExactly("a, \"b\"\nc");
    }

    @Test
    void aPackedFileThatIsCutOffIsSaidToBeAndLeavesNothing() throws IOException {
        byte[] packed = gzip("time_ms,latency_ms\n" + "1795255200000,1\n".repeat(100_000));
        Path file = Files.write(work.resolve("cut.csv.gz"), Arrays.copyOf(packed, packed.length / 2));

        assertThatThrownBy(() -> read(file, Layout.PLAIN))
                .hasMessageContaining("expected a complete gzip file")
                .hasMessageContaining("gzip -dc");
        assertThat(work.resolve("run")).isEmptyDirectory();
    }

    @Test
    void progressIsToldInRowsAndInBytesOfTheFile() throws IOException {
        Path file = Files.write(
                work.resolve("calls.csv.gz"), gzip("time_ms,latency_ms\n" + "1795255200000,1\n".repeat(100_000)));
        List<Long> rows = new ArrayList<>();
        List<Long> bytes = new ArrayList<>();

        RunImport.read(
                file, Layout.PLAIN, Files.createDirectories(work.resolve("run")), "calls", "test", (row, at, of) -> {
                    rows.add(row);
                    bytes.add(at);
                    assertThat(of).isEqualTo(file.toFile().length());
                });

        assertThat(rows).containsExactly(16_384L, 32_768L, 49_152L, 65_536L, 81_920L, 98_304L);
        assertThat(bytes)
                .isSorted()
                .allSatisfy(at -> assertThat(at).isBetween(1L, file.toFile().length()));
    }

    @Test
    void columnsAndUnitsCanBeToldAndBadRowsAreNamedByLine() throws IOException {
        RunImport.Imported imported =
                read("""
                when,took,who,result
                2026-11-21T10:00:00.5Z,0.25,a,200
                soon,0.25,a,200
                2026-11-21T10:00:01Z,0.5,b,404

                2026-11-21T10:00:02Z,-1,b,200
                2026-11-21T10:00:02Z,1
                """, Map.of("time", "when", "latency", "took:s", "client", "who", "code", "result"));

        assertThat(imported.calls()).isEqualTo(2);
        assertThat(imported.bad()).isEqualTo(3);
        assertThat(imported.named().get(0)).isEqualTo("line 3: expected a number for time, got 'soon'");
        assertThat(imported.named().get(1)).startsWith("line 6: expected times and bytes of at least 0");
        assertThat(imported.named().get(2)).isEqualTo("line 7: expected 4 fields as in the header, got 2");
        Summary summary = analysis().summary();
        assertThat(summary.responseTime().mean()).isEqualTo(250.0);
        assertThat(summary.calls().outcomes()).isEqualTo(Map.of("ok", 1L, "status 404", 1L));
        assertThat(summary.warnings())
                .extracting(Warning::text)
                .anyMatch(text -> text.startsWith("3 rows of the file could not be read"));
    }

    /** A field may be as long as a row, and what is said of it goes to the terminal, into run.json and into the report. */
    @Test
    void aLongFieldOrHeaderIsCutOffInWhatIsSaidOfIt() throws IOException {
        String longest = "\u001b[31m" + "9x".repeat(400_000);
        RunImport.Imported imported = read(
                "time,latency (s),size (B)\n1700000000,1,1\n" + longest + ",1,1\n1700000000," + longest
                        + ",1\n1700000000,1," + longest + "\n1700000000,-1,1" + " ".repeat(400_000) + "\n",
                Map.of());
        assertThat(imported.bad()).isEqualTo(4);
        assertThat(imported.named())
                .allSatisfy(line -> assertThat(line)
                        .hasSizeLessThan(700)
                        .startsWith("line ")
                        .doesNotContain("\u001b"));
        assertThat(analysis().summary().warnings())
                .extracting(Warning::text)
                .anyMatch(text -> text.startsWith("4 rows of the file could not be read"))
                .allSatisfy(text -> assertThat(text).hasSizeLessThan(1_000));
        assertThatThrownBy(() -> read(longest + ",b\n1,2\n", Map.of()))
                .hasMessageContaining("expected a column for the time")
                .satisfies(e -> assertThat(e.getMessage()).hasSizeLessThan(1_500));
        assertThatThrownBy(() -> read("time," + longest + "\n1,2\n", Map.of("latency", longest)))
                .hasMessageContaining("expected the unit of the column")
                .satisfies(e -> assertThat(e.getMessage()).hasSizeLessThan(1_500));
    }

    @Test
    void whatIsMissingIsSaidWithWhatToDo() {
        assertThatThrownBy(() -> read("a,b\n1,2\n", Map.of()))
                .hasMessageContaining("expected a column for the time")
                .hasMessageContaining("--columns time=NAME");
        assertThatThrownBy(() -> read("time,latency\n1,2\n", Map.of()))
                .hasMessageContaining("expected the unit of the column 'latency'")
                .hasMessageContaining("--columns latency=latency:ms");
        assertThatThrownBy(() -> read("time,latency_ms\nx,y\n", Map.of())).hasMessageContaining("line 2");
        assertThatThrownBy(() -> read("1795255200000,12\n", Map.of())).hasMessageContaining("--no-header");
        assertThatThrownBy(() -> read("<?xml version=\"1.0\"?>\n<testResults/>\n", Map.of()))
                .hasMessageContaining("output_format=csv");
        assertThatThrownBy(() -> read("", Map.of())).hasMessageContaining("got an empty one");
    }
}
