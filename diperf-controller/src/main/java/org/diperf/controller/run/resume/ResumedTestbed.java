package org.diperf.controller.run.resume;

import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.diperf.controller.experiment.ExperimentException;
import org.diperf.controller.experiment.ExperimentFile;
import org.diperf.controller.fleet.NodesOnlyContext;
import org.diperf.controller.run.directory.RunDirectory;
import org.diperf.core.plugin.Plugins;
import org.diperf.core.run.RunRecord;
import org.diperf.core.spi.Parameter;
import org.diperf.core.spi.Parameters;
import org.diperf.core.spi.Place;
import org.diperf.core.spi.SpoolLocation;
import org.diperf.core.spi.Testbed;
import org.diperf.core.spi.TestbedContext;
import org.diperf.core.spi.TestbedPlugin;

/** The testbed of a run that is resumed: what testers have left on its machines can be brought from there. */
final class ResumedTestbed {

    private ResumedTestbed() {}

    /** Returns whether the testers were threads of the controller that has ended: none of them comes back. */
    static boolean endedWithController(Path folder, Plugins plugins) {
        try {
            Object kind =
                    ExperimentFile.testbed(folder.resolve("experiment.yml")).get("kind");
            return plugins.testbeds()
                    .plugin(String.valueOf(kind))
                    .map(TestbedPlugin::runsInController)
                    .orElse(false);
        } catch (ExperimentException e) {
            return false;
        }
    }

    /** Takes up the testbed, on which testers have left something in these places. */
    static Testbed take(
            RunDirectory run, RunRecord before, List<SpoolLocation> places, Plugins plugins, Consumer<String> notes)
            throws Exception {
        Map<String, Object> keys = ExperimentFile.testbed(run.folder().resolve("experiment.yml"));
        TestbedPlugin plugin = plugins.testbeds()
                .plugin(String.valueOf(keys.get("kind")))
                .orElseThrow(() ->
                        new IOException("expected a plugin for testbeds of kind " + keys.get("kind") + ", got none"));
        Set<String> known = plugin.parameters().stream().map(Parameter::name).collect(Collectors.toSet());
        keys.keySet().retainAll(known);
        Parameters with = Parameters.read(plugin.parameters(), keys, before.seed());
        int testers = Math.max(1, before.testers().size());
        TestbedContext context = new NodesOnlyContext(
                with,
                before.seed(),
                testers,
                List.of(),
                List.of(),
                "java",
                List.of(),
                run.testerLogs(),
                run.control(),
                notes);
        return plugin.resume(context, places);
    }

    /** Stands in for a testbed that cannot be taken up. */
    record Lost(List<SpoolLocation> spools, String why) implements Testbed {

        @Override
        public void start(List<Place> places) {
            throw new UnsupportedOperationException("a resumed run starts no testers");
        }

        @Override
        public Map<Integer, String> bring(List<SpoolLocation> places, Path into) {
            Map<Integer, String> unknown = new HashMap<>();
            places.forEach(place -> unknown.put(place.tester(), why));
            return Map.copyOf(unknown);
        }

        @Override
        public void close() {
            // Nothing is open.
        }
    }
}
