package org.diperf.controller.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.diperf.core.ports.FreePorts;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The scripts of examples/migrate, in the words of other tools and in ours, make the same requests of the same shop. */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class MigrationIT {

    private static final Path MIGRATE = Path.of("../examples/migrate");

    @TempDir
    Path work;

    private int port;

    /** Copies the scripts, for a free port. */
    @BeforeEach
    void copy() throws IOException {
        port = FreePorts.take();
        try (Stream<Path> scripts = Files.list(MIGRATE)) {
            for (Path script : scripts.toList()) {
                String text = Files.readString(script)
                        .replace("8085", String.valueOf(port))
                        // This is not about times, which a busy machine makes long.
                        .replace("(95)<500", "(95)<60000")
                        .replace("p95 < 500ms", "p95 < 60s");
                Files.writeString(work.resolve(String.valueOf(script.getFileName())), text);
            }
        }
    }

    private Command shop(String log) throws Exception {
        String service =
                Path.of("../examples/web/ShopService.java").toAbsolutePath().toString();
        Command shop = Command.start(work, List.of(Command.java(), service, String.valueOf(port), log, "1"));
        shop.awaitOutput(output -> output.contains("ready on port"));
        return shop;
    }

    /**
     * Returns how often the shop got each request, by its status.
     *
     * @param codes with which the command may end: a busy machine leaves thresholds undecided, or too little to judge
     */
    private Map<String, Long> requests(List<String> command, Set<Integer> codes, String log) throws Exception {
        try (Command shop = shop(log);
                Command tool = Command.start(work, command)) {
            assertThat(codes).as(tool.output()).contains(tool.exitCode());
            assumeFalse(tool.output().contains("ForbiddenClassException"), "this JMeter cannot read any plan");
            // It writes its log when it is told to end.
            shop.process().destroy();
            shop.exitCode();
        }
        Map<String, Long> requests = new TreeMap<>();
        Files.readAllLines(work.resolve(log)).stream().skip(1).forEach(line -> {
            String[] fields = line.split(",");
            requests.merge(fields[1] + " " + fields[fields.length - 3], 1L, Long::sum);
        });
        return requests;
    }

    @ParameterizedTest
    @ValueSource(strings = {"shop.yml", "wrk.yml"})
    void ourFilesCanBeRun(String file) throws Exception {
        try (Command shop = shop("shop.csv");
                Command check = Command.diperf(work, "check", file, "--call")) {
            assertThat(check.exitCode()).as(check.output()).isZero();
            assertThat(shop.process().isAlive()).isTrue();
        }
    }

    @ParameterizedTest
    @CsvSource({
        "k6, run --quiet k6.js, shop.yml",
        "locust, --headless -u 20 -r 20 -t 10s, shop.yml",
        "jmeter, -n -t jmeter.jmx -l results.jtl, shop.yml",
        "wrk, -t 2 -c 20 -d 10s --latency http://127.0.0.1:PORT/sign-in, wrk.yml"
    })
    void bothMakeTheSameRequests(String tool, String arguments, String file) throws Exception {
        assumeTrue(Boolean.getBoolean("diperf.long"), "one of the long tests");
        assumeTrue(Command.installed(tool), "needs " + tool);
        Map<String, Long> theirs = requests(
                Stream.concat(
                                Stream.of(tool),
                                Stream.of(arguments.replace("PORT", "" + port).split(" ")))
                        .toList(),
                Set.of(0),
                "theirs.csv");
        Map<String, Long> ours = requests(
                Command.commandLine(Command.controllerJar(), "run", file, "--no-report"), Set.of(0, 3, 99), "ours.csv");
        System.out.println(tool + ": " + theirs + ", DiPerF: " + ours);
        assertThat(ours.keySet()).isNotEmpty().isEqualTo(theirs.keySet());
    }
}
