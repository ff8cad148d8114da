package org.diperf.controller.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.StringReader;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import javax.xml.parsers.DocumentBuilderFactory;
import org.diperf.core.run.RunRecord;
import org.diperf.core.run.RunRecord.End;
import org.diperf.core.run.RunRecord.MeasureRecord;
import org.diperf.core.run.RunRecord.ReportRecord;
import org.diperf.core.run.RunRecord.StageRecord;
import org.diperf.core.run.RunRecord.TesterRecord;
import org.diperf.core.sample.CallWriter;
import org.diperf.core.sample.SampleWriter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.xml.sax.InputSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** What {@code compare} says, exits with and writes, of run directories made for the purpose. */
@Timeout(120)
class CompareCommandTests {

    private static final long START = 1_000_000_000_000L;
    private static final int CALLS = 4000;
    private static final long EVERY_NANOS = 2_000_000;

    @TempDir
    Path folder;

    /** Writes a run of open load whose calls take so long, with the experiment file that it is said to have had. */
    private Path run(String name, double millis, long seed, String experiment) throws IOException {
        Path dir = folder.resolve(name);
        SplittableRandom random = new SplittableRandom(seed);
        CallWriter calls = new CallWriter(1, CALLS, 0);
        for (int call = 0; call < CALLS; call++) {
            long latency = Math.round(millis * 1e6 * Math.exp(0.3 * random.nextGaussian()));
            calls.add(0, 0, 0, 0, START + call * EVERY_NANOS, 1000, latency, "ok", 10, false);
        }
        ByteBuffer block = ByteBuffer.allocate(calls.maxEncodedLength());
        calls.encode(block, 1);
        block.flip();
        Files.createDirectories(dir);
        try (SampleWriter samples = new SampleWriter(dir.resolve("samples"), 1 << 20)) {
            samples.append(block);
        }
        StringBuilder clock = new StringBuilder("tester,host,source,epoch,client_wall_ms,server_sent_ns,"
                + "client_received_ns,client_sent_ns,server_received_ns\n");
        for (long at = START - 2_000_000_000L; at < START + 12_000_000_000L; at += 1_000_000_000L) {
            clock.append(
                    "1,host,frame,0,0," + at + "," + (at + 10_000) + "," + (at + 11_000) + "," + (at + 21_000) + "\n");
        }
        Files.writeString(dir.resolve("clock.csv"), clock);
        Files.writeString(
                dir.resolve("run.json"),
                JsonMapper.builder().build().writeValueAsString(record()),
                StandardCharsets.UTF_8);
        if (!experiment.isEmpty()) {
            Files.writeString(dir.resolve("experiment.yml"), experiment);
        }
        return dir;
    }

    private static RunRecord record() {
        long end = CALLS * EVERY_NANOS;
        return new RunRecord(
                RunRecord.FORMAT,
                "made",
                Map.of(),
                1,
                "0.1.0",
                "2026-11-21T10:00:00.123Z",
                START,
                START + end + 1_000_000_000L,
                End.COMPLETE,
                "http",
                List.of(),
                List.of("call"),
                List.of("http://127.0.0.1:8080/"),
                List.of(new StageRecord(
                        0, "open", 0, end, null, null, null, null, 500.0, "constant", 0L, 5000, 30_000_000_000L)),
                List.of(new TesterRecord(1, "host", true, null, null, START, CALLS, 0, 0, 0, Map.of(), Map.of())),
                new MeasureRecord("whole", 0, 0, 0),
                List.of(),
                new ReportRecord(1_000_000_000L, 0, 0, false),
                Map.of(),
                List.of(),
                List.of(),
                null,
                List.of());
    }

    private static String rate(int perSecond) {
        return "name: made\ntarget: http://127.0.0.1:8080/\nload: { open: { rate: " + perSecond + "/s, for: 8s } }\n";
    }

    @Test
    void aSlowerRunExitsWith99AndAnEqualOneWith0() throws Exception {
        String before = run("before", 10, 1, rate(500)).toString();
        Outcome worse =
                Outcome.of("compare", before, run("after", 12, 2, rate(500)).toString());
        assertThat(worse.code()).as(worse.out()).isEqualTo(99);
        assertThat(worse.out())
                .startsWith("after is worse than before: response mean +")
                .contains("from run to run");
        Outcome equal =
                Outcome.of("compare", before, run("again", 10, 3, rate(500)).toString());
        assertThat(equal.code()).as(equal.out()).isZero();
        assertThat(equal.out()).startsWith("No difference");
    }

    @Test
    void aRuleDecidesWhereOneIsGivenAndTheXmlSaysSo() throws Exception {
        String before = run("before", 10, 4, rate(500)).toString();
        String after = run("after", 12, 5, rate(500)).toString();
        Path xml = folder.resolve("deep/compare.xml");
        Outcome kept = Outcome.of("compare", before, after, "--fail-on", "response.p50 +40%");
        assertThat(kept.code()).as(kept.out()).isZero();
        Outcome broken = Outcome.of(
                "compare",
                before,
                after,
                "--fail-on",
                "response.p50 +5%",
                "--fail-on",
                "failed +1%",
                "--junit",
                xml.toString());
        assertThat(broken.code()).as(broken.out()).isEqualTo(99);
        Document document = DocumentBuilderFactory.newDefaultInstance()
                .newDocumentBuilder()
                .parse(new InputSource(new StringReader(Files.readString(xml))));
        Element suite = document.getDocumentElement();
        assertThat(suite.getTagName()).isEqualTo("testsuite");
        assertThat(suite.getAttribute("tests")).isEqualTo("3");
        assertThat(suite.getAttribute("failures")).isEqualTo("1");
        assertThat(suite.getAttribute("errors")).isEqualTo("0");
        Element failed = (Element) suite.getElementsByTagName("failure").item(0).getParentNode();
        assertThat(failed.getAttribute("name")).isEqualTo("response.p50 +5%");
    }

    @Test
    void differentExperimentsAreUndecidableUnlessTheDifferenceIsMeant() throws Exception {
        String before = run("before", 10, 6, rate(500)).toString();
        String after = run("after", 10, 7, rate(400)).toString();
        Outcome refused = Outcome.of("compare", before, after);
        assertThat(refused.code()).isEqualTo(3);
        assertThat(refused.out()).contains("load.open.rate (500/s and 400/s)");
        Outcome meant = Outcome.of("compare", before, after, "--ignore", "load.open.rate");
        assertThat(meant.code()).as(meant.out()).isZero();
    }

    @Test
    void trialsInAFolderAreTakenBySetAndCompared() throws Exception {
        List<String> entries = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            String dir = "sweep/runs/00" + (i + 1);
            run(dir, i % 2 == 0 ? 10 : 12, 10 + i, rate(500));
            entries.add("{\"dir\":\"" + dir.replaceFirst("sweep/", "") + "\",\"set\":\"" + (i % 2 == 0 ? "old" : "new")
                    + "\",\"trial\":" + (i / 2 + 1) + ",\"verdict\":\"valid\"}");
        }
        Path parent = folder.resolve("sweep");
        Files.writeString(parent.resolve("summary.json"), "{\"runs\":[" + String.join(",", entries) + "]}");
        Path out = folder.resolve("compared");
        Outcome outcome = Outcome.of("compare", parent.toString(), "--out", out.toString());
        assertThat(outcome.code()).as(outcome.out()).isEqualTo(99);
        assertThat(outcome.out()).startsWith("new is worse than old").contains("3 and 3 runs, each run one value");
        assertThat(out.resolve("compare.html")).isNotEmptyFile();
        assertThat(Files.readString(out.resolve("comparison.json"))).contains("\"verdict\" : \"worse\"");
    }

    /** Writes the folder of a grid of two points and two variants, three trials of each in an order that is mixed. */
    private Path grid(String name, double newMillis, long seed) throws IOException {
        List<String> runs = new ArrayList<>();
        for (int i = 0; i < 12; i++) {
            boolean isNew = i % 2 == 0;
            int clients = i / 2 % 2 == 0 ? 8 : 4;
            String dir = String.format(Locale.ROOT, "runs/%03d", i + 1);
            run(name + "/" + dir, (isNew && clients == 8 ? newMillis : 10) * clients / 4, seed + i, rate(500));
            runs.add("{\"dir\":\"" + dir + "\",\"set\":" + set(clients, isNew ? "new" : "old") + ",\"trial\":"
                    + (i / 4 + 1) + ",\"verdict\":\"valid\"}");
        }
        List<String> points = new ArrayList<>();
        for (int clients : new int[] {4, 8}) {
            for (String variant : List.of("old", "new")) {
                points.add("{\"set\":" + set(clients, variant) + "}");
            }
        }
        Path parent = folder.resolve(name);
        Files.writeString(
                parent.resolve("summary.json"),
                "{\"axes\":[{\"path\":\"load.clients\",\"name\":\"clients\"}],\"points\":[" + String.join(",", points)
                        + "],\"runs\":[" + String.join(",", runs) + "]}");
        return parent;
    }

    private static String set(int clients, String variant) {
        return "{\"load.clients\":" + clients + ",\"variant\":\"" + variant + "\"}";
    }

    @Test
    void variantsAreComparedAtEachPointOfASweepAndInTheOrderOfTheFile() throws Exception {
        Path out = folder.resolve("compared");
        Outcome outcome = Outcome.of("compare", grid("sweep", 12, 50).toString(), "--out", out.toString());
        assertThat(outcome.code()).as(outcome.out()).isEqualTo(99);
        JsonNode contrasts = JsonMapper.builder()
                .build()
                .readTree(Files.readAllBytes(out.resolve("comparison.json")))
                .path("contrasts");
        assertThat(contrasts.size()).isEqualTo(2);
        assertThat(contrasts.path(0).path("a").asString()).isEqualTo("clients=4, old");
        assertThat(contrasts.path(0).path("b").asString()).isEqualTo("clients=4, new");
        assertThat(contrasts.path(1).path("finding").asString())
                .startsWith("clients=8, new is worse than clients=8, old");
        assertThat(Files.readString(out.resolve("compare.html"))).contains("2 comparisons of 4 sets of runs");
    }

    @Test
    void gridsAreComparedPointByPoint() throws Exception {
        String before = grid("before", 10, 70).toString();
        String after = grid("after", 12, 90).toString();
        Outcome outcome = Outcome.of("compare", before, after, "--fail-on", "response.mean +5%");
        assertThat(outcome.code()).as(outcome.out()).isEqualTo(99);
        assertThat(outcome.out())
                .startsWith("1 of 4 comparisons are worse (after: clients=8, new response mean +")
                .contains("before: clients=4, old");
        assertThat(Outcome.of("compare", before, "--to", after).code()).isEqualTo(99);
    }

    @Test
    void runsBeforeAndBehindToAreTwoSets() throws Exception {
        List<String> arguments = new ArrayList<>(List.of("compare"));
        for (int i = 0; i < 3; i++) {
            arguments.add(run("old-" + i, 10, 20 + i, "").toString());
        }
        arguments.add("--to");
        for (int i = 0; i < 3; i++) {
            arguments.add(run("new-" + i, 10, 30 + i, "").toString());
        }
        Outcome outcome = Outcome.of(arguments);
        assertThat(outcome.code()).as(outcome.out()).isZero();
        assertThat(outcome.out()).contains("between old and new").contains("without an experiment.yml nobody can tell");
    }

    @Test
    void misuseIsExplained() throws Exception {
        String run = run("before", 10, 40, rate(500)).toString();
        assertMisuse("wanted at least two runs", "compare", run);
        assertMisuse("wanted different runs", "compare", run, run);
        assertMisuse("found nothing at", "compare", run, folder.resolve("none").toString());
        assertMisuse("wanted the folder of a run, or of trials", "compare", run, folder.toString());
        assertMisuse("gets worse when it falls", "compare", run, run, "--fail-on", "throughput +5%");
        assertMisuse("wanted per cent", "compare", run, run, "--smallest-effect", "much");
    }

    private static void assertMisuse(String said, String... arguments) {
        Outcome outcome = Outcome.of(arguments);
        assertThat(outcome.code()).isEqualTo(2);
        assertThat(outcome.err()).contains(said);
    }

    @Test
    void runsAreCalledByWhatTheirNamesShare() {
        assertThat(CompareSides.common(List.of("old-1", "old-2", "old-3"))).isEqualTo("old");
        assertThat(CompareSides.common(List.of("a", "b"))).isEqualTo("a and 1 more");
        assertThat(CompareSides.common(List.of("003-clients=4,old,trial=1", "011-clients=4,old,trial=2")))
                .isEqualTo("clients=4,old");
    }

    @Test
    void whatXmlCannotHoldIsLeftOut() {
        String xml = JUnitXml.xml(
                "a \"suite\"",
                1.5,
                List.of(new JUnitXml.Case("<group>", "bell \u0007 & more", JUnitXml.Outcome.ERROR, "line\nfeed")));
        assertThat(xml)
                .contains("name=\"a &quot;suite&quot;\" tests=\"1\" failures=\"0\" errors=\"1\"")
                .contains("classname=\"&lt;group&gt;\" name=\"bell  &amp; more\"")
                .contains("<error message=\"line&#10;feed\"");
    }
}
