package org.diperf.analyzer.report;

import java.util.List;
import org.diperf.analyzer.Analysis;
import org.diperf.analyzer.text.ServerWords;
import org.diperf.analyzer.text.Words;
import org.diperf.core.run.RunRecord.MonitorRecord;

/** The service's own view. Absent from runs without monitors. */
final class ServerSection {

    private static final List<String> HEAD = List.of("monitor", "metric", "mean", "least", "largest", "unit");
    private static final int MOST_ROWS = 300;

    private ServerSection() {}

    static void write(Analysis analysis, Html html) {
        List<MonitorRecord> monitors = analysis.run().monitors();
        if (monitors == null || analysis.server().isEmpty()) {
            return;
        }
        html.element("h2", "The server's own view", "id", "server");
        ServerWords.comparisons(analysis).forEach(sentence -> html.element("p", Words.clean(sentence)));
        ServerWords.demands(analysis).forEach(sentence -> html.element("p", Words.clean(sentence)));
        List<String> notes = monitors.stream()
                .flatMap(monitor -> monitor.notes().stream().map(note -> monitor.name() + ": " + note))
                .map(Words::clean)
                .toList();
        if (!notes.isEmpty()) {
            html.list(notes, "class", "note");
        }
        List<List<String>> rows = ServerWords.rows(analysis);
        if (!rows.isEmpty()) {
            html.table(
                    "What monitors saw over the measured part: mean by time, least and largest sample; what was always 0 is"
                            + " left out",
                    2,
                    HEAD,
                    rows.subList(0, Math.min(MOST_ROWS, rows.size())));
        }
    }
}
