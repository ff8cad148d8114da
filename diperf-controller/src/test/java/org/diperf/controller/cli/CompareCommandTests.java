package org.diperf.controller.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.transform.stream.StreamSource;
import javax.xml.validation.SchemaFactory;
import org.diperf.analyzer.compare.Comparison;
import org.diperf.analyzer.compare.Contrast;
import org.diperf.analyzer.compare.FailRule;
import org.diperf.analyzer.compare.Metric;
import org.diperf.analyzer.compare.MetricResult;
import org.diperf.analyzer.compare.MetricResult.Finding;
import org.diperf.analyzer.compare.RuleResult;
import org.diperf.analyzer.compare.Settings;
import org.diperf.analyzer.compare.Side;
import org.diperf.analyzer.stats.Range;
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

    @TempDir
    Path folder;

    private Path run(String name, double millis, long seed, String experiment) throws IOException {
        return MadeRun.write(folder.resolve(name), millis, seed, experiment);
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
                .startsWith("response mean +")
                .containsPattern("\\): after is\\s+worse than before")
                .contains("from run to run");
        String again = run("again", 10, 3, rate(500)).toString();
        Outcome equal = Outcome.of("compare", before, again);
        assertThat(equal.code()).as(equal.out()).isZero();
        assertThat(equal.out())
                .containsPattern("\\):\\s+again\\s+was\\s+not\\s+shown\\s+to\\s+be\\s+worse\\s+than\\s+before");
        Outcome coarse = Outcome.of("compare", before, again, "--smallest-effect", "15%");
        assertThat(coarse.code()).as(coarse.out()).isZero();
        assertThat(coarse.out()).startsWith("response mean ").containsPattern("no\\s+difference\\s+that\\s+matters");
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
        assertValid(xml);
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

    /** A metric that may be worse by enough to matter is neither a pass nor a failure: a job must not go green by it. */
    @Test
    void aMetricThatCannotBeToldIsAnErrorWhereItMayBeWorseByMuch() {
        Side a = new Side("before", List.of(), List.of(), Optional.empty());
        Side b = new Side("after", List.of(), List.of(), Optional.empty());
        List<MetricResult> results = List.of(
                result(Metric.RESPONSE_MEAN, -0.01, 0.28, Finding.COULD_NOT_TELL),
                result(Metric.RESPONSE_P50, -0.28, 0.01, Finding.COULD_NOT_TELL),
                result(Metric.RESPONSE_P99, 0.1, 0.3, Finding.WORSE),
                result(Metric.THROUGHPUT, -0.3, 0.1, Finding.NOT_SURE),
                result(Metric.FAILED, 0, 0, Finding.NO_DIFFERENCE),
                result(Metric.FAIRNESS, -1, 1, Finding.UNDECIDED));
        Comparison comparison = new Comparison(
                List.of(a, b),
                List.of(new Contrast(a, b, true, results, List.of(), List.of())),
                Comparison.Verdict.UNDECIDABLE,
                List.of("the runs are of different experiments"),
                List.of(),
                Settings.DEFAULT);
        assertThat(ComparisonCases.of(comparison, 12))
                .extracting(JUnitXml.Case::name, JUnitXml.Case::outcome)
                .containsExactly(
                        tuple("response.mean is not worse", JUnitXml.Outcome.ERROR),
                        tuple("response.p50 is not worse", JUnitXml.Outcome.PASSED),
                        tuple("response.p99 is not worse", JUnitXml.Outcome.FAILED),
                        tuple("throughput is not worse", JUnitXml.Outcome.ERROR),
                        tuple("failed is not worse", JUnitXml.Outcome.PASSED),
                        tuple("can be decided", JUnitXml.Outcome.ERROR));
        String xml = JUnitXml.xml("compare", ComparisonCases.of(comparison, 12));
        // Tools add up the cases.
        assertThat(xml)
                .contains("errors=\"3\"", "failures=\"1\"", "time=\"12.000\">")
                .containsPattern("testcase [^>]* time=\"2.000\"");
        assertThat(ComparisonMarkdown.of(comparison))
                .startsWith("### ❓ undecided\n")
                .contains("| response p99 ms | 10.0 | 10.0 | +20.0 % | +10.0 to +30.0 % | worse |\n")
                .contains("Nothing is decided: the runs are of different experiments.\n");
    }

    /** Its numbers alone may say "worse": that is not what the rule asks. */
    @Test
    void aRuleThatCannotBeToldSaysSoInItsCase() {
        Side side = new Side("before", List.of(), List.of(), Optional.empty());
        MetricResult worse = result(Metric.RESPONSE_P99, 0.01, 0.3, Finding.WORSE);
        FailRule rule = FailRule.parse("response.p99 +5%");
        List<RuleResult> rules = List.of(
                new RuleResult(rule, worse, 0.3, RuleResult.Outcome.UNDECIDED),
                new RuleResult(rule, worse, 0.001, RuleResult.Outcome.BROKEN));
        Comparison comparison = new Comparison(
                List.of(side, side),
                List.of(new Contrast(side, side, true, List.of(worse), rules, List.of())),
                Comparison.Verdict.UNDECIDABLE,
                List.of(),
                List.of(),
                Settings.DEFAULT);
        List<JUnitXml.Case> cases = ComparisonCases.of(comparison, 1);
        assertThat(cases.get(0).detail())
                .endsWith(
                        " against a limit of 'response.p99 +5%': undecided for before; about 5 runs per side would tell to within "
                                + "10 %");
        assertThat(cases.get(1).detail()).endsWith(": worse");
    }

    private static MetricResult result(Metric metric, double low, double high, Finding finding) {
        return new MetricResult(
                metric,
                10,
                10,
                (low + high) / 2,
                low,
                high,
                0.5,
                0.5,
                0,
                0,
                "runs",
                3,
                3,
                new Range(low, high),
                finding);
    }

    /** What Jenkins and GitLab both read, see junit.xsd. */
    static void assertValid(Path xml) throws Exception {
        SchemaFactory.newDefaultInstance()
                .newSchema(CompareCommandTests.class.getResource("junit.xsd"))
                .newValidator()
                .validate(new StreamSource(xml.toFile()));
    }

    @Test
    void whatARunIsToACiJobIsValidToo() throws Exception {
        Path xml = folder.resolve("run.xml");
        JUnitXml.write(
                xml,
                "diperf run",
                List.of(
                        new JUnitXml.Case("orders", "response.p99 < 5ms", JUnitXml.Outcome.FAILED, "seen: 7 ms", 20),
                        new JUnitXml.Case("orders", "failed < 1%", JUnitXml.Outcome.PASSED, "seen: 0 %", 20),
                        new JUnitXml.Case(
                                "orders", "gave numbers", JUnitXml.Outcome.ERROR, "no call succeeded", 20.5)));
        assertValid(xml);
        assertThat(Files.readString(xml))
                .contains("time=\"60.500\">")
                .containsPattern("testcase [^>]* time=\"20.500\"");
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
        assertThat(outcome.out())
                .startsWith("response mean +")
                .containsPattern("\\): new is\\s+worse than old")
                .contains("based on 3 and 3 runs, one value per run\n");
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
                .startsWith("response mean +")
                .contains(": clients=8, new is worse than clients=8, old");
        assertThat(Files.readString(out.resolve("compare.html"))).contains("2 comparisons of 4 sets of runs");
        assertThat(out.resolve("figures/compare-all.png")).isNotEmptyFile();
    }

    @Test
    void gridsAreComparedPointByPoint() throws Exception {
        String before = grid("before", 10, 70).toString();
        String after = grid("after", 12, 90).toString();
        Outcome outcome = Outcome.of("compare", before, after, "--fail-on", "response.mean +5%");
        assertThat(outcome.code()).as(outcome.out()).isEqualTo(99);
        assertThat(outcome.out())
                .startsWith("Worse in 1 of 4 comparisons (after: clients=8, new response mean +")
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
        assertThat(outcome.out())
                .containsPattern("new\\s+was\\s+not\\s+shown\\s+to\\s+be\\s+worse\\s+than\\s+old")
                .contains("without an experiment.yml, there is no way to check");
    }

    @Test
    void misuseIsExplained() throws Exception {
        String run = run("before", 10, 40, rate(500)).toString();
        assertMisuse("expected at least two runs", "compare", run);
        assertMisuse("is specified twice", "compare", run, run);
        assertMisuse("got nothing at", "compare", run, folder.resolve("none").toString());
        assertMisuse("expected the folder of a run, or of trials", "compare", run, folder.toString());
        assertMisuse("gets worse when it falls", "compare", run, run, "--fail-on", "throughput +5%");
        assertMisuse("expected a percentage", "compare", run, run, "--smallest-effect", "much");
    }

    private static void assertMisuse(String said, String... arguments) {
        Outcome outcome = Outcome.of(arguments);
        assertThat(outcome.code()).isEqualTo(2);
        assertThat(outcome.err()).contains(said);
    }

    @Test
    void runsAreCalledByWhatTheirNamesShare() {
        assertThat(ComparisonSides.common(List.of("old-1", "old-2", "old-3"))).isEqualTo("old");
        assertThat(ComparisonSides.common(List.of("a", "b"))).isEqualTo("a and 1 more");
        assertThat(ComparisonSides.common(List.of("003-clients=4,old,trial=1", "011-clients=4,old,trial=2")))
                .isEqualTo("clients=4,old");
    }

    @Test
    void whatXmlCannotHoldIsLeftOut() {
        String xml = JUnitXml.xml(
                "a \"suite\"",
                List.of(new JUnitXml.Case("<group>", "bell \u0007 & more", JUnitXml.Outcome.ERROR, "line\nfeed", 1.5)));
        assertThat(xml)
                .contains("name=\"a &quot;suite&quot;\" tests=\"1\" failures=\"0\" errors=\"1\"")
                .contains("classname=\"&lt;group&gt;\" name=\"bell  &amp; more\"")
                .contains("<error message=\"line&#10;feed\"");
    }
}
