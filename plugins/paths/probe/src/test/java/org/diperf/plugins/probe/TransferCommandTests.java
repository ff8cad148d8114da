package org.diperf.plugins.probe;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.diperf.core.contract.CommandHarness;
import org.diperf.core.contract.CommandPluginContract;
import org.diperf.core.spi.CommandPlugin;
import org.diperf.core.spi.ExportedCall;
import org.junit.jupiter.api.Test;

/** What the transfers of a run tell of others. */
class TransferCommandTests extends CommandPluginContract {

    private static final long[] SIZES = {64 << 10, 256 << 10, 1 << 20};
    private static final int ROUNDS = 22;

    @Override
    protected CommandPlugin plugin() {
        return new TransferCommand();
    }

    @Override
    protected Map<String, String> badValues() {
        return Map.of("bytes", "0");
    }

    /** Transfers of 1 ms and 1 µs a kilobyte, each beginning so long after the one before. */
    private static List<ExportedCall> run(long everyNanos) {
        List<ExportedCall> calls = new ArrayList<>();
        for (int i = 0; i < ROUNDS * SIZES.length; i++) {
            long bytes = SIZES[i % SIZES.length];
            calls.add(new Transfer(i * everyNanos, 1_000_000 + bytes, bytes));
        }
        return calls;
    }

    private CommandHarness harness(List<ExportedCall> calls) {
        return new CommandHarness(new TransferCommand(), List.of(), folder, calls);
    }

    @Test
    void roundsAreTheTransfersOfARunInTheirOrder() throws Exception {
        RunTransfers transfers = RunTransfers.of(to -> run(10_000_000).forEach(to));
        assertThat(transfers.sizes()).containsExactly(SIZES);
        assertThat(transfers.rounds()).isEqualTo(ROUNDS);
        assertThat(transfers.forecast(1 << 20).seconds()).isEqualTo((1_000_000 + (1 << 20)) / 1e9);

        CommandHarness asked = harness(run(10_000_000));
        assertThat(asked.run(Map.of("bytes", "256KiB,4MiB"))).isEqualTo(CommandPlugin.DONE);
        assertThat(asked.told()).isEmpty();
        assertThat(asked.printed())
                .contains("transfers, from 22 rounds of ", "a transfer of", "9 of 10 within", "1.262 ms");
        assertThat(asked.printed().lines()).hasSize(5);
    }

    @Test
    void transfersNextToOneAnotherAreRefused() throws Exception {
        CommandHarness asked = harness(run(1_000_000));
        assertThat(asked.run(Map.of("bytes", "1MB"))).isEqualTo(CommandPlugin.NOT_CARRIED_OUT);
        assertThat(asked.told()).contains("so none shows the duration of a single", "load.clients: 1");
    }

    private record Transfer(long intendedNanos, long responseNanos, long bytes) implements ExportedCall {

        @Override
        public long lagNanos() {
            return 0;
        }

        @Override
        public String outcome() {
            return "ok";
        }

        @Override
        public int tester() {
            return 1;
        }

        @Override
        public int client() {
            return 0;
        }

        @Override
        public long call() {
            return 0;
        }

        @Override
        public int stage() {
            return 0;
        }

        @Override
        public int request() {
            return 0;
        }

        @Override
        public int target() {
            return 0;
        }

        @Override
        public boolean first() {
            return false;
        }

        @Override
        public double metric(int index) {
            return Double.NaN;
        }
    }
}
