package org.diperf.controller.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.diperf.analyzer.export.RunCalls;
import org.diperf.core.spi.CallExport;
import org.diperf.core.spi.ExportedCall;
import org.diperf.core.spi.ExportedRun.ExportedMetric;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** One-way delays over emulated paths whose ways differ: the truth lies within the bound that is stated. */
@Timeout(value = 3, unit = TimeUnit.MINUTES)
@EnabledIfSystemProperty(named = "diperf.long", matches = "true")
class StampPathsIT {

    private static final int TRAINS = 30;

    @TempDir
    Path work;

    @ParameterizedTest
    @CsvSource({"40, 5", "1, 30", "0.2, 80", "15, 15"})
    void theTruthIsAlwaysWithinTheBound(double thereMillis, double backMillis) throws Exception {
        EmulatedExperiment.needs();
        Files.writeString(work.resolve("ways.yml"), """
                target: stamp://server:8620
                client: { with: { count: 20, interval: 5ms, wait: 1s } }
                service:
                  start: exec %s -jar %s server stamp --listen 0.0.0.0 --port 8620
                  ready: "log:stamp server at"
                testbed:
                  kind: emulated
                  engine: tun
                  hosts: { server: {}, client: {} }
                  links: [ { between: [client, server], latency: %sms, back: { latency: %sms } } ]
                  place: { service: server }
                load: { clients: 1, calls: %d, timeout: 10s }
                measure: { window: whole }
                """.formatted(
                        Command.java(), Command.controllerJar(), thereMillis, backMillis, TRAINS));
        try (Command diperf = Command.diperf(work, "run", "ways.yml", "--out", "out", "--no-progress", "--no-report")) {
            assertThat(diperf.exitCode()).as(diperf.output()).isZero();
        }
        RunCalls calls = RunCalls.of(work.resolve("out"));
        List<String> names =
                calls.exported().metrics().stream().map(ExportedMetric::name).toList();
        int[] trains = {0};
        double[] least = {Double.POSITIVE_INFINITY};
        calls.read(Long.MIN_VALUE, Long.MAX_VALUE, new CallExport() {
            @Override
            public void add(ExportedCall call) {
                double bound = metric(call, "bound");
                if (!call.outcome().equals("ok") || Double.isNaN(bound)) {
                    return;
                }
                // What the fastest datagrams took beyond the declared delays, on either way.
                double late = metric(call, "round-trip.min") - thereMillis - backMillis;
                assertThat(late).isNotNegative();
                contains("there.min", metric(call, "there.min"), bound, thereMillis, late);
                contains("back.min", metric(call, "back.min"), bound, backMillis, late);
                least[0] = Math.min(least[0], bound);
                trains[0]++;
            }

            private double metric(ExportedCall call, String name) {
                return call.metric(names.indexOf(name));
            }

            @Override
            public void close() {
                // nothing is held
            }
        });
        System.out.printf(
                "%s ms there, %s ms back: %d trains, bounds from %.3f ms%n",
                thereMillis, backMillis, trains[0], least[0]);
        assertThat(trains[0]).isGreaterThanOrEqualTo(TRAINS - 2);
        // About half of the shortest round trip, of which a tester that has just begun, or whose machine is busy, adds
        // a part.
        assertThat(least[0]).isLessThan((thereMillis + backMillis) / 2 + 10);
    }

    /** The truth is at least what is declared, and at most that and what was late. */
    private static void contains(String what, double said, double bound, double declared, double late) {
        assertThat(said + bound).as("%s: upper end", what).isGreaterThanOrEqualTo(declared);
        assertThat(said - bound).as("%s: lower end", what).isLessThanOrEqualTo(declared + late);
    }
}
