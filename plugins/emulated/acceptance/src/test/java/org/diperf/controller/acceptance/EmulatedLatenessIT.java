package org.diperf.controller.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;

/** An engine that cannot do its work in time: the verdict says so, and ranges hold what the declared network would have shown. */
@Timeout(value = 4, unit = TimeUnit.MINUTES)
class EmulatedLatenessIT {

    private static final boolean LONG = Boolean.getBoolean("diperf.long");

    private static final String ENGINE = "org.diperf.plugins.emulated.cli.EngineMain";

    @TempDir
    Path work;

    static IntStream seeds() {
        return IntStream.rangeClosed(1, LONG ? 10 : 1);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void theVerdictOfARunWhoseEngineIsStoppedAgainAndAgainIsSuspect(int seed) throws Exception {
        flagged(run(seed, "5s"));
    }

    @ParameterizedTest
    @MethodSource("seeds")
    @NeedsCalmMachine
    void whatAnEngineThatIsStoppedAgainAndAgainAddsIsInTheRanges(int seed) throws Exception {
        JsonNode summary = run(seed, "10s");
        flagged(summary);
        JsonNode times = summary.get("measured").get("responseTime");
        assertThat(times.get("p95").asDouble())
                .as("seed " + seed + ": it was late")
                .isGreaterThan(36);
        for (String number : new String[] {"p50", "p95", "mean"}) {
            JsonNode range = times.get("ranges").get(number).get("parts").get("instrument");
            String text = "seed " + seed + ", " + number + " of " + times;
            // The declared round trip of 30 ms, four packets of 0.1 ms, hosts and server, and what sleeps hide. Where
            // others use the
            // processors, so does the server, which is no lateness of packets.
            assertThat(range.get("low").asDouble())
                    .as(text)
                    .isLessThan(LONG ? 30.9 + 4 : 30 + added(times, number) / 2);
            assertThat(range.get("high").asDouble()).as(text).isGreaterThan(30);
        }
        double low = times.get("ranges")
                .get("p50")
                .get("parts")
                .get("instrument")
                .get("low")
                .asDouble();
        assertThat(low)
                .as("most calls met no stop, or a short one: a bound that says something")
                .isGreaterThan(LONG ? 15 : 5);
    }

    @Test
    void aRunWhoseEngineEndsIsSuspect() throws Exception {
        EmulatedExperiment far = new EmulatedExperiment(work);
        far.write(1, "{ clients: 2, run-for: 5s, think: 10ms, timeout: 1s }");
        try (Command diperf = far.run("--no-report")) {
            far.awaitStart();
            SlurmCluster.await("the first call", far::hasCalls);
            signal("KILL", engine(diperf));
            assertThat(diperf.exitCode()).as(diperf.output()).isZero();
            assertThat(diperf.output()).contains("the emulated network went down: its engine exited with code");
        }
        JsonNode summary = far.summary();
        assertThat(summary.get("verdict").asString()).isEqualTo("suspect");
        assertThat(summary.get("warnings").toString()).contains("the emulated network went down");
    }

    /** Runs two clients over an engine that stops at random; returns the summary. */
    private JsonNode run(int seed, String length) throws Exception {
        EmulatedExperiment far = new EmulatedExperiment(work);
        far.write(1, "{ clients: 2, run-for: " + length + ", think: 10ms }");
        try (Command diperf = far.run()) {
            far.awaitStart();
            String engine = engine(diperf);
            Random random = new Random(seed);
            while (diperf.process().isAlive() && !far.log().contains("emulated network:")) {
                signal("STOP", engine);
                TimeUnit.MILLISECONDS.sleep(5 + random.nextInt(26));
                signal("CONT", engine);
                TimeUnit.MILLISECONDS.sleep(50 + random.nextInt(100));
            }
            assertThat(diperf.exitCode()).as(diperf.output()).isZero();
        }
        return far.summary();
    }

    private static void flagged(JsonNode summary) {
        assertThat(summary.get("verdict").asString()).isEqualTo("suspect");
        assertThat(summary.get("warnings").toString()).contains("the emulated network delivered packets late");
    }

    /** Returns by how much a number is above the declared round trip. */
    private static double added(JsonNode times, String number) {
        return times.get(number).asDouble() - 30;
    }

    private static void signal(String name, String process) throws Exception {
        new ProcessBuilder("kill", "-s", name, process).start().waitFor();
    }

    private static String engine(Command diperf) {
        return diperf.process()
                .descendants()
                .filter(each -> each.info().commandLine().orElse("").contains(ENGINE)
                        && each.info().command().orElse("").endsWith("java"))
                .map(each -> Long.toString(each.pid()))
                .findFirst()
                .orElseThrow();
    }
}
