package org.diperf.core.plugin;

import java.io.IOException;
import java.time.Instant;
import java.util.List;
import org.diperf.core.spi.OutputPlugin;
import org.diperf.core.spi.SeriesFamily;
import org.diperf.core.spi.SeriesOutput;

/**
 * A plugin of a jar for outputs, used with the jar's loader as the thread's context class loader, because libraries look up their
 * parts through it.
 */
record OutputInOwnLoader(OutputPlugin plugin, ClassLoader loader) implements OutputPlugin {

    @Override
    public String id() {
        return plugin.id();
    }

    @Override
    public String summary() {
        return plugin.summary();
    }

    @Override
    public SeriesOutput open(String address, Instant startedAt) throws IOException {
        try (Entered entered = Entered.into(loader)) {
            return new Output(plugin.open(address, startedAt), loader);
        }
    }

    private record Output(SeriesOutput output, ClassLoader loader) implements SeriesOutput {

        @Override
        public void send(List<SeriesFamily> families, Instant at) throws IOException {
            try (Entered entered = Entered.into(loader)) {
                output.send(families, at);
            }
        }

        @Override
        public void close() throws IOException {
            try (Entered entered = Entered.into(loader)) {
                output.close();
            }
        }
    }
}
