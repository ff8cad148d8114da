package org.diperf.core.experiment;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Where testers run.
 *
 * @param kind of testbed
 * @param testers their number; 0: as many as the chosen nodes hold
 * @param java command that starts a tester's JVM
 * @param jvm its flags
 * @param loops how its event loops work
 * @param fleet which nodes are used, and what happens when testers are lost
 * @param with the parameters of its kind
 */
public record TestbedSettings(
        String kind,
        int testers,
        String java,
        List<String> jvm,
        LoopSettings loops,
        FleetSettings fleet,
        Map<String, Object> with) {

    public TestbedSettings {
        jvm = List.copyOf(jvm);
        with = Collections.unmodifiableMap(new LinkedHashMap<>(with));
    }
}
