package org.diperf.controller.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.diperf.analyzer.model.FittedModel;
import org.diperf.analyzer.model.LevelPoint;
import org.diperf.analyzer.model.Prediction;
import org.diperf.controller.quickstart.WaitingService;
import org.diperf.core.ports.FreePorts;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/**
 * Levels up to N clients foretell levels up to 2N that nobody measured, of a service with a fixed pool of workers: throughput within
 * 5 %, response time within 10 %.
 */
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class PredictionIT {

    private static final double THROUGHPUT = 0.05;
    private static final double RESPONSE = 0.10;
    private static final int WORKERS = 4;
    private static final Path POOL =
            Path.of("..", "examples", "pool.py").toAbsolutePath().normalize();

    @TempDir
    Path work;

    /** One short run: the upper two levels are kept from the model. */
    @Test
    @NeedsCalmMachine
    void theUpperLevelsOfARunAreForetoldByTheLowerOnes() throws Exception {
        try (WaitingService service = new WaitingService(WORKERS, 10_000_000, 30_000_000, 11)) {
            Path run = run("levels", service.uri().toString(), "1, 2, 4, 8, 12, 16", "900ms", "300ms");
            List<LevelPoint> levels = levels(run, false);
            assertThat(levels).hasSize(6);
            FittedModel model = FittedModel.closed(levels.subList(0, 4), 0).get(0);
            for (LevelPoint held : levels.subList(4, 6)) {
                Prediction said = model.at(held.load());
                Optional<String> refusal = model.refusal(held.load());
                // Beside other work levels of a second may scatter too much for an answer.
                assumeThat(refusal.filter(why -> why.contains("leave it open"))).isEmpty();
                assertThat(refusal).isEmpty();
                // A level of a second scatters by itself: the bounds of the claim are for the long check.
                assertThat(off(said.perSecond(), held.perSecond()))
                        .as("%s of %s", said, held)
                        .isLessThan(3 * THROUGHPUT);
                assertThat(off(said.responseSeconds(), held.responseSeconds()))
                        .as("%s of %s", said, held)
                        .isLessThan(3 * RESPONSE);
            }
        }
    }

    /** The service is another process, in another language; the levels that are foretold are those of another run. */
    @Test
    @Tag("alone")
    @ExtendWith(NeedsCalmMachine.Calm.class)
    @EnabledIfSystemProperty(named = "diperf.long", matches = "true")
    void levelsOfAnotherRunAreForetoldWithinTheClaim() throws Exception {
        assumeTrue(Command.installed("python3"), "python3 is not installed");
        int port = FreePorts.take();
        String target = "http://127.0.0.1:" + port + "/";
        List<String> pool = List.of("python3", "-u", POOL.toString(), "" + port, "" + WORKERS, "50");
        try (Command service = Command.start(work, pool)) {
            awaitListening(service, port);
            for (String think : List.of("", ", think: { exponential: 100ms }")) {
                String name = think.isEmpty() ? "busy" : "thinking";
                Path trained = run(name, target, "1, 2, 4, 6, 8, 12, 16", "12s", "1s" + think);
                Path held = run(name + "-held", target, "20, 24, 28, 32", "12s", "1s" + think);
                List<LevelPoint> levels = levels(held, true);
                assertThat(levels)
                        .as("levels at which the generator was not the limit")
                        .hasSizeGreaterThanOrEqualTo(2);
                for (LevelPoint level : levels) {
                    double[] said = predict(trained, (int) level.load());
                    double throughput = off(said[0], level.perSecond());
                    double response = off(said[1] / 1e3, level.responseSeconds());
                    System.err.printf(
                            Locale.ROOT,
                            "%s, %.0f clients: throughput %.1f/s foretold, %.1f measured (%.1f %%); response %.1f ms, %.1f (%.1f %%)%n",
                            name,
                            level.load(),
                            said[0],
                            level.perSecond(),
                            100 * throughput,
                            said[1],
                            1e3 * level.responseSeconds(),
                            100 * response);
                    assertThat(throughput).as("%s", level).isLessThanOrEqualTo(THROUGHPUT);
                    assertThat(response).as("%s", level).isLessThanOrEqualTo(RESPONSE);
                }
                assertThat(refused(trained, 33)).contains("more than twice the highest load that was measured");
            }
            assertThat(service.process().isAlive()).isTrue();
        }
    }

    private Path run(String name, String target, String levels, String hold, String settle) throws Exception {
        Path out = work.resolve(name);
        Path file = Files.writeString(
                work.resolve(name + ".yml"), String.format(Locale.ROOT, """
                name: %s
                seed: 5
                target: %s
                load:
                  levels: { clients: [%s], hold: %s, settle: %s }
                """, name, target, levels, hold, settle));
        try (Command diperf = Command.diperf(work, "run", "--no-report", file.toString(), "--out", out.toString())) {
            assertThat(diperf.exitCode()).as(diperf.output()).isZero();
        }
        return out;
    }

    /** @param sound without levels at which the generator was the limit, which carry no claim */
    private static List<LevelPoint> levels(Path run, boolean sound) throws Exception {
        List<LevelPoint> levels = new ArrayList<>();
        for (JsonNode stage : new RunFolder(run).summary().get("stages")) {
            if (!sound || stage.get("verdict").asString().equals("valid")) {
                levels.add(new LevelPoint(
                        stage.get("level").asDouble(),
                        stage.get("throughput").get("mean").asDouble(),
                        stage.get("responseTime").get("mean").asDouble() / 1e3));
            }
        }
        return levels;
    }

    /** Returns throughput and mean response time, ms, as {@code diperf predict} says them. */
    private double[] predict(Path run, int clients) throws Exception {
        try (Command diperf = Command.diperf(work, "predict", run.toString(), "--clients", "" + clients)) {
            assertThat(diperf.exitCode()).as(diperf.output()).isZero();
            return new double[] {
                number(diperf.output(), "throughput /s +(\\S+)"), number(diperf.output(), "mean response ms +(\\S+)")
            };
        }
    }

    private String refused(Path run, int clients) throws Exception {
        try (Command diperf = Command.diperf(work, "predict", run.toString(), "--clients", "" + clients)) {
            assertThat(diperf.exitCode()).as(diperf.output()).isEqualTo(3);
            return diperf.output();
        }
    }

    private static double number(String text, String pattern) {
        Matcher found = Pattern.compile(pattern).matcher(text);
        assertThat(found.find()).as(text).isTrue();
        return Double.parseDouble(found.group(1));
    }

    private static double off(double predicted, double measured) {
        return Math.abs(predicted / measured - 1);
    }

    private static void awaitListening(Command service, int port) throws Exception {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
        while (true) {
            try (Socket socket = new Socket()) {
                socket.connect(new InetSocketAddress("127.0.0.1", port), 500);
                return;
            } catch (IOException e) {
                if (System.nanoTime() > deadline || !service.process().isAlive()) {
                    throw new IOException("nobody listens on port " + port + ":\n" + service.output(), e);
                }
                service.process().waitFor(50, TimeUnit.MILLISECONDS);
            }
        }
    }
}
