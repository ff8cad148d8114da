package org.diperf.controller.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.diperf.analyzer.export.RunCalls;
import org.diperf.core.spi.CallExport;
import org.diperf.core.spi.ExportedCall;
import org.diperf.plugins.lib.forecast.TransferForecast;
import org.diperf.plugins.probe.RunTransfers;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Transfers of GridFTP of 1 to 256 MB over emulated paths, foretold by those of 1, 4 and 16 MB. */
@Tag("alone")
@Timeout(value = 15, unit = TimeUnit.MINUTES)
@EnabledIfSystemProperty(named = "diperf.long", matches = "true")
class TransferForecastIT {

    private static final long MB = 1_000_000;
    private static final long[] PROBES = {MB, 4 * MB, 16 * MB};
    private static final long[] ASKED = {MB, 2 * MB, 4 * MB, 8 * MB, 16 * MB, 32 * MB, 64 * MB, 128 * MB, 256 * MB};
    private static final int ROUNDS = 21;
    /** The first of each size opens its connection, and does not count. */
    private static final int TIMES = 5;

    private static final Path SERVERS =
            Path.of("..", "examples", "servers").toAbsolutePath().normalize();

    @TempDir
    Path work;

    @BeforeEach
    void isThere() {
        EmulatedExperiment.needs();
        assumeTrue(Command.installed("globus-gridftp-server"), "needs globus-gridftp-server");
    }

    private Path run(String name, String path, int streams, long[] sizes, int rounds, String others) throws Exception {
        String steps = LongStream.of(sizes)
                .mapToObj(size -> "{ name: s" + size / MB + ", with: { length: " + size + " } }")
                .collect(Collectors.joining(", "));
        Files.writeString(work.resolve(name + ".yml"), """
                target: ftp://server:2811/dev/zero
                client:
                  plugin: gridftp
                  with: { mode: extended, parallelism: %d }
                  journeys: { round: { steps: [ %s ] } }
                service:
                  start: |
                    %s
                    exec sh %s/gridftp-server.sh any 2811
                  ready: tcp://server:2811
                  ready-within: 20s
                testbed:
                  kind: emulated
                  engine: tun
                  hosts: { server: {}, client: {}, others: {} }
                  routers: [ r ]
                  links:
                    - { name: line, between: [server, r], %s }
                    - { between: [client, r], rate: 1Gbit/s }
                    - { between: [others, r], rate: 1Gbit/s }
                  place: { service: server, testers: client }
                load: { clients: 1, calls: %d, timeout: 300s }
                measure: { window: whole }
                """.formatted(streams, steps, others, SERVERS, path, rounds));
        Path folder = work.resolve(name);
        try (Command diperf = Command.diperf(
                work, "run", name + ".yml", "--out", folder.toString(), "--no-progress", "--no-report")) {
            assertThat(diperf.exitCode()).as(diperf.output()).isZero();
        }
        return folder;
    }

    /** A transfer, once it was made. */
    private record Made(long bytes, double seconds) {}

    private static List<Made> made(Path run) throws Exception {
        List<Made> made = new ArrayList<>();
        read(run, call -> {
            if (!call.first()) {
                assertThat(call.outcome()).isEqualTo("ok");
                made.add(new Made(call.bytes(), (call.responseNanos() - call.lagNanos()) / 1e9));
            }
        });
        return made;
    }

    private static RunTransfers transfers(Path run) throws Exception {
        return RunTransfers.of(to -> read(run, to));
    }

    private static void read(Path run, Consumer<ExportedCall> to) throws IOException {
        RunCalls.of(run).read(Long.MIN_VALUE, Long.MAX_VALUE, new CallExport() {
            @Override
            public void add(ExportedCall call) {
                to.accept(call);
            }

            @Override
            public void close() {
                // nothing is held
            }
        });
    }

    @ParameterizedTest
    @CsvSource({
        "'rate: 100Mbit/s, latency: 10ms', 1",
        "'rate: 200Mbit/s, latency: 1ms', 4",
        "'rate: 100Mbit/s, latency: 35ms', 1"
    })
    void onASteadyPathTheForecastIsRightToTenPercentAndItsIntervalHolds(String path, int streams) throws Exception {
        RunTransfers probes = transfers(run("probes", path, streams, PROBES, ROUNDS, ":"));
        assertThat(probes.rounds()).isGreaterThanOrEqualTo(TransferForecast.FEWEST_ROUNDS);
        List<Double> off = new ArrayList<>();
        int inside = 0;
        List<String> outside = new ArrayList<>();
        List<String> untold = new ArrayList<>();
        for (Made each : made(run("truth", path, streams, ASKED, TIMES, ":"))) {
            TransferForecast told = probes.forecast(each.bytes());
            if (told.reason() != null) {
                untold.add(each.bytes() / MB + " MB took " + each.seconds() + " s, foretold " + told);
                continue;
            }
            off.add(Math.abs(told.seconds() / each.seconds() - 1));
            if (each.seconds() >= told.low() && each.seconds() <= told.high()) {
                inside++;
            } else {
                outside.add(each.bytes() / MB + " MB took " + each.seconds() + " s, foretold " + told);
            }
        }
        Collections.sort(off);
        double median = off.isEmpty() ? Double.NaN : off.get(off.size() / 2);
        System.out.printf(
                "GridFTP over %s, %d streams: median error %.2f %%, %d of %d in their interval; others: %s; not told: %s%n",
                path, streams, 100 * median, inside, off.size(), outside, untold);
        assertThat(untold)
                .as("on a steady path, which a busy machine does not give")
                .isEmpty();
        assertThat(off).hasSize(ASKED.length * (TIMES - 1));
        assertThat(median).isLessThanOrEqualTo(0.1);
        assertThat(inside).as("%s", outside).isGreaterThanOrEqualTo((int) Math.ceil(0.9 * off.size()));
    }

    /** Others take most of the line for two seconds, and leave it for two. */
    @Test
    void besideTrafficThatBreaksItTheForecastSaysThatItCannotTell() throws Exception {
        assumeTrue(Command.installed("iperf3"), "needs iperf3");
        String others = "iperf3 -s > /dev/null & sh " + SERVERS
                + "/on-host.sh others sh -c 'while :; do iperf3 -c server -R -P 8 -t 2; sleep 2; done' > /dev/null 2>&1 &";
        RunTransfers probes = transfers(run("crossed", "rate: 100Mbit/s, latency: 10ms", 1, PROBES, ROUNDS, others));
        for (long bytes : ASKED) {
            TransferForecast told = probes.forecast(bytes);
            System.out.println("crossed: " + bytes / MB + " MB: " + told);
            assertThat(told.reason()).as("%d bytes: %s", bytes, told).isNotNull();
        }
    }
}
