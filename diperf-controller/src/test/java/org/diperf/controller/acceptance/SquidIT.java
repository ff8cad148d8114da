package org.diperf.controller.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** What clients say of a real Squid, and of several, against the Squids' own logs. */
@Timeout(value = 3, unit = TimeUnit.MINUTES)
class SquidIT {

    private static final String ORIGIN = """
            location /hit { add_header Cache-Control "max-age=3600"; return 200 "a hit is found in memory\\n"; }
            location /miss { add_header Cache-Control "no-store"; return 200 "a miss is fetched\\n"; }
            location /again { root %1$s; add_header Cache-Control "no-cache"; }
            """;

    @TempDir
    Path work;

    @BeforeEach
    void squidAndNginxAreInstalled() {
        assumeTrue(Command.installed("squid"), "squid is not installed: apt-get install squid");
        assumeTrue(Command.installed("nginx"), "nginx is not installed: apt-get install nginx-light");
        assumeTrue(System.getProperty("user.name").equals("root"), "squid's workers are started by root alone");
    }

    private Nginx origin(String name) throws Exception {
        Path folder = Files.createDirectory(work.resolve(name));
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
        Files.writeString(folder.resolve("again"), "whether this still holds is asked each time\n");
        return Nginx.start(folder, "$status $request_uri", ORIGIN.formatted(folder));
    }

    private RunFolder run(List<String> origins, List<String> proxies, String assign, String per, int testers)
            throws Exception {
        Path file = Files.writeString(work.resolve("squid.yml"), """
                target: { each: %s, assign: all-to-all }
                client:
                  plugin: http
                  with: { proxy: { each: %s, assign: %s, per: %s } }
                  requests:
                    - { name: hit, weight: 6, with: { path: /hit } }
                    - { name: miss, weight: 1, with: { path: "/miss?${uuid}" } }
                    - { name: again, weight: 1, with: { path: /again } }
                    - { name: gone, weight: 1, with: { path: /gone/x, expect: [404, 200] } }
                testbed: { testers: %d }
                load: { clients: 12, calls: 2400, timeout: 5s }
                measure: { window: whole }
                """.formatted(origins, proxies, assign, per, testers));
        try (Command run = Command.diperf(
                work,
                "run",
                "--no-report",
                file.toString(),
                "--out",
                work.resolve("run").toString(),
                "--quiet")) {
            assertThat(run.exitCode()).as(run.output()).isZero();
        }
        return new RunFolder(work.resolve("run"));
    }

    private static long bytes(List<String> log) {
        return log.stream()
                .map(line -> line.split(" "))
                .mapToLong(words -> Long.parseLong(words[2]) - Long.parseLong(words[3]))
                .sum();
    }

    private static long count(JsonNode summary, String metric) {
        JsonNode found = summary.at("/metrics/" + metric + "/count");
        return found.isMissingNode() ? 0 : found.asLong();
    }

    private static long tagged(List<String> log, String regex) {
        return log.stream().filter(line -> line.matches(regex + " .*")).count();
    }

    private static void agree(RunFolder run, List<String> log) throws Exception {
        JsonNode summary = run.summary();
        assertThat(run.calls("ok")).isEqualTo(2_400).isEqualTo(log.size());
        assertThat(count(summary, "cache.hit"))
                .isEqualTo(tagged(log, "TCP(_CF)?(_MEM)?_HIT"))
                .isPositive();
        assertThat(count(summary, "cache.revalidated"))
                .isEqualTo(tagged(log, "TCP(_CF)?_REFRESH_UNMODIFIED"))
                .isPositive();
        assertThat(count(summary, "cache.miss"))
                .isEqualTo(tagged(log, "TCP(_CF)?_(MISS|REFRESH_MODIFIED)"))
                .isPositive();
        assertThat(run.calls("bytes")).isEqualTo(bytes(log));
    }

    @ParameterizedTest
    @ValueSource(ints = 1)
    void hitsMissesAndBytesAreThoseOfItsLog(int workers) throws Exception {
        RunFolder run;
        List<String> log;
        try (Nginx origin = origin("origin");
                Squid squid = Squid.start(work, workers)) {
            run = run(
                    List.of("\"" + origin.url("/") + "\""),
                    List.of("\"" + squid.url() + "\""),
                    "round-robin",
                    "client",
                    1);
            log = squid.stopAndReadLog();
        }
        agree(run, log);
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 3, 4})
    @EnabledIfSystemProperty(named = "diperf.long", matches = "true")
    void thoseOfSeveralWorkersToo(int workers) throws Exception {
        hitsMissesAndBytesAreThoseOfItsLog(workers);
    }

    @Test
    void severalProxiesAndOriginsAreUsedAsTheyAreAssigned() throws Exception {
        RunFolder run;
        List<String> first;
        List<String> second;
        try (Nginx one = origin("one");
                Nginx two = origin("two");
                Squid squid = Squid.start(work, 1);
                Squid other = Squid.start(work, 2)) {
            run = run(
                    List.of("\"" + one.url("/") + "\"", "\"" + two.url("/") + "\""),
                    List.of("\"" + squid.url() + "\"", "\"" + other.url() + "\""),
                    "one-to-one",
                    "tester",
                    2);
            first = squid.stopAndReadLog();
            second = other.stopAndReadLog();
        }
        // Two testers with six clients each, of 200 calls.
        assertThat(first).hasSize(1_200);
        assertThat(second).hasSize(1_200);
        List<String> both = new ArrayList<>(first);
        both.addAll(second);
        agree(run, both);
    }
}
