package org.diperf.controller.run;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.diperf.core.experiment.DataSettings;
import org.diperf.core.experiment.Experiment;
import org.diperf.core.experiment.Script;

/** Where testers find data files: where they are here, or, where the testbed sends files along, in their working folder. */
final class DataFiles {

    private static final String FOLDER = "diperf-data/";

    private DataFiles() {}

    /** Adds the data files to what a testbed that sends files gets. */
    static Map<String, Path> with(Map<String, Path> deployed, Experiment experiment) {
        Map<String, Path> all = new LinkedHashMap<>(deployed);
        for (DataSettings data : experiment.script().data()) {
            all.put(FOLDER + data.name() + ".csv", Path.of(data.file()));
        }
        return all;
    }

    /**
     * Returns the script with the paths by which its testers find the data files.
     *
     * @param sent whether the testbed sends files
     */
    static Script where(Experiment experiment, boolean sent) {
        Script script = experiment.script();
        if (!sent) {
            return script;
        }
        List<DataSettings> there = script.data().stream()
                .map(data -> new DataSettings(data.name(), FOLDER + data.name() + ".csv", data.give(), data.repeats()))
                .toList();
        return script.withData(there);
    }
}
