package org.diperf.analyzer.export;

import java.util.List;
import org.diperf.core.spi.ExportPlugin;

/** The formats that come with DiPerF. */
public final class Exports {

    private Exports() {}

    /** Lists them. */
    public static List<ExportPlugin> bundled() {
        return List.of(new CsvFormat());
    }
}
