package org.diperf.controller.fleet;

import java.util.List;
import org.diperf.controller.progress.RunFailedException;
import org.diperf.core.experiment.Experiment;
import org.diperf.core.experiment.Group;
import org.diperf.core.experiment.LoadSettings;
import org.diperf.core.experiment.TestbedSettings;
import org.diperf.core.spi.Node;
import org.diperf.core.spi.Testbed;

/** Makes the fleet of a testbed: looks at its nodes where it knows them beforehand. */
public final class FleetBuilder {

    private FleetBuilder() {}

    public static Fleet of(Testbed testbed, Experiment experiment) throws RunFailedException, InterruptedException {
        TestbedSettings choice = experiment.testbed();
        List<Group> groups = experiment.load() instanceof LoadSettings.Groups some ? some.groups() : List.of();
        try {
            List<Node> nodes = testbed.survey();
            return nodes.isEmpty()
                    ? Fleet.withoutNodes(choice.fleet(), Math.max(1, choice.testers()), groups)
                    : Fleet.of(nodes, choice.fleet(), choice.testers(), groups);
        } catch (InterruptedException e) {
            throw e;
        } catch (IllegalArgumentException e) {
            throw new RunFailedException(String.valueOf(e.getMessage()), e);
        } catch (Exception e) {
            throw new RunFailedException("Could not probe the nodes of the testbed: " + e.getMessage(), e);
        }
    }
}
