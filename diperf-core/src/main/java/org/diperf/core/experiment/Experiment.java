package org.diperf.core.experiment;

import java.nio.file.Path;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.diperf.core.plan.Targets;
import org.jspecify.annotations.Nullable;

/**
 * One experiment, resolved.
 *
 * @param name letters, digits, dots, hyphens and underscores
 * @param labels any labels; they are copied into the results
 * @param seed determines every random choice of the run
 * @param targets the services under test
 * @param client what makes the calls
 * @param testbed where testers run
 * @param load the load to offer
 * @param spread of its clients over the testers; groups have their own
 * @param measure part of the run that the numbers cover
 * @param thresholds conditions that must hold over {@code measure}
 * @param report how the report shows it
 * @param controller how testers reach the controller
 * @param clock how testers' clocks are compared
 * @param unreachableContinues whether the run starts even if a target cannot be reached
 * @param deploy files and folders that testers on other machines get: path there to path here
 * @param service what the run starts and stops as its target; {@code null}: it is already running
 * @param monitors that observe the service from its own side
 * @param script what clients do at a call beyond their plugin's parameters; its data files are this machine's
 */
public record Experiment(
        String name,
        Map<String, String> labels,
        long seed,
        Targets targets,
        ClientSettings client,
        TestbedSettings testbed,
        LoadSettings load,
        TesterPlacement spread,
        Measure measure,
        List<Threshold> thresholds,
        ReportSettings report,
        ControllerSettings controller,
        ClockSettings clock,
        boolean unreachableContinues,
        Map<String, Path> deploy,
        @Nullable ServiceSettings service,
        List<MonitorSettings> monitors,
        List<OutputSettings> outputs,
        Script script) {

    public Experiment {
        labels = Collections.unmodifiableMap(new LinkedHashMap<>(labels));
        thresholds = List.copyOf(thresholds);
        monitors = List.copyOf(monitors);
        outputs = List.copyOf(outputs);
        deploy = Collections.unmodifiableMap(new LinkedHashMap<>(deploy));
    }
}
