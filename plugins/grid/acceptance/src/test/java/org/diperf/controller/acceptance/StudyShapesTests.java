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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * The studies of the papers: {@code shapes.py}, which holds what papers say of figures against runs, over the numbers of the runs that are
 * shown, and the page on the papers, which says what it says.
 */
@Timeout(60)
class StudyShapesTests {

    private static final Path PAPERS =
            Path.of("..", "examples", "papers").toAbsolutePath().normalize();
    private static final Path PAGE = Path.of("..", "docs", "papers.md");
    private static final String MDS = "ws-mds/06-lan-wan";
    private static final String GRIDFTP = "microgrid/11-parallel-links";
    private static final String CLASSES = "100gbps/05-classes";
    /** Of each paper, the figures and tables that show something, as the page names them. */
    private static final Map<String, String> FIGURES = Map.of(
            "## DiPerF", "D 5|D 6|table 1|D 7|D 8|D 9|D 10|D 11|D 12|D 13|D 14|D 15, 16",
            "## WS-MDS", "W 1|W 2|W 3|W 4|W 5|W 6, 7|W 8|W 9|W 10|table 1",
            "## A 100 Gbit/s testbed", "G 1, tables|G 2, tables|G, §4|G 4|table|G 5",
            "## MicroGrid", "table 1, M 3|M 4, 5|M 6|M 7|M 8|M 9|M 10|M 11",
            "## iperf and the Network Weather Service", "I 1|I 2|I 3|I 4|I 5, 7|I 6, 8");

    @TempDir
    Path folder;

    private record Said(int exitCode, String text) {}

    private static Said shapes(Object... arguments) throws IOException, InterruptedException {
        List<String> command =
                new ArrayList<>(List.of("python3", PAPERS.resolve("shapes.py").toString()));
        for (Object argument : arguments) {
            command.add(argument.toString());
        }
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return new Said(process.waitFor(), text);
    }

    private static Path kept(String study) {
        return PAPERS.resolve("shapes").resolve(study + ".json");
    }

    @BeforeEach
    void wantsPython() throws InterruptedException {
        try {
            assumeTrue(new ProcessBuilder("python3", "--version").start().waitFor() == 0, "python3 does not run");
        } catch (IOException e) {
            assumeTrue(false, "python3 is not installed");
        }
    }

    private static List<String> studies() throws Exception {
        return shapes("--studies").text().lines().toList();
    }

    @ParameterizedTest
    @MethodSource("studies")
    void theRunThatIsShownHasTheShapeAndThePageSaysWhatTheScriptSays(String study) throws Exception {
        String page = Files.readString(PAGE);
        String count = "**not yet**";
        if (Files.exists(kept(study))) {
            Said said = shapes(study, kept(study));
            assertThat(said.exitCode()).as(said.text()).isZero();
            assertThat(said.text()).endsWith("all claims that must hold do\n");
            Said table = shapes(study, kept(study), "--table");
            assertThat(table.exitCode()).isZero();
            assertThat(page).contains(table.text());
            count = shapes(study, kept(study), "--count").text().strip();
        } else {
            assertThat(page).contains("*" + study + " has not been run as a whole yet.*\n");
        }
        String said = " " + count + " |";
        assertThat(page.lines().filter(line -> line.contains("/" + study + ".yml")))
                .as("the row of " + study)
                .anyMatch(row -> row.contains(said));
    }

    @Test
    void everyFigureOfThePapersHasItsRow() throws Exception {
        String page = Files.readString(PAGE);
        FIGURES.forEach((paper, figures) -> {
            int from = page.indexOf("\n" + paper + "\n");
            assertThat(from).as(paper).isPositive();
            int next = page.indexOf("\n## ", from + 1);
            List<String> rows = page.substring(from, next < 0 ? page.length() : next)
                    .lines()
                    .filter(line -> line.startsWith("| "))
                    .map(line -> line.split("\\|", -1))
                    .filter(cells -> cells.length == 8)
                    .map(cells -> cells[1].strip())
                    .filter(name -> !name.isEmpty())
                    .toList();
            assertThat(rows).as(paper).containsExactly(figures.split("\\|"));
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
        // What a script of its own runs, four times.
        assertThat(listed).doesNotHaveDuplicates().containsAll(studies());
        assertThat(Stream.concat(listed.stream(), Stream.of("100gbps/04-command-flows")))
                .containsExactlyInAnyOrderElementsOf(there);
        String page = Files.readString(PAGE);
        assertThat(listed).allMatch(study -> page.contains("examples/papers/" + study + ".yml"));
        Process process = new ProcessBuilder("python3", PAPERS.resolve("repeat").toString(), "--list", "microgrid")
                .redirectErrorStream(true)
                .start();
        String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(text).isZero();
        assertThat(text).contains(GRIDFTP).doesNotContain(MDS);
    }

    @Test
    void aClaimThatDoesNotHoldIsNamedAndDecidesTheExitCode() throws Exception {
        ObjectNode numbers = (ObjectNode) JsonMapper.shared().readTree(Files.readAllBytes(kept(MDS)));
        ObjectNode together = (ObjectNode) numbers.get("together");
        together.put("lan", 3 * together.get("lan").asDouble());
        Said said = shapes(MDS, Files.writeString(folder.resolve("mds.json"), numbers.toString()));
        assertThat(said.exitCode()).as(said.text()).isEqualTo(1);
        assertThat(said.text()).contains("    DIFFERS\n").contains("of the claims that must hold do not\n");

        numbers = (ObjectNode) JsonMapper.shared().readTree(Files.readAllBytes(kept(GRIDFTP)));
        for (String map : List.of("one-stream-of-four", "two-streams-of-four", "all-four-streams")) {
            ((ObjectNode) numbers.get(map).get("0.5%")).put("throughput", 10);
        }
        said = shapes(GRIDFTP, Files.writeString(folder.resolve("gridftp.json"), numbers.toString()));
        assertThat(said.exitCode()).as(said.text()).isEqualTo(1);
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
        JsonNode numbers = JsonMapper.shared().readTree(said.text());
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
    void theNumbersOfTransfersAreMediansOverTrials() throws Exception {
        Files.writeString(
                folder.resolve("grid.json"), """
                {"runs": [%s, %s, %s, %s]}
                """.formatted(run(1, 30e6, 10), run(2, 10e6, 90), run(3, 20e6, 40), """
                {"dir": "4", "set": {}, "state": "FAILED"}"""));
        Said said = shapes(GRIDFTP, folder, "--numbers");
        assertThat(said.exitCode()).as(said.text()).isZero();
        JsonNode point =
                JsonMapper.shared().readTree(said.text()).get("one-40G-link").get("0.1%");
        assertThat(point.get("trials").asInt()).isEqualTo(3);
        assertThat(point.get("throughput").asDouble()).isEqualTo(20);
        assertThat(point.get("skew").asDouble()).isEqualTo(0.04);
    }

    private String run(int number, double bytesPerSecond, double skewMillis) throws IOException {
        Path run = Files.createDirectory(folder.resolve(Integer.toString(number)));
        Files.writeString(
                run.resolve("summary.json"),
                "{\"bandwidth\": {\"bytesPerSecond\": " + bytesPerSecond + "}, \"metrics\": {\"skew\": {\"mean\": "
                        + skewMillis + "}}}");
        return "{\"dir\": \"" + number + "\", \"set\": {\"variant\": \"one-40G-link\","
                + " \"testbed.links.backbone.loss.rate\": \"0.1%\"}, \"state\": \"DONE\"}";
    }

    @Test
    void theRatesOfClassesAreMeansOverTrialsAndARunWithFailuresIsNone() throws Exception {
        Files.writeString(folder.resolve("grid.json"), """
                {"runs": [%s, %s, %s]}
                """.formatted(
                        transfer(1, "small", 10e6, 0), transfer(2, "small", 30e6, 0), transfer(3, "large", 80e6, 0)));
        Said said = shapes(CLASSES, folder, "--numbers");
        assertThat(said.exitCode()).as(said.text()).isZero();
        JsonNode numbers = JsonMapper.shared().readTree(said.text()).get("srm");
        assertThat(numbers.at("/small/trials").asInt()).isEqualTo(2);
        assertThat(numbers.at("/small/rate").asDouble()).isEqualTo(20);
        assertThat(numbers.at("/large/rate").asDouble()).isEqualTo(80);
        transfer(3, "large", 80e6, 1);
        said = shapes(CLASSES, folder, "--numbers");
        assertThat(said.exitCode()).isEqualTo(2);
        assertThat(said.text()).contains("calls of 3 failed");
    }

    private String transfer(int number, String size, double bytesPerSecond, int failed) throws IOException {
        Path run = Files.createDirectories(folder.resolve(Integer.toString(number)));
        Files.writeString(
                run.resolve("summary.json"),
                "{\"bandwidth\": {\"bytesPerSecond\": " + bytesPerSecond + "}, \"calls\": {\"failed\": " + failed
                        + "}}");
        return "{\"dir\": \"" + number + "\", \"set\": {\"variant\": \"srm\", \"labels.class\": \"" + size
                + "\"}, \"state\": \"DONE\"}";
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
        JsonNode peers = JsonMapper.shared().readTree(said.text()).get("peers");
        assertThat(peers.get("seconds").asInt()).isEqualTo(11);
        assertThat(peers.get("backbone").toString()).isEqualTo("[2.0,7.0]");
        assertThat(peers.get("lan").toString()).isEqualTo("[2.0,5.0]");
    }

    @Test
    void theProbeThatIsRightToTenPercentIsTheShortestAndThereMayBeNone() throws Exception {
        String numbers = "{\"near\": {" + probed("iperf-1s", 10, 1) + ", " + probed("iperf-2s", 95, 2) + ", "
                + probed("iperf-3s", 100, 3) + ", " + probed("NWS-64KiB", 50, 0.1) + ", " + probed("FTP-16MB", 100, 1.3)
                + "}}";
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
    void theTimeOfACodeIsTheMeanOfItsRunsInSeconds() throws Exception {
        Path run = Files.createDirectory(folder.resolve("1"));
        Files.writeString(
                run.resolve("summary.json"), "{\"responseTime\": {\"mean\": 2500}, \"calls\": {\"failed\": 0}}");
        Files.writeString(
                folder.resolve("grid.json"),
                "{\"runs\": [{\"dir\": \"1\", \"set\": {\"variant\": \"grid\", \"labels.code\": \"cg.S\"},"
                        + " \"state\": \"DONE\"}]}");
        Said said = shapes("microgrid/03-parallel-codes", folder, "--numbers");
        assertThat(said.exitCode()).as(said.text()).isZero();
        assertThat(JsonMapper.shared().readTree(said.text()).at("/CG/grid").asDouble())
                .isEqualTo(2.5);
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
        JsonNode numbers = JsonMapper.shared().readTree(said.text());
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
