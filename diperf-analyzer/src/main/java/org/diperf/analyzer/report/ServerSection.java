package org.diperf.analyzer.report;

import java.util.List;
import org.diperf.analyzer.result.Analysis;
import org.diperf.analyzer.server.ServiceDemand;
import org.diperf.analyzer.text.RunText;
import org.diperf.analyzer.text.ServerText;
import org.diperf.core.run.MonitorRecord;

/** The service's own view. Absent from runs without monitors. */
final class ServerSection {

    private static final List<String> HEAD = List.of("monitor", "metric", "mean", "smallest", "largest", "unit");
    private static final List<String> LEVELS =
            List.of("load", "calls/s", "busy cores", "utilisation", "CPU ms per call", "memory");
    private static final int MAX_ROWS = 300;

    private ServerSection() {}

    static void write(Analysis analysis, Html html) {
        List<MonitorRecord> monitors = analysis.run().monitors();
        if (monitors == null || analysis.server().ofService(monitors).isEmpty()) {
            return;
        }
        html.element("h2", "The server's own view", "id", "server");
        ServerText.comparisons(analysis).forEach(sentence -> html.element("p", sentence));
        ServerText.demands(analysis).forEach(sentence -> html.element("p", sentence));
        List<String> notes = monitors.stream()
                .flatMap(monitor -> monitor.notes().stream().map(note -> monitor.name() + ": " + note))
                .map(RunText::clean)
                .toList();
        if (!notes.isEmpty()) {
            html.list(notes, "class", "note");
        }
        for (ServiceDemand demand : analysis.server().demands()) {
            List<List<String>> levels = ServerText.levels(demand);
            if (!levels.isEmpty()) {
                html.table(
                        "What '" + RunText.clean(demand.monitor())
                                + "' recorded at each level after it settled; CPU time per call is busy cores / "
                                + "calls per second, with "
                                + "its 95 % interval if the level is long enough",
                        0,
                        LEVELS,
                        levels);
            }
        }
        List<List<String>> rows = ServerText.rows(analysis);
        if (!rows.isEmpty()) {
            html.table(
                    "What monitors recorded in the measured part: time-weighted mean, smallest and largest sample; "
                            + "values that were always 0 are omitted",
                    2,
                    HEAD,
                    rows.subList(0, Math.min(MAX_ROWS, rows.size())));
        }
    }
}
