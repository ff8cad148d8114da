package org.diperf.controller.fleet;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.diperf.controller.progress.RunFailedException;
import org.diperf.core.experiment.Experiment;
import org.diperf.core.folder.ScratchFolder;
import org.diperf.core.plugin.Plugins;
import org.diperf.core.spi.Parameters;
import org.diperf.core.spi.Testbed;
import org.diperf.core.spi.TestbedContext;
import org.diperf.core.spi.TestbedPlugin;

/** Looks at the nodes of an experiment's testbed and says which would be used; starts nothing. */
public final class NodeSurvey {

    private NodeSurvey() {}

    /**
     * Looks at them.
     *
     * @param notes takes what the testbed says meanwhile
     * @return empty where testbeds of this kind do not know their nodes beforehand
     * @throws RunFailedException when they cannot be looked at
     */
    public static Optional<Fleet> look(
            Experiment experiment, Plugins plugins, List<Path> pluginJars, Consumer<String> notes)
            throws RunFailedException, IOException, InterruptedException {
        String kind = experiment.testbed().kind();
        TestbedPlugin plugin = plugins.testbeds()
                .plugin(kind)
                .orElseThrow(() -> new RunFailedException(
                        "Expected testbed kind '" + kind + "', got none with that name. See: diperf plugins"));
        if (!plugin.hasNodes()) {
            return Optional.empty();
        }
        Parameters with =
                Parameters.read(plugin.parameters(), experiment.testbed().with(), experiment.seed());
        try (ScratchFolder scratch = ScratchFolder.temporary()) {
            TestbedContext context = new NodesOnlyContext(
                    with,
                    experiment.seed(),
                    Math.max(1, experiment.testbed().testers()),
                    experiment.targets().each(),
                    pluginJars,
                    experiment.testbed().java(),
                    experiment.testbed().jvm(),
                    scratch.path(),
                    scratch.path(),
                    notes);
            return Optional.of(look(plugin, experiment, context));
        }
    }

    private static Fleet look(TestbedPlugin plugin, Experiment experiment, TestbedContext context)
            throws RunFailedException, IOException, InterruptedException {
        try (Testbed testbed = plugin.open(context)) {
            return FleetBuilder.of(testbed, experiment);
        } catch (RunFailedException | IOException | InterruptedException e) {
            throw e;
        } catch (Exception e) {
            throw new RunFailedException("The testbed '" + plugin.id() + "' cannot be used: " + e.getMessage(), e);
        }
    }
}
