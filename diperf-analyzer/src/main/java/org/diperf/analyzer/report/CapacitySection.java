package org.diperf.analyzer.report;

import java.util.List;
import org.diperf.analyzer.result.Analysis;
import org.diperf.analyzer.text.CapacityText;

/** Where the service is at its limit, and the models that predict it. Absent from runs without levels. */
final class CapacitySection {

    private static final List<String> HEAD =
            List.of("model", "parameters", "error in throughput", "error in response", "knee");

    private CapacitySection() {}

    static void write(Analysis analysis, Html html) {
        String knee = CapacityText.knee(analysis);
        String model = CapacityText.model(analysis);
        if (knee.isEmpty() && model.isEmpty()) {
            return;
        }
        html.element("h2", "Capacity", "id", "capacity");
        if (!knee.isEmpty()) {
            html.element("p", knee);
        }
        if (!model.isEmpty()) {
            html.element(
                    "p",
                    model
                            + " To predict from the last run: diperf predict --clients N; from another run: diperf predict "
                            + "RUN_DIR --clients N.");
            html.table(
                    "Models, best first; errors at levels that were excluded from the fit",
                    2,
                    HEAD,
                    CapacityText.rows(analysis.capacity()));
        }
    }
}
