package org.diperf.controller.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/**
 * A load generator that is the limit says so, and one that is not does not. What it may have added to calls of known bounds makes
 * their numbers wide; what else it did makes the run suspect. Each seeded case is run once, in the long check five times under each
 * load, which also makes twenty clean runs.
 */
@Timeout(value = 15, unit = TimeUnit.MINUTES)
class OverloadIT {

    private static final boolean LONG = Boolean.getBoolean("diperf.long");
    private static final int TIMES = LONG ? 5 : 1;
    private static final int CLEAN_RUNS = 20;
    private static final int HOGS = 3;

    private static final String CLOSED = "{ clients: 8, run-for: 6s, think: 5ms, timeout: 5s }";
    private static final String FULL_SPEED = "{ clients: 8, run-for: 6s, timeout: 5s }";
    private static final String OPEN = "{ open: { rate: 500/s, for: 6s, max-in-flight: 500, timeout: 5s } }";

    @TempDir
    private Path work;

    private int runs;

    @BeforeEach
    void serversAndToolsAreInstalled() {
        assumeTrue(Command.installed("nginx"), "nginx is not installed: apt-get install nginx-light");
        for (String tool : List.of("taskset", "prlimit")) {
            assumeTrue(Command.installed(tool), tool + " is not installed: apt-get install util-linux");
        }
    }

    @Test
    @Tag("alone")
    void processesBesideTheTesterOnItsProcessorAreSeen() throws Exception {
        String processor = firstProcessor();
        Path java = script("pinned-java", "exec taskset -c " + processor + " '" + Command.java() + "' \"$@\"");
        try (Nginx nginx = Nginx.start(work)) {
            for (int i = 0; i < TIMES; i++) {
                for (String load : loads(OPEN)) {
                    List<Command> hogs = new ArrayList<>();
                    try {
                        for (int hog = 0; hog < HOGS; hog++) {
                            hogs.add(Command.busy(work, List.of("taskset", "-c", processor), "while :; do :; done"));
                        }
                        RunFolder run = run(nginx.url("/"), "java: " + java, load);
                        assertSaid(run, "(waited for a processor|sent late)");
                        assertThat(states(run)).as(run.summary().toString()).isNotEqualTo(Set.of("valid"));
                    } finally {
                        hogs.forEach(Command::close);
                    }
                }
            }
        }
    }

    @Test
    void aTesterThatWasStoppedIsSeen() throws Exception {
        try (Nginx nginx = Nginx.start(work)) {
            for (int i = 0; i < TIMES; i++) {
                for (String load : loads(CLOSED)) {
                    Path out = out();
                    try (Command diperf = Command.diperf(work, arguments(nginx.url("/"), "", load, out))) {
                        diperf.awaitOutput(output -> output.contains("/0:06"));
                        long pid = tester(diperf).pid();
                        String line = "sleep 2; kill -STOP " + pid + "; sleep 1.5; kill -CONT " + pid;
                        try (Command stop = Command.start(work, List.of("sh", "-c", line))) {
                            assertThat(stop.exitCode()).as(stop.output()).isZero();
                        }
                        assertThat(diperf.exitCode()).as(diperf.output()).isZero();
                    }
                    assertSaid(new RunFolder(out), "paused for \\d{4} ms in total, up to 1\\d{3} ms at a time");
                    assertHeldByRange(new RunFolder(out));
                }
            }
        }
    }

    @Test
    void aTesterThatCollectsGarbageAllTheTimeIsSeen() throws Exception {
        Path plugins = Files.createDirectory(work.resolve("plugins"));
        // 20 MB live at a time, replaced all the while: every collection has to copy a good part of them.
        CompiledClient.jar(work, plugins.resolve("hoarder.jar"), "HoarderClient", """
                public final class HoarderClient implements org.diperf.core.spi.AsyncClient {
                    private static final byte[][] KEPT = new byte[20_000][];
                    private static int next;
                    public void call(org.diperf.core.spi.Call call) {
                        synchronized (KEPT) {
                            for (int i = 0; i < 200; i++) {
                                KEPT[next] = new byte[1_000];
                                next = (next + 7) % KEPT.length;
                            }
                        }
                        call.ok();
                    }
                    public void cancel(org.diperf.core.spi.Call call) { }
                }
                """);
        String jvm = "jvm: ['-XX:+UseSerialGC', '-Xmx48m']";
        for (int i = 0; i < TIMES; i++) {
            RunFolder run = run("hoarder://here", jvm, OPEN, "--plugins", plugins.toString());
            assertSuspect(run, "spent up to \\d+ % of the time in garbage collection");
        }
    }

    @Test
    void aTesterWithoutDescriptorsIsSeenAndTheServiceIsNotBlamed() throws Exception {
        Path java = script("few-descriptors", "exec prlimit --nofile=64 '" + Command.java() + "' \"$@\"");
        String load = "{ clients: 100, run-for: 6s, think: 20ms, timeout: 5s }";
        try (Nginx nginx = Nginx.start(work)) {
            for (int i = 0; i < TIMES; i++) {
                RunFolder run = run(nginx.url("/"), "java: " + java, load);
                assertSuspect(run, "calls failed because of limits of the load generator, not of the service");
                assertThat(run.calls("ok")).isPositive();
                assertThat(Files.readString(run.path().resolve("report.html")))
                        .contains("(a limit of the load generator)");
            }
        }
    }

    @Test
    @NeedsCalmMachine
    void cleanRunsAreNotFlagged() throws Exception {
        assumeTrue(LONG, "a long check that needs a quiet machine: ./check --long");
        List<String> flagged = new ArrayList<>();
        int clean = 0;
        try (Nginx nginx = Nginx.start(work)) {
            for (int i = 0; i < 2 * CLEAN_RUNS && clean < CLEAN_RUNS; i++) {
                JsonNode summary =
                        run(nginx.url("/"), "", i % 2 == 0 ? OPEN : CLOSED).summary();
                String warnings = summary.get("warnings").toString();
                if (warnings.contains("the hypervisor withheld processors")) {
                    continue; // a hypervisor took them: rightly flagged, and not a clean run
                }
                clean++;
                if (!summary.get("verdict").asString().equals("valid")) {
                    flagged.add((i % 2 == 0 ? "open: " : "closed: ") + warnings);
                }
            }
        }
        assertThat(clean).as("clean runs; the machine is too busy").isEqualTo(CLEAN_RUNS);
        assertThat(flagged).as("of %d clean runs", CLEAN_RUNS).isEmpty();
    }

    private static List<String> loads(String... quick) {
        return LONG ? List.of(OPEN, CLOSED, FULL_SPEED) : List.of(quick);
    }

    private static void assertSuspect(RunFolder run, String reason) throws IOException {
        assertThat(run.summary().get("verdict").asString())
                .as(run.summary().toString())
                .isEqualTo("suspect");
        assertSaid(run, reason);
    }

    private static void assertSaid(RunFolder run, String reason) throws IOException {
        assertThat(run.summary().get("warnings").toString()).containsPattern(reason);
    }

    /** The longest call lasted through the stop of its tester; without what that added it need not have taken long. */
    private static void assertHeldByRange(RunFolder run) throws IOException {
        JsonNode response = run.summary().get("measured").get("responseTime");
        assertThat(response.get("max").asDouble()).isGreaterThan(1_000);
        assertThat(response.get("ranges")
                        .get("max")
                        .get("parts")
                        .get("instrument")
                        .get("low")
                        .asDouble())
                .as(response.toString())
                .isLessThan(500);
    }

    /** Returns the states of the numbers that are asked for. */
    private static Set<String> states(RunFolder run) throws IOException {
        Set<String> states = new TreeSet<>();
        run.summary()
                .get("asked")
                .forEach(number -> states.add(number.get("state").asString()));
        return states;
    }

    private RunFolder run(String target, String testbed, String load, String... more) throws Exception {
        Path out = out();
        List<String> arguments = new ArrayList<>(List.of(arguments(target, testbed, load, out)));
        arguments.addAll(List.of(more));
        try (Command diperf = Command.diperf(work, arguments.toArray(String[]::new))) {
            assertThat(diperf.exitCode()).as(diperf.output()).isZero();
        }
        return new RunFolder(out);
    }

    private Path out() {
        return work.resolve("run-" + ++runs);
    }

    private String[] arguments(String target, String testbed, String load, Path out) throws IOException {
        Path file = Files.writeString(
                work.resolve("overload.yml"), """
                target: %s
                testbed: { kind: local, testers: 1%s }
                load: %s
                measure: { window: whole }
                """.formatted(target, testbed.isEmpty() ? "" : ", " + testbed, load));
        return new String[] {"run", file.toString(), "--out", out.toString()};
    }

    private Path script(String name, String line) throws IOException {
        Path script = Files.writeString(work.resolve(name), "#!/bin/sh\n" + line + "\n");
        return Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    /** Names a processor that this process may run on. */
    private static String firstProcessor() throws IOException {
        for (String line : Files.readAllLines(Path.of("/proc/self/status"))) {
            if (line.startsWith("Cpus_allowed_list:")) {
                return line.substring(line.indexOf(':') + 1).strip().split("[,-]")[0];
            }
        }
        throw new IOException("/proc/self/status: expected a line Cpus_allowed_list, got none");
    }

    private static ProcessHandle tester(Command diperf) {
        return diperf.process()
                .descendants()
                .filter(each -> each.info().commandLine().orElse("").contains("diperf-tester"))
                .findFirst()
                .orElseThrow();
    }
}
