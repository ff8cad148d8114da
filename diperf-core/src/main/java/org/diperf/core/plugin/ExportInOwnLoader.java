package org.diperf.core.plugin;

import java.io.IOException;
import java.io.OutputStream;
import org.diperf.core.spi.CallExport;
import org.diperf.core.spi.ExportPlugin;
import org.diperf.core.spi.ExportedCall;
import org.diperf.core.spi.ExportedRun;

/**
 * A plugin of a jar for exports, begun and ended with the jar's loader as the thread's context class loader, because
 * libraries look up their parts through it.
 */
record ExportInOwnLoader(ExportPlugin plugin, ClassLoader loader) implements ExportPlugin {

    @Override
    public String id() {
        return plugin.id();
    }

    @Override
    public String summary() {
        return plugin.summary();
    }

    @Override
    public CallExport begin(ExportedRun run, OutputStream to) throws IOException {
        try (Entered entered = Entered.into(loader)) {
            return new Export(plugin.begin(run, to), loader);
        }
    }

    private record Export(CallExport export, ClassLoader loader) implements CallExport {

        @Override
        public void add(ExportedCall call) throws IOException {
            export.add(call);
        }

        @Override
        public void close() throws IOException {
            try (Entered entered = Entered.into(loader)) {
                export.close();
            }
        }
    }
}
