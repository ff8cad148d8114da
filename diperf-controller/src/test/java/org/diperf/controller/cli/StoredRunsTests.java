package org.diperf.controller.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import org.diperf.analyzer.files.SummaryExcerpt;
import org.diperf.analyzer.files.SummaryFile;
import org.diperf.analyzer.result.PartCounts;
import org.diperf.analyzer.result.Summary;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Runs that released versions carried out, and what their {@code report} and {@code export} made of them; each release leaves one.
 * The files under {@code expected} are not to be made again by a later version: they are what it is held to. Where a number was
 * wrong in that version, the one that differs is changed by hand, and the commit says why.
 *
 * <p>Of 0.1.0: {@code mixed}: two kinds of request with data from a file, paced clients next to arrivals with a burst of failures,
 * a condition checked in windows.
 */
@Timeout(120)
class StoredRunsTests {

    private static final Path RUNS = Path.of("src/test/resources");

    /** A number, also the one in front of a unit. */
    private static final Pattern NUMBER = Pattern.compile("[+-]?\\d[\\d,]*(\\.\\d+)?");

    @TempDir
    private Path work = Path.of("");

    /** Copies what the analyzer reads, so that nothing is written into the sources. */
    private Path copyOf(String run) throws IOException {
        Path copy = work.resolve(run);
        Files.createDirectories(copy.resolve("samples"));
        for (String file : List.of("run.json", "clock.csv", "experiment.yml")) {
            Files.copy(RUNS.resolve(run).resolve(file), copy.resolve(file));
        }
        try (Stream<Path> samples = Files.list(RUNS.resolve(run).resolve("samples"))) {
            for (Path file : samples.toList()) {
                Files.copy(file, copy.resolve("samples").resolve(file.getFileName()));
            }
        }
        return copy;
    }

    private static Path expected(String run, String file) {
        return RUNS.resolve(run).resolve("expected").resolve(file);
    }

    @ParameterizedTest
    @ValueSource(strings = "runs-of-0.1.0/mixed")
    void aListOfRunsTakesOfASummaryWhatTheWholeOneHas(String run) throws IOException {
        Path file = expected(run, "summary.json");
        Summary whole = SummaryFile.read(file);
        PartCounts part = whole.measured() == null ? whole : whole.measured();

        SummaryExcerpt head = SummaryExcerpt.read(file);

        assertThat(head.experiment()).isEqualTo(whole.experiment());
        assertThat(head.startedAt()).isEqualTo(whole.startedAt());
        assertThat(head.durationSeconds()).isEqualTo(whole.durationSeconds());
        assertThat(head.calls().total()).isEqualTo(whole.calls().total()).isPositive();
        assertThat(head.failedShare())
                .isEqualTo((double) whole.calls().failed() / whole.calls().total());
        assertThat(head.rate()).isEqualTo(part.throughput().mean());
        assertThat(head.p50Ms()).isEqualTo(part.responseTime().p50());
        assertThat(head.p99Ms()).isEqualTo(part.responseTime().p99());
        assertThat(head.thresholds()).isEqualTo(whole.thresholds());
        assertThat(head.verdict()).isEqualTo(whole.verdict());

        Path cut = work.resolve("cut.json");
        Files.writeString(cut, Files.readString(file).substring(0, 2_000));
        assertThatIOException().isThrownBy(() -> SummaryExcerpt.read(cut)).withMessageContaining("damaged");
        Path other = Files.writeString(work.resolve("other.json"), "{ \"runs\": [] }");
        assertThatIOException()
                .isThrownBy(() -> SummaryExcerpt.read(other))
                .withMessageContaining("other.json is not a run");
    }

    @ParameterizedTest
    @ValueSource(strings = "runs-of-0.1.0/mixed")
    void aReportHasTheNumbersOfBeforeToTheLastDigit(String run) throws IOException {
        Path out = work.resolve("report");

        Outcome said = Outcome.of("report", copyOf(run).toString(), "--out", out.toString());

        assertThat(said.code()).as("%s", said).isZero();
        List<String> differences = new ArrayList<>();
        compare("", json(expected(run, "summary.json")), json(out.resolve("summary.json")), differences);
        assertThat(differences).isEmpty();
        try (Stream<Path> files = Files.list(RUNS.resolve(run).resolve("expected"))) {
            for (Path file : files.filter(StoredRunsTests::isOfAReport).toList()) {
                sameColumns(file, out.resolve(file.getFileName()));
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = "runs-of-0.1.0/mixed")
    void exportsAreTheSameToTheLastByte(String run) throws IOException {
        Path copy = copyOf(run);
        for (String format : List.of("csv", "hgrm", "json-lines")) {
            Path out = work.resolve("calls." + format);
            Outcome said = Outcome.of("export", copy.toString(), "--format", format, "--out", out.toString());
            assertThat(said.code()).as("%s %s", format, said).isZero();
            byte[] before = format.equals("json-lines")
                    ? unpacked(expected(run, "calls.json-lines.gz"))
                    : Files.readAllBytes(expected(run, "calls." + format));
            assertThat(Files.readAllBytes(out)).as(format).isEqualTo(before);
        }
    }

    private static boolean isOfAReport(Path file) {
        String name = file.getFileName().toString();
        return name.endsWith(".csv") && !name.equals("calls.csv");
    }

    private static byte[] unpacked(Path file) throws IOException {
        try (InputStream in = new GZIPInputStream(Files.newInputStream(file))) {
            return in.readAllBytes();
        }
    }

    private static JsonNode json(Path file) throws IOException {
        return JsonMapper.shared().readTree(Files.readAllBytes(file));
    }

    /** What was there must be there with the same value; fields may be added. */
    private static void compare(String path, JsonNode before, JsonNode now, List<String> differences) {
        if (now == null || before.getNodeType() != now.getNodeType()) {
            differences.add(path + ": " + before + " became " + now);
        } else if (before.isObject()) {
            for (Map.Entry<String, JsonNode> field : before.properties()) {
                compare(path + "/" + field.getKey(), field.getValue(), now.get(field.getKey()), differences);
            }
        } else if (before.isArray()) {
            if (before.size() != now.size()) {
                differences.add(path + ": " + before + " became " + now);
            }
            for (int i = 0; i < Math.min(before.size(), now.size()); i++) {
                compare(path + "/" + i, before.get(i), now.get(i), differences);
            }
        } else if (!same(path, before, now)) {
            differences.add(path + ": " + before + " became " + now);
        }
    }

    /** Sentences may be put better; the numbers in them may not change. Numbers are compared as they are written. */
    private static boolean same(String path, JsonNode before, JsonNode now) {
        boolean sentence = path.contains("/warnings/") || path.contains("/missing/");
        return sentence
                ? numbers(before.asString()).equals(numbers(now.asString()))
                : before.toString().equals(now.toString());
    }

    private static List<String> numbers(String sentence) {
        List<String> numbers = new ArrayList<>();
        for (Matcher number = NUMBER.matcher(sentence); number.find(); ) {
            numbers.add(number.group());
        }
        return numbers;
    }

    /** What columns there were are there in the same order, with the same rows; columns may be added. */
    private static void sameColumns(Path before, Path now) throws IOException {
        List<String[]> old = rows(before);
        List<String[]> rows = rows(now);
        List<String> names = List.of(rows.get(0));
        List<Integer> columns = new ArrayList<>();
        for (String name : old.get(0)) {
            columns.add(names.indexOf(name));
        }
        assertThat(columns).as("columns of %s", now).doesNotContain(-1).isSorted();
        assertThat(rows).as("rows of %s", now).hasSameSizeAs(old);
        for (int i = 0; i < old.size(); i++) {
            String[] row = rows.get(i);
            assertThat(columns.stream().map(column -> row[column]).toArray())
                    .as("row %d of %s", i, now)
                    .isEqualTo(old.get(i));
        }
    }

    /** None of these files has a quoted field. */
    private static List<String[]> rows(Path file) throws IOException {
        List<String> lines = Files.readAllLines(file);
        assertThat(lines).as("%s", file).noneMatch(line -> line.contains("\""));
        return lines.stream().map(line -> line.split(",", -1)).toList();
    }
}
