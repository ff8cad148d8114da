package org.diperf.controller.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.diperf.core.ports.FreePorts;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.dataformat.yaml.YAMLMapper;

/**
 * The workflow and the action of {@code examples/ci}, step by step as GitHub runs them: each step's shell in a process of its
 * own, with the variables and files that GitHub gives it. Only the steps that are programs of GitHub's own are not run.
 */
@NeedsCalmMachine
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class GithubActionIT {

    private static final Path CI = Path.of("../examples/ci");
    private static final Pattern EXPRESSION = Pattern.compile("\\$\\{\\{ *(.*?) *}}");
    private static final int TRIES = 3;
    private static final String SERVICE = """
            import sys, time
            from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

            class Handler(BaseHTTPRequestHandler):
                def do_GET(self):
                    time.sleep(DELAY)
                    self.send_response(200)
                    self.send_header("Content-Length", "0")
                    self.end_headers()

                def log_message(self, *args):
                    pass

            ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Handler).serve_forever()
            """;

    @TempDir
    Path work;

    private Path workspace;
    private String port;

    /** What became of a job. */
    private record Job(boolean passed, String log, String summary, String outputs) {}

    @BeforeEach
    void prepare() throws Exception {
        for (String program : List.of("python3", "bash", "curl", "tar", "setsid")) {
            assumeTrue(Command.installed(program), "needs " + program);
        }
        workspace = Files.createDirectories(work.resolve("workspace"));
        port = String.valueOf(FreePorts.take());
    }

    @Test
    void aVersionTwiceAsSlowFailsTheJobAndAnEqualOneDoesNot() throws Exception {
        Path archive = archive();
        checkOut("base", 0.03);
        checkOut("head", 0.03);
        Job equal = run(archive);
        assertThat(equal.passed()).as(equal.log()).isTrue();
        assertThat(equal.outputs()).containsPattern("verdict=(not-worse|undecided)\n");
        assertThat(equal.summary())
                .contains("### ✅ performance: 2 of 2 runs done")
                .containsPattern("### (✅ not worse|❓)");

        checkOut("head", 0.06);
        Job slow = run(archive);
        // Where something else has the machine for a while, two seconds do not tell.
        for (int i = 1; i < TRIES && slow.outputs().contains("verdict=undecided\n"); i++) {
            slow = run(archive);
        }
        assertThat(slow.passed()).as(slow.log()).isFalse();
        assertThat(slow.outputs()).contains("verdict=worse\n");
        assertThat(slow.log()).contains("::error title=Performance::");
        assertThat(slow.summary()).contains("### ❌ worse\n", "<code>response.p50 +50%</code> | ❌ broken | +");
        assertThat(workspace.resolve("performance/compare.xml")).content().contains("<failure");
        assertThat(workspace.resolve("performance/compared/compare.html")).exists();
    }

    /** Makes what a checkout brings: a service in that version, and how it is built, started and measured. */
    private void checkOut(String version, double delaySeconds) throws IOException {
        Path folder = Files.createDirectories(workspace.resolve(version));
        Files.writeString(folder.resolve("service.src"), SERVICE.replace("DELAY", String.valueOf(delaySeconds)));
        executable(folder.resolve("build.sh"), "#!/bin/sh\ncp service.src service.py\n");
        executable(folder.resolve("start.sh"), "#!/bin/sh\nexec python3 service.py \"$1\"\n");
        Files.writeString(
                folder.resolve("performance.yml"),
                Files.readString(CI.resolve("performance.yml")).replace("8099", port));
    }

    /** Packs DiPerF as its archives are: a folder with {@code bin/diperf} in it. */
    private Path archive() throws Exception {
        Path bin = Files.createDirectories(work.resolve("diperf-0/bin"));
        String words = Command.commandLine(Command.controllerJar()).stream()
                .map(word -> "'" + word + "'")
                .collect(Collectors.joining(" "));
        executable(bin.resolve("diperf"), "#!/bin/sh\nexec " + words + " \"$@\"\n");
        Path archive = work.resolve("diperf-0.tar.gz");
        try (Command tar = Command.start(work, List.of("tar", "-czf", archive.toString(), "diperf-0"))) {
            assertThat(tar.exitCode()).as(tar.output()).isZero();
        }
        return archive;
    }

    private static void executable(Path file, String text) throws IOException {
        Files.writeString(file, text);
        assertThat(file.toFile().setExecutable(true)).isTrue();
    }

    private Job run(Path archive) throws Exception {
        Runner runner = new Runner();
        JsonNode steps = new YAMLMapper()
                .readTree(CI.resolve("performance-workflow.yml").toFile())
                .at("/jobs/compare/steps");
        assertThat(steps.size()).isPositive();
        for (JsonNode step : steps) {
            String uses = step.path("uses").asString("");
            if (uses.startsWith("actions/checkout@")) {
                assertThat(workspace.resolve(step.at("/with/path").asString())).isDirectory();
            } else if (uses.equals("./head/.github/actions/diperf")) {
                Map<String, String> inputs = new HashMap<>();
                step.path("with")
                        .properties()
                        .forEach(entry ->
                                inputs.put(entry.getKey(), entry.getValue().asString()));
                assertThat(inputs.get("archive")).endsWith(".tar.gz");
                inputs.put("archive", archive.toUri().toString());
                inputs.put(
                        "options",
                        "--set trials.count=1 --set load.open.rate=200/s --set load.open.for=2s --set measure.skip=0s");
                runner.action(new YAMLMapper().readTree(CI.resolve("action.yml").toFile()), inputs);
            } else {
                runner.step(step, Map.of());
            }
        }
        return new Job(runner.passes, runner.log.toString(), runner.summary(), Files.readString(runner.outputs));
    }

    /** Runs the steps of one job. */
    private final class Runner {

        private final Path temp = Files.createTempDirectory(work, "runner");
        private final Path outputs = Files.createFile(temp.resolve("outputs"));
        private final Path path = Files.createFile(temp.resolve("path"));
        private final List<Path> summaries = new ArrayList<>();
        private final StringBuilder log = new StringBuilder();
        private boolean passes = true;

        Runner() throws IOException {
            // A runner's workspace is as the checkouts leave it.
            Path left = workspace.resolve("performance");
            if (Files.exists(left)) {
                Files.move(left, temp.resolve("left"));
            }
        }

        void action(JsonNode action, Map<String, String> given) throws Exception {
            Map<String, String> inputs = new HashMap<>();
            for (Map.Entry<String, JsonNode> input : action.path("inputs").properties()) {
                String value = given.getOrDefault(
                        input.getKey(), input.getValue().path("default").asString(""));
                assertThat(value.isEmpty() && input.getValue().path("required").asBoolean(false))
                        .as("input " + input.getKey() + " is missing")
                        .isFalse();
                inputs.put("inputs." + input.getKey(), value);
            }
            assertThat(action.at("/runs/using").asString()).isEqualTo("composite");
            for (JsonNode step : action.at("/runs/steps")) {
                assertThat(step.has("uses") || step.has("shell"))
                        .as("steps of actions name their shell")
                        .isTrue();
                step(step, inputs);
            }
        }

        void step(JsonNode step, Map<String, String> values) throws Exception {
            if (!passes && !step.path("if").asString("").equals("always()")) {
                return;
            }
            if (step.path("uses").asString("").startsWith("actions/upload-artifact@")) {
                assertThat(workspace.resolve(step.at("/with/path").asString())).isDirectory();
                return;
            }
            String run = step.path("run").asString();
            assertThat(run)
                    .as("a shell's text that is put together could hold anything")
                    .doesNotContain("${{");
            Path summary = Files.createFile(temp.resolve("summary-" + summaries.size() + ".md"));
            summaries.add(summary);
            Map<String, String> environment = new HashMap<>(Map.of(
                    "CI", "true",
                    "GITHUB_ACTIONS", "true",
                    "GITHUB_WORKSPACE", workspace.toString(),
                    "GITHUB_STEP_SUMMARY", summary.toString(),
                    "GITHUB_OUTPUT", outputs.toString(),
                    "GITHUB_PATH", path.toString(),
                    "RUNNER_TEMP", temp.toString()));
            List<String> folders = new ArrayList<>(Files.readAllLines(path));
            folders.add(System.getenv("PATH"));
            environment.put("PATH", String.join(":", folders));
            step.path("env")
                    .properties()
                    .forEach(variable -> environment.put(
                            variable.getKey(), evaluated(variable.getValue().asString(), values)));
            Path script = Files.writeString(temp.resolve("step.sh"), run);
            List<String> shell = List.of("bash", "--noprofile", "--norc", "-e", "-o", "pipefail", script.toString());
            try (Command command = Command.start(workspace, environment, shell)) {
                passes &= command.exitCode() == 0;
                log.append("== ")
                        .append(step.path("name").asString(""))
                        .append('\n')
                        .append(command.output());
            }
        }

        String summary() throws IOException {
            StringBuilder all = new StringBuilder();
            for (Path summary : summaries) {
                all.append(Files.readString(summary));
            }
            return all.toString();
        }
    }

    private static String evaluated(String text, Map<String, String> values) {
        Matcher expressions = EXPRESSION.matcher(text);
        return expressions.replaceAll(found -> {
            String value = values.get(found.group(1));
            if (value == null) {
                throw new AssertionError("Nothing is known of the expression '" + found.group(1) + "'");
            }
            return Matcher.quoteReplacement(value);
        });
    }
}
