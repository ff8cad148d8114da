package org.diperf.controller.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The studies of the papers: claims and how runs answer them, the numbers that {@code shapes.py} takes from runs, the pages that say what
 * follows, and {@code repeat}, which makes the studies.
 */
@Timeout(60)
class StudyShapesTests {

    private static final Path TOP = Path.of("..").toAbsolutePath().normalize();
    private static final Path PAPERS = TOP.resolve("examples/papers");
    private static final Path PAGE = TOP.resolve("docs/papers.md");
    private static final String MDS = "ws-mds/06-lan-wan";
    private static final String GRIDFTP = "microgrid/11-parallel-links";
    private static final String CLASSES = "100gbps/05-classes";
    private static final String TIME = "diperf/06-time-server";
    private static final int COLUMNS = 8;

    /** Of each paper, its figures, tables and other items, as the page names them. */
    private static final Map<String, String> ITEMS = Map.of(
            "## DiPerF", "D 1 to 4|§3.3|D 5|D 6|table 1|D 7|D 8|D 9|D 10|D 11|D 12|D 13|D 14|D 15, 16",
            "## WS-MDS", "W 1|Trigger, Aggregator|W 2|W 3|W 4|W 5|W 6, 7|W 8|W 9|W 10|table 1",
            "## A 100 Gbit/s testbed", "G 1, tables|G 2, tables|G 3|G, §4|G 4|table|G 5",
            "## MicroGrid", "M 1, 2|§3.2|table 1, M 3|M 4, 5|M 6|M 7|M 8|M 9|M 10|M 11",
            "## iperf and the Network Weather Service", "NWS|How to choose|I 1|I 2|I 3|I 4|I 5, 7|I 6, 8");

    @TempDir
    Path folder;

    private record Said(int exitCode, String text) {}

    private static Said run(Map<String, String> environment, List<String> command) throws Exception {
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().putAll(environment);
        builder.environment().put("PYTHONDONTWRITEBYTECODE", "1");
        Process process = builder.start();
        process.getOutputStream().close();
        String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return new Said(process.waitFor(), text);
    }

    private static Said shapesIn(Path papers, Object... arguments) throws Exception {
        List<String> command =
                new ArrayList<>(List.of("python3", papers.resolve("shapes.py").toString()));
        for (Object argument : arguments) {
            command.add(argument.toString());
        }
        return run(Map.of(), command);
    }

    private static Said shapes(Object... arguments) throws Exception {
        return shapesIn(PAPERS, arguments);
    }

    /** Returns the numbers of one trial. */
    private static JsonNode trial(Said said, int trial) {
        return JsonMapper.shared().readTree(said.text()).get("trials").get(trial);
    }

    @BeforeEach
    void requiresPython() throws InterruptedException {
        try {
            assumeTrue(new ProcessBuilder("python3", "--version").start().waitFor() == 0, "python3 does not run");
        } catch (IOException e) {
            assumeTrue(false, "python3 is not installed");
        }
    }

    private static List<String> studies() throws Exception {
        return shapes("--studies").text().lines().toList();
    }

    /** Copies scripts, claims, numbers and pages, so that a test can change them. */
    private Path copy() throws IOException {
        for (Path of : List.of(PAPERS, TOP.resolve("docs"))) {
            try (Stream<Path> files = Files.walk(of)) {
                for (Path file : files.filter(Files::isRegularFile)
                        .filter(each -> each.toString().matches(".*\\.(?:py|json)|.*/(?:papers|claims)\\.md"))
                        .toList()) {
                    Path to = folder.resolve(TOP.relativize(file).toString());
                    Files.createDirectories(to.getParent());
                    Files.copy(file, to);
                }
            }
        }
        return folder.resolve("examples/papers");
    }

    /** Replaces the claims of a copy's DiPerF paper by one on the response time of the time server. */
    private static void claim(Path papers, String more, String low, String high) throws Exception {
        Files.writeString(papers.resolve("claims/diperf.json"), """
                [{"id": "D6", "figure": "D 6", "study": "%s", "kind": "shape", "claim": "level", "paper": "level", "measure": "ratio",
                  "statistic": "v('all/responseMillis') / v('quarter/responseMillis')", "holds": [%s, %s]%s}]
                """.formatted(TIME, low, high, more));
        assertThat(shapesIn(papers, "--freeze").exitCode()).isZero();
    }

    /** Keeps trials that differ in the response time with all clients; with a quarter it is 1 ms. */
    private static Path keep(Path papers, double... all) throws Exception {
        Said hashes = shapesIn(papers, TIME, "--thresholds");
        assertThat(hashes.exitCode()).as(hashes.text()).isZero();
        ObjectNode kept = JsonMapper.shared().createObjectNode();
        kept.put("made", "2026-11-30")
                .put("quiet", true)
                .set("thresholds", JsonMapper.shared().readTree(hashes.text()));
        ArrayNode trials = kept.putArray("trials");
        for (double millis : all) {
            ObjectNode numbers = trials.addObject();
            numbers.putObject("all").put("responseMillis", millis);
            numbers.putObject("quarter").put("responseMillis", 1);
        }
        return Files.writeString(papers.resolve("shapes").resolve(TIME + ".json"), kept.toString());
    }

    @Test
    void thePagesSayWhatClaimsAndNumbersGive() throws Exception {
        Said said = shapes("--check");
        assertThat(said.exitCode()).as(said.text()).isZero();
    }

    @Test
    void aPageThatSaysAnotherThingIsNamed() throws Exception {
        Path papers = copy();
        Path page = folder.resolve("docs/claims.md");
        Files.writeString(page, Files.readString(page).replaceFirst("\\| agrees \\|", "| differs |"));
        Said said = shapesIn(papers, "--check");
        assertThat(said.exitCode()).isEqualTo(1);
        assertThat(said.text()).contains("claims.md").doesNotContain("papers.md,");
        assertThat(shapesIn(papers, "--write").exitCode()).isZero();
        assertThat(shapesIn(papers, "--check").exitCode()).isZero();
    }

    @Test
    void trialsAgreeOrDifferOnlyIfTheirIntervalDoes() throws Exception {
        Path papers = copy();
        claim(papers, "", "0.67", "1.5");
        // 1.1 ± 4.303 · 0.1 / √3
        Said said = shapesIn(papers, TIME, keep(papers, 1.0, 1.1, 1.2));
        assertThat(said.text()).contains("1.1 [0.852, 1.35]").contains("    agrees\n");
        assertThat(said.exitCode()).isZero();
        said = shapesIn(papers, TIME, keep(papers, 2.0, 2.1, 2.2));
        assertThat(said.text()).contains("    differs\n").endsWith("1 differ\n");
        assertThat(said.exitCode()).isEqualTo(1);
        // All trials are within the range, and the interval is not.
        said = shapesIn(papers, TIME, keep(papers, 1.1, 1.2, 1.45));
        assertThat(said.text()).contains("    undecided\n");
        assertThat(said.exitCode()).isZero();
    }

    @Test
    void oneTrialIsUndecidedButForAnExactCount() throws Exception {
        Path papers = copy();
        claim(papers, "", "0.67", "1.5");
        assertThat(shapesIn(papers, TIME, keep(papers, 1)).text()).contains("undecided (one trial)");
        assertThat(shapesIn(papers, TIME, keep(papers, 9)).text()).contains("undecided (one trial)");
        claim(papers, ", \"exact\": true", "0.67", "1.5");
        assertThat(shapesIn(papers, TIME, keep(papers, 1)).text()).contains("    agrees\n");
        assertThat(shapesIn(papers, TIME, keep(papers, 9)).text()).contains("    differs\n");
    }

    @Test
    void aReasonExplainsAndDoesNotPass() throws Exception {
        Path papers = copy();
        claim(papers, ", \"reason\": \"the machine is small\"", "0.67", "1.5");
        Said said = shapesIn(papers, TIME, keep(papers, 2.0, 2.1, 2.2));
        assertThat(said.exitCode()).isEqualTo(1);
        assertThat(said.text()).endsWith("1 differ\n");
        assertThat(shapesIn(papers, "--write").exitCode()).isZero();
        assertThat(Files.readString(folder.resolve("docs/claims.md"))).contains("| differs. The machine is small |");
    }

    @Test
    void whatIsNotInThePaperIsCountedApart() throws Exception {
        Path papers = copy();
        claim(papers, "", "0.67", "1.5");
        Path claims = papers.resolve("claims/diperf.json");
        Files.writeString(claims, Files.readString(claims).replace("\"shape\"", "\"not in the paper\""));
        assertThat(shapesIn(papers, "--freeze").exitCode()).isZero();
        Said said = shapesIn(papers, TIME, keep(papers, 2.0, 2.1, 2.2));
        assertThat(said.text()).contains("not in the paper: differs").endsWith("1 not in the paper\n");
        assertThat(said.exitCode()).isZero();
    }

    @Test
    void aRangeThatChangesIsRefusedAndThenCannotMakeAnOldRunAgree() throws Exception {
        Path papers = copy();
        claim(papers, "", "0.67", "1.5");
        Path kept = keep(papers, 1.6, 1.61, 1.62);
        assertThat(shapesIn(papers, TIME, kept).text()).contains("    differs\n");
        Path claims = papers.resolve("claims/diperf.json");
        Files.writeString(claims, Files.readString(claims).replace("1.5", "2.5"));
        Said said = shapesIn(papers, TIME, kept);
        assertThat(said.exitCode()).isEqualTo(2);
        assertThat(said.text()).contains("what decides claim D6 is not as frozen");
        assertThat(shapesIn(papers, "--freeze").exitCode()).isZero();
        assertThat(shapesIn(papers, TIME, kept).text()).contains("undecided (threshold newer than the run)");
        assertThat(shapesIn(papers, "--write").exitCode()).isZero();
        assertThat(Files.readString(folder.resolve("docs/claims.md")))
                .contains("| undecided (threshold newer than the run) |");
        // A new run has the hash.
        assertThat(shapesIn(papers, TIME, keep(papers, 1.6, 1.61, 1.62)).text()).contains("    agrees\n");
    }

    /** Other programs may be what makes a claim agree or differ, unless load works only against it. */
    @Test
    void aBusyMachineDecidesOnlyWhatLoadWorksAgainst() throws Exception {
        Path papers = copy();
        claim(papers, "", "0.67", "1.5");
        Path kept = keep(papers, 1.0, 1.1, 1.2);
        Files.writeString(kept, Files.readString(kept).replace("\"quiet\":true", "\"quiet\":false"));
        assertThat(shapesIn(papers, TIME, kept).text()).contains("undecided (busy machine)");
        claim(papers, ", \"despite load\": true", "0.67", "1.5");
        kept = keep(papers, 1.0, 1.1, 1.2);
        Files.writeString(kept, Files.readString(kept).replace("\"quiet\":true", "\"quiet\":false"));
        assertThat(shapesIn(papers, TIME, kept).text()).contains("    agrees\n");
        kept = keep(papers, 2.0, 2.1, 2.2);
        Files.writeString(kept, Files.readString(kept).replace("\"quiet\":true", "\"quiet\":false"));
        Said said = shapesIn(papers, TIME, kept);
        assertThat(said.text()).contains("undecided (busy machine)");
        assertThat(said.exitCode()).isZero();
    }

    @Test
    void mediansHaveTheIntervalOfTheirQuartiles() throws Exception {
        Path papers = copy();
        Path claims = papers.resolve("claims/iperf-nws.json");
        Files.writeString(claims, """
                [{"id": "I1", "figure": "I 1", "study": "iperf-nws/01-defaults", "kind": "shape", "claim": "c", "paper": "p", "measure": "m",
                  "statistic": "v('near/NWS/throughput') / v('near/iperf/throughput')", "holds": [0.8, null]}]
                """);
        assertThat(shapesIn(papers, "--freeze").exitCode()).isZero();
        String kept = """
                {"thresholds": %s, "trials": [{"near": {
                  "NWS": {"n": %d, "throughput": {"q1": 90, "median": 100, "q3": 110}},
                  "iperf": {"n": 100, "throughput": {"q1": 100, "median": 100, "q3": 100}}}}]}
                """;
        String hashes =
                shapesIn(papers, "iperf-nws/01-defaults", "--thresholds").text();
        // 100 ± 1.57 · 20 / √n
        Path file = folder.resolve("kept.json");
        Said said = shapesIn(papers, "iperf-nws/01-defaults", Files.writeString(file, kept.formatted(hashes, 100)));
        assertThat(said.text()).contains("1 [0.969, 1.03]").contains("    agrees\n");
        said = shapesIn(papers, "iperf-nws/01-defaults", Files.writeString(file, kept.formatted(hashes, 5)));
        assertThat(said.text()).contains("1 [0.86, 1.14]").contains("    agrees\n");
        // Too few for quartiles to say anything.
        said = shapesIn(papers, "iperf-nws/01-defaults", Files.writeString(file, kept.formatted(hashes, 4)));
        assertThat(said.text()).contains("undecided (one trial)");
    }

    @Test
    void everyItemOfThePapersHasItsRow() throws Exception {
        String page = Files.readString(PAGE);
        ITEMS.forEach((paper, items) -> {
            int from = page.indexOf("\n" + paper + "\n");
            assertThat(from).as(paper).isPositive();
            int next = page.indexOf("\n## ", from + 1);
            List<String> rows = page.substring(from, next < 0 ? page.length() : next)
                    .lines()
                    .filter(line -> line.startsWith("| **"))
                    .map(line -> line.split("\\|", -1))
                    .peek(cells -> assertThat(cells).as(cells[1]).hasSize(COLUMNS + 2))
                    .map(cells -> cells[1].replaceFirst("^ \\*\\*(.*?)\\*\\*.*", "$1"))
                    .toList();
            assertThat(rows).as(paper).containsExactly(items.split("\\|"));
        });
    }

    @Test
    void everyStudyCanBeRepeatedAndIsOnThePage() throws Exception {
        List<String> listed = Files.readAllLines(PAPERS.resolve("studies.txt")).stream()
                .filter(line -> !line.startsWith("#"))
                .map(line -> line.split(" +")[0])
                .toList();
        List<String> there;
        try (Stream<Path> files = Files.walk(PAPERS)) {
            there = files.map(file -> PAPERS.relativize(file).toString())
                    .filter(file -> file.endsWith(".yml"))
                    .map(file -> file.substring(0, file.length() - 4))
                    .toList();
        }
        // Made by a script, four times.
        String flows = "100gbps/04-command-flows";
        assertThat(listed).doesNotHaveDuplicates();
        assertThat(Stream.concat(listed.stream(), Stream.of(flows)).toList()).containsAll(studies());
        assertThat(Stream.concat(listed.stream(), Stream.of(flows))).containsExactlyInAnyOrderElementsOf(there);
        String page = Files.readString(PAGE);
        assertThat(listed).allMatch(study -> page.contains("examples/papers/" + study + ".yml"));
        Said said = run(Map.of(), List.of("python3", PAPERS.resolve("repeat").toString(), "--list", "microgrid"));
        assertThat(said.exitCode()).as(said.text()).isZero();
        assertThat(said.text()).contains(GRIDFTP).doesNotContain(MDS);
    }

    /** A command of several words in the place of DiPerF, which leaves two trials behind if the hashes were there before it. */
    @Test
    void aRepetitionTakesACommandOfSeveralWordsAndRecordsWhatDecidesFirst() throws Exception {
        Path out = folder.resolve("out");
        Path made = out.resolve(TIME);
        Path command = Files.writeString(folder.resolve("java -jar.sh"), """
                [ -s "%1$s.thresholds.json" ] || exit 7
                printf '%%s\n' "$*"
                for trial in 1 2; do
                    mkdir -p "%1$s/$trial"
                    printf 'time_s,activeClients,throughput_per_s,response_mean_ms\\n0,250,10,%%s\\n1,1000,10,5\\n' "$trial" >"%1$s/$trial/series.csv"
                done
                echo '{"axes": {}, "variants": [], "runs": [
                    {"dir": "1", "set": {}, "trial": 1, "state": "DONE"}, {"dir": "2", "set": {}, "trial": 2, "state": "DONE"}]}' >"%1$s/grid.json"
                """.formatted(made));
        Said said = run(
                Map.of("DIPERF", "sh '" + command + "' first"),
                List.of(
                        "python3",
                        PAPERS.resolve("repeat").toString(),
                        TIME,
                        "--trials",
                        "2",
                        "--out",
                        out.toString()));
        assumeTrue(!said.text().contains("leaves out " + TIME), said.text());
        assertThat(said.text())
                .contains("first run " + PAPERS.resolve(TIME + ".yml"))
                .contains("--set trials.count=2");
        // 5 and 2.5: 3.75 ± 12.706 · 1.768 / √2
        assertThat(said.text()).contains("3.75 [-12.1, 19.6]").contains("1 undecided\n");
        assertThat(said.exitCode()).as(said.text()).isZero();
    }

    /** Two seconds with both groups whole, before them one with half of the distant clients, after them two without. */
    @Test
    void theNumbersOfTwoSitesAreThoseOfTheirSeconds() throws Exception {
        Files.writeString(folder.resolve("groups-series.csv"), """
                group,time_s,activeClients,throughput_per_s,response_mean_ms
                wan,0,48.5,100,200
                lan,0,0,0,
                wan,1,97,400,200
                lan,1,3,18,150
                wan,2,97,200,260
                lan,2,3,22,170
                wan,3,60,250,100
                lan,3,3,50,60
                wan,4,0,3,100
                lan,4,3,300,10
                wan,5,0,0,
                lan,5,3,400,8
                wan,6,0,0,
                lan,6,3,500,4
                wan,7,0,0,
                lan,7,1,100,4
                """);
        Said said = shapes(MDS, folder, "--numbers");
        assertThat(said.exitCode()).as(said.text()).isZero();
        JsonNode numbers = trial(said, 0);
        assertThat(numbers.at("/together/seconds").asInt()).isEqualTo(2);
        assertThat(numbers.at("/together/wan").asDouble()).isEqualTo(300);
        assertThat(numbers.at("/together/lan").asDouble()).isEqualTo(20);
        // (400 · 200 + 200 · 260) / 600 and (18 · 150 + 22 · 170) / 40
        assertThat(numbers.at("/together/wanResponseMillis").asDouble()).isEqualTo(220);
        assertThat(numbers.at("/together/lanResponseMillis").asDouble()).isEqualTo(161);
        assertThat(numbers.at("/lanAlone/lan").asDouble()).isEqualTo(450);
        assertThat(numbers.at("/halfToAllOfWan/joining").asDouble()).isEqualTo(100);
        assertThat(numbers.at("/halfToAllOfWan/leaving").asDouble()).isEqualTo(300);
    }

    @Test
    void theNumbersOfTransfersAreThoseOfEachTrial() throws Exception {
        Files.writeString(folder.resolve("grid.json"), """
                {"runs": [%s, %s, %s]}
                """.formatted(run(1, 30e6, 10), run(2, 10e6, 90), """
                {"dir": "3", "set": {}, "trial": 3, "state": "FAILED"}"""));
        Said said = shapes(GRIDFTP, folder, "--numbers");
        assertThat(said.exitCode()).as(said.text()).isZero();
        assertThat(JsonMapper.shared().readTree(said.text()).get("trials")).hasSize(2);
        JsonNode point = trial(said, 1).get("one-40G-link").get("0.1%");
        assertThat(point.get("throughput").asDouble()).isEqualTo(10);
        assertThat(point.get("skew").asDouble()).isEqualTo(0.09);
    }

    private String run(int trial, double bytesPerSecond, double skewMillis) throws IOException {
        Path run = Files.createDirectory(folder.resolve(Integer.toString(trial)));
        Files.writeString(
                run.resolve("summary.json"),
                "{\"bandwidth\": {\"bytesPerSecond\": " + bytesPerSecond + "}, \"metrics\": {\"skew\": {\"mean\": "
                        + skewMillis + "}}}");
        return "{\"dir\": \"" + trial + "\", \"set\": {\"variant\": \"one-40G-link\","
                + " \"testbed.links.backbone.loss.rate\": \"0.1%\"}, \"trial\": " + trial + ", \"state\": \"DONE\"}";
    }

    @Test
    void aTrialThatWasInterruptedIsNone() throws Exception {
        Files.writeString(
                folder.resolve("grid.json"),
                "{\"runs\": [%s, %s, %s]}"
                        .formatted(
                                transfer(1, "small", 1, 10e6, 0),
                                transfer(2, "large", 1, 80e6, 0),
                                transfer(3, "small", 2, 30e6, 0)));
        Said said = shapes(CLASSES, folder, "--numbers");
        assertThat(said.exitCode()).as(said.text()).isZero();
        assertThat(JsonMapper.shared().readTree(said.text()).get("trials")).hasSize(1);
        assertThat(trial(said, 0).at("/srm/small/rate").asDouble()).isEqualTo(10);
        assertThat(trial(said, 0).at("/srm/large/rate").asDouble()).isEqualTo(80);
    }

    @Test
    void aRunWithFailedCallsIsNone() throws Exception {
        Files.writeString(folder.resolve("grid.json"), "{\"runs\": [%s]}".formatted(transfer(3, "large", 1, 80e6, 1)));
        Said said = shapes(CLASSES, folder, "--numbers");
        assertThat(said.exitCode()).isEqualTo(2);
        assertThat(said.text()).contains("calls of " + folder.resolve("3") + " failed");
    }

    private String transfer(int number, String size, int trial, double bytesPerSecond, int failed) throws IOException {
        Path run = Files.createDirectories(folder.resolve(Integer.toString(number)));
        Files.writeString(
                run.resolve("summary.json"),
                "{\"bandwidth\": {\"bytesPerSecond\": " + bytesPerSecond + "}, \"calls\": {\"failed\": " + failed
                        + "}}");
        return "{\"dir\": \"" + number + "\", \"set\": {\"variant\": \"srm\", \"labels.class\": \"" + size
                + "\"}, \"trial\": " + trial + ", \"state\": \"DONE\"}";
    }

    /** Three machines of two clients, of which the first have made one call more. */
    @Test
    void sharesOfMachinesFollowTheirNetwork() throws Exception {
        Files.writeString(folder.resolve("testers.csv"), """
                tester,latency_ms,bandwidth_bytes_per_s
                1,1,900
                2,10,700
                3,100,800
                """);
        Files.writeString(folder.resolve("clients.csv"), """
                client,tester,ok
                0,1,101
                1,2,51
                2,3,11
                3,1,100
                4,2,70
                5,3,14
                """);
        Said said = shapes("diperf/11-http-machines", folder, "--numbers");
        assertThat(said.exitCode()).as(said.text()).isZero();
        JsonNode numbers = trial(said, 0);
        assertThat(numbers.get("dataAndLatency").asDouble()).isCloseTo(-1, within(1e-9));
        // Ranks 3, 2, 1 and 3, 1, 2.
        assertThat(numbers.get("dataAndBandwidth").asDouble()).isCloseTo(0.5, within(1e-9));
        // 0, 10 of 60, 2 of 12
        assertThat(numbers.get("deviationWithin").asDouble()).isCloseTo(1 / 6.0, within(1e-9));
        assertThat(numbers.get("medianShare").asDouble()).isCloseTo(0.6, within(1e-9));
    }

    /** Three hosts of one clock, for which offsets of 0, 10 and -20 ms were found. */
    @Test
    void skewIsBetweenPairsOfHosts() throws Exception {
        Files.writeString(folder.resolve("testers.csv"), """
                tester,clock_offset_ms,clock_error_bound_us
                1,0,5000
                2,10,20000
                3,-20,25000
                """);
        // Round trips of 10, 40 (and once 90) and 100 ms, in which a host has the question for a millisecond.
        Files.writeString(folder.resolve("clock.csv"), """
                tester,server_sent_ns,client_received_ns,client_sent_ns,server_received_ns
                1,0,5000000,6000000,11000000
                2,0,80000000,81000000,91000000
                2,0,30000000,31000000,41000000
                3,0,50000000,51000000,101000000
                """);
        Said said = shapes("diperf/03-clock-skew", folder, "--numbers");
        assertThat(said.exitCode()).as(said.text()).isZero();
        JsonNode numbers = trial(said, 0);
        assertThat(numbers.at("/skewMillis/mean").asDouble()).isEqualTo(20);
        assertThat(numbers.at("/skewMillis/median").asDouble()).isEqualTo(20);
        assertThat(numbers.at("/skewMillis/deviation").asDouble()).isCloseTo(Math.sqrt(200 / 3.0), within(1e-9));
        assertThat(numbers.get("byOneWay").asDouble()).isEqualTo(0.5);
        assertThat(numbers.get("byBound").asDouble()).isEqualTo(0.8);
    }

    /** Twelve seconds, in which the clients are there after one, and Ganglia's bytes are a tenth more. */
    @Test
    void gangliaIsComparedOverFiveSeconds() throws Exception {
        StringBuilder series = new StringBuilder("time_s,activeClients,bytes_per_s,server.bytes_out_bytes_per_sec\n");
        for (int second = 0; second < 12; second++) {
            series.append(second + "," + (second < 5 ? 1 : 10) + "," + (second % 2 == 0 ? 0 : 1000) + "," + 440 + "\n");
        }
        Files.writeString(folder.resolve("series.csv"), series.toString());
        Said said = shapes("diperf/08-gridftp-ganglia", folder, "--numbers");
        assertThat(said.exitCode()).as(said.text()).isZero();
        // Of the seconds 5 to 9 three are odd: 600 a second.
        assertThat(trial(said, 0).get("throughputDifference").asDouble()).isCloseTo(160 / 600.0, within(1e-9));
    }

    /** Clients come to 16, each of which plans ten calls a second, of a service that answers 80. */
    @Test
    void anEchoServiceIsHeldAgainstWhatItsClientsPlan() throws Exception {
        StringBuilder series = new StringBuilder("time_s,activeClients,throughput_per_s,response_mean_ms\n");
        for (int second = 0; second < 22; second++) {
            int clients = Math.min(16, second + 1);
            series.append(second + "," + clients + "," + (second < 16 ? Math.min(80, 10 * clients) : 30) + ",1\n");
        }
        Files.writeString(folder.resolve("series.csv"), series.toString());
        Said said = shapes("diperf/07-echo", folder, "--numbers");
        assertThat(said.exitCode()).as(said.text()).isZero();
        JsonNode numbers = trial(said, 0);
        assertThat(numbers.at("/half/perSecond").asDouble()).isEqualTo(80);
        assertThat(numbers.at("/half/plannedPerSecond").asDouble()).isEqualTo(80);
        assertThat(numbers.get("peakPerSecond").asDouble()).isEqualTo(80);
        // The second in which the last one comes is one of seven.
        assertThat(numbers.at("/all/perSecond").asDouble()).isCloseTo((80 + 6 * 30) / 7.0, within(1e-9));
    }

    @Test
    void memoryIsCountedForEachFurtherClientInBothHalvesOfARamp() throws Exception {
        StringBuilder series = new StringBuilder(
                "time_s,activeClients,throughput_per_s,response_mean_ms,bytes_per_s,server.memory_bytes,server.cpu_cores\n");
        for (int second = 0; second < 13; second++) {
            int clients = Math.min(12, second + 1);
            int memory = clients <= 6 ? 100 * clients : 600 + 300 * (clients - 6);
            series.append(second + "," + clients + ",1,1," + 50 * clients + "," + memory + "," + clients + "\n");
        }
        Files.writeString(folder.resolve("series.csv"), series.toString());
        Said said = shapes("diperf/10-gridftp", folder, "--numbers");
        assertThat(said.exitCode()).as(said.text()).isZero();
        JsonNode numbers = trial(said, 0);
        assertThat(numbers.at("/memory/firstHalf").asDouble()).isCloseTo(100, within(1e-6));
        assertThat(numbers.at("/memory/secondHalf").asDouble()).isCloseTo(300, within(1e-6));
        assertThat(numbers.get("cpuAndThroughput").asDouble()).isCloseTo(1, within(1e-9));
        assertThat(numbers.at("/third/bytesPerSecond").asDouble()).isEqualTo(200);
        assertThat(numbers.at("/all/bytesPerSecond").asDouble()).isEqualTo(600);
    }

    @Test
    void aTransferIsAheadUntilItsReplyIsThere() throws Exception {
        String dialogue = """
                0.1 #1 S<  SIZE
                0.1 #1 C> SIZE a
                0.2 #1 C> STOR a
                0.2 #2 C> RETR a
                0.3 #1 C> STOR b
                0.4 #1 S< 226 Transfer Complete.
                0.5 #1 C> STOR c
                0.6 #1 S< 226 Transfer Complete.
                """;
        for (String name :
                List.of("server-to-server", "server-to-server-ahead", "server-to-client", "server-to-client-ahead")) {
            Files.writeString(folder.resolve(name + ".txt"), dialogue);
        }
        Said said = shapes("100gbps/04-command-flows", folder, "--numbers");
        assertThat(said.exitCode()).as(said.text()).isZero();
        assertThat(trial(said, 0).get("server-to-server").toString())
                .isEqualTo("{\"SIZE\":1,\"ALLO\":0,\"PASV\":0,\"STOR\":3,\"RETR\":1,\"ahead\":2}");
    }

    /** Quanta of half a second, of which the one at 36 s has least. */
    @Test
    void whatJoiningCostsIsTheLowestRateInItsSeconds() throws Exception {
        StringBuilder series = new StringBuilder("time_s,activeClients,throughput_per_s,response_mean_ms\n");
        for (int half = 0; half < 94; half++) {
            series.append(half / 2.0 + ",72," + (half == 72 ? 5 : half < 68 ? 100 : 50) + ",1\n");
        }
        Files.writeString(folder.resolve("series.csv"), series.toString());
        Files.writeString(
                folder.resolve("summary.json"), "{\"firstCalls\": {\"p50\": 40}, \"laterCalls\": {\"p50\": 10}}");
        Said said = shapes("ws-mds/02-joins", folder, "--numbers");
        assertThat(said.exitCode()).as(said.text()).isZero();
        JsonNode numbers = trial(said, 0);
        assertThat(numbers.at("/joining/lowest").asDouble()).isEqualTo(5);
        assertThat(numbers.at("/before/perSecond").asDouble()).isEqualTo(100);
        assertThat(numbers.get("firstMillis").asDouble()).isEqualTo(40);
    }

    /** Eleven seconds, of which ten are two steps. */
    @Test
    void whatLinksCarryIsMeansOverFiveSeconds() throws Exception {
        StringBuilder series = new StringBuilder("time_s,server.network.central.there.rate_bit_per_s,"
                + "server.network.central.back.rate_bit_per_s,server.network.lan1-one-1-r1.there.rate_bit_per_s,"
                + "server.network.lan1-one-1-r1.back.rate_bit_per_s\n");
        for (int second = 0; second < 11; second++) {
            series.append(
                    second + "," + 1_000_000 * second + ",5000000," + (second < 5 ? "" : "3000000") + ",2000000\n");
        }
        Path run = Files.createDirectory(folder.resolve("1"));
        Files.writeString(run.resolve("series.csv"), series.toString());
        Files.writeString(run.resolve("summary.json"), "{}");
        Files.writeString(
                folder.resolve("grid.json"),
                "{\"runs\": [{\"dir\": \"1\", \"set\": {\"variant\": \"peers\"}, \"state\": \"DONE\"}]}");
        Said said = shapes("microgrid/04-file-sharing", folder, "--numbers");
        assertThat(said.exitCode()).as(said.text()).isZero();
        JsonNode peers = trial(said, 0).get("peers");
        assertThat(peers.get("seconds").asInt()).isEqualTo(11);
        assertThat(peers.get("backbone").toString()).isEqualTo("[2.0,7.0]");
        assertThat(peers.get("lan").toString()).isEqualTo("[2.0,5.0]");
    }

    @Test
    void sizesThatGetTheSameAreOneLevelOfTheirKind() throws Exception {
        String numbers = "{\"trials\": [{\"near\": {" + probed("iperf-1s", 10, 1) + ", " + probed("NWS-64KiB", 50, 1)
                + ", "
                + probed("FTP-1MB", 80, 1) + ", " + probed("FTP-16MB", 94, 1) + ", " + probed("FTP-64MB", 95, 1) + ", "
                + probed("SCP-1MB", 30, 1) + "}}]}";
        Said said = shapes("iperf-nws/05-near", Files.writeString(folder.resolve("near.json"), numbers), "--panels");
        assertThat(said.exitCode()).as(said.text()).isZero();
        assertThat(said.text()).startsWith("""
                lines\tiperf nearby (0.1 ms) and FTP\tduration (s)\tthroughput (Mbit/s)
                line\tiperf
                at\t1.0\t10.0\t10.0\t10.0
                level\tFTP 1MB\t80.0\t80.0\t80.0
                level\tFTP 16MB to 64MB\t95.0\t95.0\t95.0
                lines\tiperf nearby (0.1 ms) and GridFTP\t""");
    }

    @Test
    void theProbeThatIsRightToTenPercentIsTheShortestAndThereMayBeNone() throws Exception {
        String numbers = "{\"trials\": [{\"near\": {" + probed("iperf-1s", 10, 1) + ", " + probed("iperf-2s", 95, 2)
                + ", "
                + probed("iperf-3s", 100, 3) + ", " + probed("NWS-64KiB", 50, 0.1) + ", " + probed("FTP-16MB", 100, 1.3)
                + "}}]}";
        Said said = shapes("iperf-nws/05-near", Files.writeString(folder.resolve("near.json"), numbers), "--panels");
        assertThat(said.exitCode()).as(said.text()).isZero();
        assertThat(said.text()).endsWith("""
                lines\tshortest probe right to 90 % for FTP\tfile (bytes)\tresponse time (s)
                line\tiperf
                at\t16000000.0\t2.0\t2.0\t2.0
                """);
    }

    private static String probed(String name, double megabits, double seconds) {
        String spread = "{\"q1\": %1$s, \"median\": %1$s, \"q3\": %1$s}";
        return "\"" + name + "\": {\"throughput\": " + spread.formatted(megabits) + ", \"response\": "
                + spread.formatted(seconds) + "}";
    }

    @Test
    void theTimeOfACodeIsInSeconds() throws Exception {
        Path run = Files.createDirectory(folder.resolve("1"));
        Files.writeString(
                run.resolve("summary.json"), "{\"responseTime\": {\"mean\": 2500}, \"calls\": {\"failed\": 0}}");
        Files.writeString(
                folder.resolve("grid.json"),
                "{\"runs\": [{\"dir\": \"1\", \"set\": {\"variant\": \"grid\", \"labels.code\": \"cg.S\"},"
                        + " \"state\": \"DONE\"}]}");
        Said said = shapes("microgrid/03-parallel-codes", folder, "--numbers");
        assertThat(said.exitCode()).as(said.text()).isZero();
        assertThat(trial(said, 0).at("/CG/grid").asDouble()).isEqualTo(2.5);
    }

    /** Eight clients come, stay and go, of a service that takes four. */
    @Test
    void theKneeIsWhereMoreClientsBringNoMore() throws Exception {
        StringBuilder series = new StringBuilder("time_s,activeClients,throughput_per_s,response_mean_ms\n");
        int second = 0;
        for (int clients : new int[] {1, 2, 3, 4, 5, 6, 7, 8, 8, 8, 7, 6, 5, 4, 3, 2, 1}) {
            series.append(
                    second++ + "," + clients + "," + Math.min(4, clients) + "," + 250 * Math.max(4, clients) + "\n");
        }
        Files.writeString(folder.resolve("series.csv"), series.toString());
        Said said = shapes("diperf/13-gram", folder, "--numbers");
        assertThat(said.exitCode()).as(said.text()).isZero();
        JsonNode numbers = trial(said, 0);
        // Of its neighbours' 3, 4 and 4 a second on average more than nine tenths of four.
        assertThat(numbers.get("knee").asInt()).isEqualTo(4);
        assertThat(numbers.at("/quarter/jobsPerMinute").asDouble()).isEqualTo(120);
        // Of 3, 4 and 5 clients.
        assertThat(numbers.at("/half/jobsPerMinute").asDouble()).isCloseTo(220, within(1e-9));
        assertThat(numbers.at("/all/jobsPerMinute").asDouble()).isEqualTo(240);
        assertThat(numbers.at("/all/responseMillis").asDouble()).isEqualTo(2_000);
    }

    @Test
    void whatIsNoRunOfTheStudyIsRefused() throws Exception {
        assertThat(shapes(MDS, folder).exitCode()).isEqualTo(2);
        assertThat(shapes(GRIDFTP, folder).exitCode()).isEqualTo(2);
        assertThat(shapes("other", folder).exitCode()).isEqualTo(2);
    }
}
