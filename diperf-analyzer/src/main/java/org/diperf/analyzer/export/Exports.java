package org.diperf.analyzer.export;

import java.util.List;
import org.diperf.core.spi.ExportPlugin;

/** The formats that come with DiPerF. */
public final class Exports {

    private Exports() {}

    /**
     * Lists them.
     *
     * @param quantumNanos width of an interval in those formats that have intervals
     */
    public static List<ExportPlugin> bundled(long quantumNanos) {
        return List.of(
                new CsvFormat(),
                new JtlFormat(),
                new JsonLinesFormat(),
                new HgrmFormat(),
                new HlogFormat(quantumNanos));
    }
}
