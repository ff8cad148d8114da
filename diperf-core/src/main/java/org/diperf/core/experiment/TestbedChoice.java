package org.diperf.core.experiment;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Where testers run.
 *
 * @param kind of testbed
 * @param testers how many, at least 1
 * @param java command that starts a tester's JVM
 * @param jvm its flags
 * @param loops how its event loops work
 * @param with what the kind takes besides
 */
public record TestbedChoice(
        String kind, int testers, String java, List<String> jvm, LoopChoice loops, Map<String, Object> with) {

    public TestbedChoice {
        jvm = List.copyOf(jvm);
        with = Collections.unmodifiableMap(new LinkedHashMap<>(with));
    }
}
