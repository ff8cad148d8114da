package org.diperf.analyzer.report;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.diperf.analyzer.result.Analysis;
import org.diperf.analyzer.text.CapacityWords;

/** Where the service is at its limit, and the models that predict it. Absent from runs without levels. */
final class CapacitySection {

    private static final List<String> HEAD =
            List.of("model", "parameters", "error in throughput", "error in response", "knee");

    private CapacitySection() {}

    /** @param againCommand that repeats the run, and by that names its folder */
    static void write(Analysis analysis, String againCommand, Html html) {
        String knee = CapacityWords.knee(analysis);
        String model = CapacityWords.model(analysis);
        if (knee.isEmpty() && model.isEmpty()) {
            return;
        }
        html.element("h2", "Capacity", "id", "capacity");
        if (!knee.isEmpty()) {
            html.element("p", knee);
        }
        if (!model.isEmpty()) {
            html.element("p", model + " Ask it with: diperf predict " + runDir(againCommand) + " --clients N");
            html.table(
                    "Models, the best first; errors at levels that were left out of the fit",
                    2,
                    HEAD,
                    CapacityWords.rows(analysis.capacity()));
        }
    }

    /** A report may be written elsewhere than into the folder of its run. */
    private static String runDir(String againCommand) {
        Matcher folder =
                Pattern.compile("diperf run (.+)/experiment\\.yml( .*)?").matcher(againCommand);
        return folder.matches() ? folder.group(1) : "RUN_DIR";
    }
}
