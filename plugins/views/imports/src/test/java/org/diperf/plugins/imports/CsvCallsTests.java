package org.diperf.plugins.imports;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.zip.GZIPOutputStream;
import org.diperf.core.contract.ImportProbe;
import org.diperf.core.spi.ExportedRun.ExportedMetric;
import org.diperf.core.spi.ImportedCall;
import org.diperf.core.spi.ImportedCalls;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Files of other programs as calls. */
@Timeout(60)
class CsvCallsTests {

    private static final Layout PLAIN = new Layout(Map.of(), true, ',');

    @TempDir
    private Path work = Path.of("");

    private CsvCalls calls = new CsvCalls(Path.of("none"), PLAIN);

    private ImportProbe read(String csv, Map<String, String> told) throws IOException {
        return read(Files.writeString(work.resolve("calls.csv"), csv), new Layout(told, true, ','));
    }

    private ImportProbe read(Path file, Layout layout) throws IOException {
        calls = new CsvCalls(file, layout);
        ImportProbe probe = new ImportProbe();
        calls.read(probe);
        return probe;
    }

    private static byte[] gzip(String text) throws IOException {
        ByteArrayOutputStream packed = new ByteArrayOutputStream();
        try (OutputStream out = new GZIPOutputStream(packed)) {
            out.write(text.getBytes(StandardCharsets.UTF_8));
        }
        return packed.toByteArray();
    }

    /** As jmeter.save.saveservice.timestamp_format makes them. */
    @Test
    void datesWithoutAZoneAreThoseOfThisMachine() throws IOException {
        ImportProbe imported = read(
                "timeStamp,elapsed,success\n2026/03/01 10:00:01.250,21,true\n2026-03-01 10:00:01,22,true\n"
                        + "2026-03-01T10:00:01.5,23,true\n2026/03/01 10:00:02+01:00,24,true\n2026/13/01 10:00:01,1,true\n",
                Map.of());
        long local = LocalDateTime.of(2026, 3, 1, 10, 0, 1)
                .atZone(ZoneId.systemDefault())
                .toEpochSecond();
        assertThat(imported.calls().stream().map(ImportProbe.Call::intendedNanos))
                .containsExactly(
                        local * 1_000_000_000 + 250_000_000,
                        local * 1_000_000_000,
                        local * 1_000_000_000 + 500_000_000,
                        Instant.parse("2026-03-01T09:00:02Z").getEpochSecond() * 1_000_000_000);
        assertThat(imported.skipped())
                .singleElement()
                .asString()
                .contains("line 6", "2026/11/21 10:00:00.123, got '2026/13/01 10:00:01'");
    }

    @ParameterizedTest
    @CsvSource({"timeStamp;elapsed;success,--separator ';'", "timeStamp\telapsed\tsuccess,--separator tab"})
    void anotherSeparatorIsNamed(String header, String hint) {
        assertThatThrownBy(() -> read(header + "\n", Map.of())).hasMessageContaining(hint);
    }

    @Test
    void whatIsNoUtf8IsRefusedWithItsPlace() throws IOException {
        Path latin = Files.write(
                work.resolve("latin.csv"),
                "timeStamp,elapsed,label\n1772359200001,21,größe\n".getBytes(StandardCharsets.ISO_8859_1));
        assertThatThrownBy(() -> read(latin, PLAIN)).hasMessageContaining("line 2, column 20: expected text in UTF-8");
        Path xz = Files.write(work.resolve("calls.csv.xz"), new byte[] {(byte) 0xFD, '7', 'z', 'X', 'Z', 0, 0, 4});
        assertThatThrownBy(() -> read(xz, PLAIN)).hasMessageContaining("got an xz file; unpack it first");
    }

    /** An exponent costs a file nothing; writing the number out takes all memory, and hours. */
    @Test
    @Timeout(value = 5, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void aNumberOfAThousandMillionDigitsIsRefusedAndOneOfAsManyZerosIsNothing() throws IOException {
        String digits = "9".repeat(1_000_000);
        ImportProbe imported = read(
                "time,latency (s)\n1700000000,1e999999999\n1e999999999,1\n1700000000,1e-999999999\n1700000000," + digits
                        + "\n1700000000,0e999999999\n",
                Map.of());
        assertThat(imported.calls()).hasSize(2);
        assertThat(imported.skipped()).hasSize(3);
        assertThat(imported.skipped()).anyMatch(line -> line.startsWith("line 2: expected a number for latency"));
    }

    @Test
    void aFileOfJMeterBecomesARunWithoutLag() throws IOException {
        ImportProbe imported = read("""
                timeStamp,elapsed,label,responseCode,responseMessage,threadName,dataType,success,failureMessage,bytes,sentBytes,grpThreads,allThreads,URL,Latency,IdleTime,Connect
                1795255200000,100,home,200,OK,Thread Group 1-1,text,true,,500,100,2,2,http://a/,90,0,1
                1795255200050,200,home,200,OK,Thread Group 1-2,text,true,,700,100,2,2,http://a/,90,0,1
                1795255201000,30,"order, now",500,"Internal, bad",Thread Group 1-1,text,false,"x
                y",0,100,2,2,http://a/order,29,0,0
                1795255201500,5000,home,Non HTTP response code: java.net.SocketTimeoutException,Read timed out,Thread Group 1-2,text,false,,0,0,2,2,http://a/,0,0,0
                """, Map.of());

        assertThat(imported.calls()).hasSize(4);
        assertThat(imported.outcomes())
                .isEqualTo(Map.of("ok", 2L, "status 500", 1L, "java.net.SocketTimeoutException", 1L));
        assertThat(imported.calls()).extracting(ImportProbe.Call::isCause).containsExactly(false, false, true, true);
        assertThat(imported.calls())
                .extracting(ImportProbe.Call::responseNanos)
                .containsExactly(100_000_000L, 200_000_000L, 30_000_000L, 5_000_000_000L);
        assertThat(imported.calls()).extracting(ImportProbe.Call::bytes).containsExactly(500L, 700L, 0L, 0L);
        assertThat(imported.calls()).extracting(ImportProbe.Call::client).containsExactly(0, 1, 0, 1);
        assertThat(imported.calls().get(0).intendedNanos()).isEqualTo(1_795_255_200_000_000_000L);
        assertThat(calls.hasLag()).isFalse();
        assertThat(calls.hasBytes()).isTrue();
        assertThat(calls.requests()).containsExactly("home", "order, now");
        assertThat(calls.targets()).containsExactly("http://a/", "http://a/order");
        assertThat(calls.tester(1)).isEqualTo("unknown");
    }

    @Test
    void whatDiperfExportedKeepsItsNumbersMetricsAndStart() throws IOException {
        ImportProbe imported = read("""
                tester,client,request,target,stage,intended_ns,intended_epoch_ns,send_lag_ns,response_ns,outcome,bytes,first,time (ms)
                2,7,all,http://h/,0,1000,1700000000000001000,5000,900000,ok,12,1,1.5
                1,0,all,http://h/,0,2000,1700000000000002000,5000,4000,dropped,0,0,
                """, Map.of());

        assertThat(calls.metrics()).containsExactly(new ExportedMetric("time", "ms"));
        assertThat(calls.hasLag()).isTrue();
        assertThat(imported.calls())
                .containsExactly(
                        new ImportProbe.Call(
                                2,
                                7,
                                0,
                                0,
                                1_700_000_000_000_001_000L,
                                1_700_000_000_000_000_000L,
                                5_000,
                                900_000,
                                "ok",
                                false,
                                12,
                                true,
                                List.of(1.5)),
                        new ImportProbe.Call(
                                1,
                                0,
                                0,
                                0,
                                1_700_000_000_000_002_000L,
                                1_700_000_000_000_000_000L,
                                5_000,
                                4_000,
                                "dropped",
                                false,
                                0,
                                false,
                                List.of(Double.NaN)));
    }

    @Test
    void aPackedFileWithoutHeaderAndWithOtherSeparatorsIsReadByTheNumbersOfItsColumns() throws IOException {
        Path file = Files.write(work.resolve("log.tsv.gz"), gzip("""
                1795255200.5\t200\tGET /a\t1500
                1795255201\t404\tGET /b\t2500
                """));

        ImportProbe imported = read(
                file, new Layout(Map.of("time", "1:s", "latency", "4:us", "code", "2", "request", "3"), false, '\t'));

        assertThat(imported.calls()).hasSize(2);
        assertThat(imported.calls().get(0).intendedNanos()).isEqualTo(1_795_255_200_500_000_000L);
        assertThat(imported.calls().get(0).responseNanos()).isEqualTo(1_500_000);
        assertThat(imported.outcomes()).isEqualTo(Map.of("ok", 1L, "status 404", 1L));
    }

    @Test
    void quotesMayHoldSeparatorsQuotesAndLinesAndOneThatDoesNotEndIsABadRow() throws IOException {
        ImportProbe imported = read("""
                \uFEFFtime_ms,latency_ms,request
                1795255200000,1,"a, ""b""
                c"
                1795255200000,2,"never ends
                1795255200000,3,x
                """, Map.of());

        assertThat(imported.calls()).hasSize(1);
        assertThat(imported.skipped()).containsExactly("line 4: expected a closing quote, got the end of the file");
        assertThat(calls.requests()).containsExactly("a, \"b\"\nc");
    }

    @Test
    void aPackedFileThatIsCutOffIsSaidToBe() throws IOException {
        byte[] packed = gzip("time_ms,latency_ms\n" + "1795255200000,1\n".repeat(100_000));
        Path file = Files.write(work.resolve("cut.csv.gz"), Arrays.copyOf(packed, packed.length / 2));

        assertThatThrownBy(() -> read(file, PLAIN))
                .hasMessageContaining("expected a complete gzip file")
                .hasMessageContaining("gzip -dc");
    }

    @Test
    void progressIsInBytesOfTheFile() throws IOException {
        Path file = Files.write(
                work.resolve("calls.csv.gz"), gzip("time_ms,latency_ms\n" + "1795255200000,1\n".repeat(100_000)));
        List<Long> bytes = new ArrayList<>();
        calls = new CsvCalls(file, PLAIN);

        calls.read(new ImportedCalls.Sink() {
            @Override
            public void add(ImportedCall call) {
                bytes.add(calls.bytesRead());
            }

            @Override
            public void skip(String reason) {
                bytes.add(calls.bytesRead());
            }
        });

        assertThat(bytes)
                .hasSize(100_000)
                .isSorted()
                .allSatisfy(at -> assertThat(at).isBetween(1L, file.toFile().length()));
        assertThat(bytes.get(bytes.size() - 1)).isEqualTo(file.toFile().length());
    }

    @Test
    void columnsAndUnitsCanBeToldAndBadRowsAreNamedByLine() throws IOException {
        ImportProbe imported =
                read("""
                when,took,who,result
                2026-11-21T10:00:00.5Z,0.25,a,200
                soon,0.25,a,200
                2026-11-21T10:00:01Z,0.5,b,404

                2026-11-21T10:00:02Z,-1,b,200
                2026-11-21T10:00:02Z,1
                """, Map.of("time", "when", "latency", "took:s", "client", "who", "code", "result"));

        assertThat(imported.calls()).hasSize(2);
        assertThat(imported.skipped()).hasSize(3);
        assertThat(imported.skipped().get(0))
                .isEqualTo("line 3: expected a number for time, or a time such as "
                        + "2026-11-21T10:00:00.123Z or 2026/11/21 10:00:00.123, got 'soon'");
        assertThat(imported.skipped().get(1)).startsWith("line 6: expected times and bytes of at least 0");
        assertThat(imported.skipped().get(2)).isEqualTo("line 7: expected 4 fields as in the header, got 2");
        assertThat(imported.calls().get(0).responseNanos()).isEqualTo(250_000_000);
        assertThat(imported.outcomes()).isEqualTo(Map.of("ok", 1L, "status 404", 1L));
    }

    /** A field may be as long as a row, and what is said of it goes to the terminal, into run.json and into the report. */
    @Test
    void aLongFieldOrHeaderIsCutOffInWhatIsSaidOfIt() throws IOException {
        String longest = "\u001b[31m" + "9x".repeat(400_000);
        ImportProbe imported = read(
                "time,latency (s),size (B)\n1700000000,1,1\n" + longest + ",1,1\n1700000000," + longest
                        + ",1\n1700000000,1," + longest + "\n1700000000,-1,1" + " ".repeat(400_000) + "\n",
                Map.of());
        assertThat(imported.skipped()).hasSize(4);
        assertThat(imported.skipped())
                .allSatisfy(line -> assertThat(line)
                        .hasSizeLessThan(700)
                        .startsWith("line ")
                        .doesNotContain("\u001b"));
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
        assertThatThrownBy(() -> read("1795255200000,12\n", Map.of())).hasMessageContaining("--no-header");
        assertThatThrownBy(() -> read("<?xml version=\"1.0\"?>\n<testResults/>\n", Map.of()))
                .hasMessageContaining("output_format=csv");
        assertThatThrownBy(() -> read("", Map.of())).hasMessageContaining("got an empty one");
    }
}
