package org.diperf.controller.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The commands export, import and verify, as a user types them. */
@Timeout(120)
class ExchangeCommandsTests {

    @TempDir
    private Path work = Path.of("");

    private static Outcome diperf(Object... args) {
        return Outcome.of(Stream.of(args).map(String::valueOf).toList());
    }

    private JsonNode summary(String run) throws IOException {
        return JsonMapper.shared().readTree(Files.readAllBytes(work.resolve(run).resolve("summary.json")));
    }

    /** Two testers' calls of two kinds, some of which failed. */
    private Path imported() throws IOException {
        long seed = new Random().nextLong();
        System.err.println("seed " + seed);
        Random random = new Random(seed);
        StringBuilder csv = new StringBuilder(
                "time_ns,response_ns,send_lag_ns,outcome,client,tester,request,bytes,first,connect (ms)\n");
        for (int i = 0; i < 2_000; i++) {
            csv.append(1_795_255_200_000_000_000L + i * 10_000_000L).append(',');
            csv.append(1_000_000 + random.nextInt(90_000_000)).append(',').append(random.nextInt(1_000_000));
            csv.append(i % 40 == 0 ? ",status 503," : ",ok,")
                    .append(i % 8)
                    .append(',')
                    .append(1 + i % 2);
            csv.append(i % 3 == 0 ? ",\"order, now\"," : ",browse,").append(random.nextInt(2_000));
            csv.append(i < 8 ? ",1,0.5\n" : ",0,\n");
        }
        Path file = Files.writeString(work.resolve("calls.csv"), csv);
        Outcome said = diperf("import", file, "--out", work.resolve("run"));
        assertThat(said.code()).as("%s", said).isZero();
        assertThat(said.out()).contains("2,000 calls of", "numbers VALID, as far as the file says");
        return work.resolve("run");
    }

    @Test
    void theReportOfARepairedCopyNamesACommandThatCanBeGiven() throws IOException {
        Path copy = work.resolve("copy");
        Outcome said = diperf("verify", imported(), "--fix", "--out", copy);
        assertThat(said.code()).as("%s", said).isZero();
        assertThat(Files.readString(copy.resolve("report.html")))
                .contains("diperf report " + copy)
                .doesNotContain("diperf run " + copy);
    }

    @Test
    void whatIsImportedCanBePrintedAsJson() throws IOException {
        Path file = imported().resolveSibling("calls.csv");
        Outcome said = diperf("import", file, "--out", work.resolve("again"), "--json");
        assertThat(said.code()).as("%s", said).isZero();
        JsonNode printed = JsonMapper.shared().readTree(said.out());
        assertThat(printed.path("summary")).isEqualTo(summary("again"));
        assertThat(said.err()).contains("2,000 calls of");
    }

    private static Map<String, String> contents(Path folder) throws IOException {
        Map<String, String> contents = new TreeMap<>();
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                contents.put(folder.relativize(file).toString(), HexFormat.of().formatHex(Files.readAllBytes(file)));
            }
        }
        return contents;
    }

    @Test
    void whatIsExportedAsCsvAndImportedHasTheSameNumbers() throws IOException {
        Path run = imported();

        assertThat(diperf("export", run, "--format", "csv").code()).isZero();
        Outcome again = diperf("import", run.resolve("calls.csv"), "--out", work.resolve("again"));

        assertThat(again.code()).as("%s", again).isZero();
        JsonNode before = summary("run");
        JsonNode after = summary("again");
        for (String name : new String[] {
            "calls",
            "responseTime",
            "responseTimeFailed",
            "serviceTime",
            "sendLag",
            "throughput",
            "durationSeconds",
            "startedAt"
        }) {
            assertThat(after.get(name)).as(name).isNotNull().isEqualTo(before.get(name));
        }
        assertThat(Files.readAllLines(work.resolve("again/requests.csv")))
                .isEqualTo(Files.readAllLines(run.resolve("requests.csv")));
        assertThat(Files.readAllLines(work.resolve("again/clients.csv")))
                .isEqualTo(Files.readAllLines(run.resolve("clients.csv")));
    }

    @Test
    void everyFormatIsWrittenAndAnUnknownOneIsRefusedWithThoseThatThereAre() throws IOException {
        Path run = imported();
        for (String format : new String[] {"csv", "jtl", "json-lines", "hgrm", "hlog", "parquet"}) {
            Outcome said = diperf("export", run, "--format", format);
            assertThat(said.code()).as("%s %s", format, said).isZero();
            assertThat(said.out()).startsWith("2,000 calls");
            assertThat(run.resolve("calls." + format)).isNotEmptyFile();
        }
        Outcome said = diperf("export", run, "--format", "parquett");
        assertThat(said.code()).isEqualTo(2);
        assertThat(said.err()).contains("csv", "json-lines", "Did you mean 'parquet'");
    }

    @Test
    void verifyChangesNothingAndFixLeavesACopyThatIsClean() throws IOException {
        Path run = imported();
        assertThat(diperf("verify", run).code()).isZero();
        Path sample;
        try (Stream<Path> files = Files.list(run.resolve("samples"))) {
            sample = files.sorted().findFirst().orElseThrow();
        }
        byte[] bytes = Files.readAllBytes(sample);
        bytes[bytes.length / 2] ^= 8;
        Files.write(sample, bytes);
        Map<String, String> before = contents(run);

        Outcome found = diperf("verify", run);
        Outcome fixed = diperf("verify", run, "--fix");
        Outcome again = diperf("verify", work.resolve("run-repaired"));

        assertThat(found.code()).isEqualTo(3);
        assertThat(found.out())
                .contains("expected checksum", "DAMAGED", "it reported sending 1,000 calls, but the samples contain 0");
        assertThat(fixed.code()).as("%s", fixed).isZero();
        assertThat(fixed.out()).contains("repaired", "1 section that could not be used was skipped");
        assertThat(again.code()).as("%s", again).isZero();
        assertThat(again.out()).contains("CLEAN");
        assertThat(summary("run-repaired").get("verdict").asString()).isEqualTo("suspect");
        assertThat(contents(run)).isEqualTo(before);
        assertThat(diperf("verify", run, "--out", work.resolve("x")).code()).isEqualTo(2);
        assertThat(diperf("verify", work.resolve("nothing")).code()).isEqualTo(2);
    }

    @Test
    void aRunWhoseRecordCannotBeReadCannotBeRepairedAndNothingIsLeft() throws IOException {
        Path run = imported();
        Files.writeString(run.resolve("run.json"), "{ \"format\": ");

        assertThat(diperf("verify", run).code()).isEqualTo(3);
        Outcome said = diperf("verify", run, "--fix");

        assertThat(said.code()).isEqualTo(3);
        assertThat(said.err()).contains("run.json", "restore it from a copy");
        assertThat(work.resolve("run-repaired")).doesNotExist();
    }

    @Test
    void aFileThatCannotBeImportedIsSaidWithWhatToDoAndLeavesNothing() throws IOException {
        Path strange = Files.writeString(work.resolve("strange.csv"), "a;b\n1;2\n");
        Path bad = Files.writeString(work.resolve("bad.csv"), "time_ms;took_ms\nsoon;2\n");
        Path out = work.resolve("out");

        Outcome unknown = diperf("import", strange, "--out", out);
        Outcome rows = diperf("import", bad, "--out", out, "--separator", ";", "--columns", "latency=took_ms");

        assertThat(unknown.code()).isEqualTo(3);
        assertThat(unknown.err()).contains("expected a column for the time", "--columns time=NAME");
        assertThat(rows.code()).isEqualTo(3);
        assertThat(rows.err()).contains("line 2: expected a number for time", "got 'soon'");
        assertThat(out).doesNotExist();
        assertThat(diperf("import", bad, "--separator", "ab").code()).isEqualTo(2);
        assertThat(diperf("import", work.resolve("none.csv")).code()).isEqualTo(2);
    }
}
