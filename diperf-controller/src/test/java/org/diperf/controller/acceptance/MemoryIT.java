package org.diperf.controller.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Memory must not grow with the number of calls; a long check. */
@Tag("alone")
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class MemoryIT {

    private static final int PER_SECOND = 100_000;
    private static final long LIMIT_BYTES = 5_000_000;

    @TempDir
    Path work;

    @Test
    void liveHeapAtTwoAndAtTenMillionCallsDiffersByLessThanFiveMegabytes() throws Exception {
        assumeTrue(Boolean.getBoolean("diperf.long"), "a long check: ./check --long");
        Path plugins = Files.createDirectory(work.resolve("plugins"));
        CompiledClient.jar(work, plugins.resolve("nothing.jar"), "NothingClient", """
                public final class NothingClient implements org.diperf.core.spi.AsyncClient {
                    public void call(org.diperf.core.spi.Call call) { call.ok(); }
                    public void cancel(org.diperf.core.spi.Call call) { }
                }
                """);
        Path file = Files.writeString(work.resolve("nothing.yml"), """
                target: nothing://here
                testbed: { kind: local, testers: 1 }
                load: { open: { rate: %d/s, for: 105s, max-in-flight: 64, timeout: 5s } }
                measure: { window: whole }
                """.formatted(PER_SECOND));
        try (Command diperf = Command.diperf(
                work,
                "run",
                "--no-report",
                file.toString(),
                "--plugins",
                plugins.toString(),
                "--out",
                work.resolve("run").toString())) {
            diperf.awaitOutput(output -> elapsedSeconds(output) >= 20);
            long[] atTwoMillion = {liveBytes(diperf.process().toHandle()), liveBytes(tester(diperf))};
            diperf.awaitOutput(output -> elapsedSeconds(output) >= 100);
            long[] atTenMillion = {liveBytes(diperf.process().toHandle()), liveBytes(tester(diperf))};
            assertThat(diperf.exitCode()).as(diperf.output()).isZero();
            assertThat(new RunFolder(work.resolve("run")).calls("ok")).isGreaterThan(10_000_000L * 9 / 10);
            System.err.printf(
                    "live heap, bytes, at 2 M and 10 M calls: controller %,d %,d; tester %,d %,d%n",
                    atTwoMillion[0], atTenMillion[0], atTwoMillion[1], atTenMillion[1]);
            assertThat(atTenMillion[0] - atTwoMillion[0]).as("controller").isLessThan(LIMIT_BYTES);
            assertThat(atTenMillion[1] - atTwoMillion[1]).as("tester").isLessThan(LIMIT_BYTES);
        }
    }

    private static int elapsedSeconds(String output) {
        Matcher line = Pattern.compile("(\\d+):(\\d\\d)/\\d+:\\d\\d").matcher(output);
        int seconds = 0;
        while (line.find()) {
            seconds = Integer.parseInt(line.group(1)) * 60 + Integer.parseInt(line.group(2));
        }
        return seconds;
    }

    private static ProcessHandle tester(Command diperf) {
        return diperf.process()
                .descendants()
                .filter(each -> each.info().commandLine().orElse("").contains("diperf-tester"))
                .findFirst()
                .orElseThrow();
    }

    /** Collects garbage in the process and gives the bytes of what lives. */
    private static long liveBytes(ProcessHandle process) throws IOException, InterruptedException {
        Path jcmd = Path.of(System.getProperty("java.home"), "bin", "jcmd");
        Process histogram = new ProcessBuilder(jcmd.toString(), String.valueOf(process.pid()), "GC.class_histogram")
                .redirectErrorStream(true)
                .start();
        String output = new String(histogram.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        histogram.waitFor();
        Matcher total = Pattern.compile("Total\\s+\\d+\\s+(\\d+)").matcher(output);
        assertThat(total.find()).as(output).isTrue();
        return Long.parseLong(total.group(1));
    }
}
