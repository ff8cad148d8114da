package org.diperf.controller.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetSocketAddress;
import java.nio.file.Path;
import org.diperf.controller.Diperf;
import org.diperf.controller.probe.RunTransfers;
import org.diperf.core.plugin.Plugins;
import org.diperf.core.ports.FreePorts;
import org.diperf.core.spi.StandIn;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What a transfer takes, by the transfers of a run. */
@Timeout(120)
class PredictTransfersTests {

    private static final String ROUND = "{ round: { steps: [ { name: s, with: { size: 64KiB } },"
            + " { name: m, with: { size: 256KiB } }, { name: l, with: { size: 1MiB } } ] } }";

    @TempDir
    private Path folder = Path.of("");

    private Path run(String load) throws Exception {
        try (StandIn sensor = Plugins.bundled()
                .clients()
                .plugin("nws")
                .orElseThrow()
                .server(new InetSocketAddress("127.0.0.1", FreePorts.take()))
                .orElseThrow()) {
            Path run = folder.resolve("run");
            Diperf.experiment()
                    .set("target", sensor.target().toString())
                    .set("client.with.forecaster", "none")
                    .set("client.journeys", ROUND)
                    .set("load", load)
                    .out(run)
                    .run();
            return run;
        }
    }

    @Test
    void roundsAreTheTransfersOfARunInTheirOrder() throws Exception {
        Path run = run("{ clients: 1, calls: 22 }");
        RunTransfers transfers = RunTransfers.of(run);

        assertThat(transfers.sizes()).containsExactly(64 << 10, 256 << 10, 1 << 20);
        assertThat(transfers.rounds()).isEqualTo(22);
        assertThat(transfers.forecast(1 << 20).seconds()).isPositive();
        Outcome asked = Outcome.of("predict", run.toString(), "--bytes", "256KiB,16MiB");
        // Whether it can be told depends on how steady this machine is; that it was tried is seen either way.
        assertThat(asked.code()).isIn(ExitCode.DONE, ExitCode.NOT_CARRIED_OUT);
        assertThat(asked.err()).isEmpty();
        assertThat(asked.out())
                .contains("transfers, from 22 rounds of 65.5 kB, 262 kB, 1.05 MB", "a transfer of", "9 of 10 within");
        assertThat(asked.out().lines()).hasSize(5);
    }

    @Test
    void transfersBesideOneAnotherAreRefusedAndBadSizesAreTold() throws Exception {
        Path run = run("{ clients: 3, calls: 6 }");
        Outcome asked = Outcome.of("predict", run.toString(), "--bytes", "1MB");
        assertThat(asked.code()).isEqualTo(ExitCode.NOT_CARRIED_OUT);
        assertThat(asked.err()).contains("ran at the same time", "load.clients: 1");

        assertThat(Outcome.of("predict", run.toString(), "--bytes", "0").err()).contains("expected at least 1 byte");
        assertThat(Outcome.of("predict", run.toString(), "--bytes", "1MB", "--clients", "2")
                        .code())
                .isEqualTo(ExitCode.USAGE);
    }
}
