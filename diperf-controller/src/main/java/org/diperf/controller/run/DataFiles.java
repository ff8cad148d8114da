package org.diperf.controller.run;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.diperf.core.experiment.DataChoice;
import org.diperf.core.experiment.Experiment;
import org.diperf.core.experiment.Script;

/** Where testers find data files: where they are here, or, where the testbed sends files along, in their working folder. */
final class DataFiles {

    /** Kinds of testbed that send files along; others run on this machine or share its disk. */
    private static final Set<String> SENDING = Set.of("ssh");

    private static final String FOLDER = "diperf-data/";

    private DataFiles() {}

    /** Adds the data files to what testers on other machines get. */
    static Map<String, Path> with(Map<String, Path> deployed, Experiment experiment) {
        if (isHere(experiment) || experiment.script().data().isEmpty()) {
            return deployed;
        }
        Map<String, Path> all = new LinkedHashMap<>(deployed);
        for (DataChoice data : experiment.script().data()) {
            all.put(FOLDER + data.name() + ".csv", Path.of(data.file()));
        }
        return all;
    }

    /** Gives the script with the paths by which its testers find the data files. */
    static Script where(Experiment experiment) {
        Script script = experiment.script();
        if (isHere(experiment)) {
            return script;
        }
        List<DataChoice> there = script.data().stream()
                .map(data -> new DataChoice(data.name(), FOLDER + data.name() + ".csv", data.give(), data.repeats()))
                .toList();
        return new Script(script.requests(), script.before(), there, script.columns(), script.secrets(), 0, 1, 0);
    }

    private static boolean isHere(Experiment experiment) {
        return !SENDING.contains(experiment.testbed().kind());
    }
}
