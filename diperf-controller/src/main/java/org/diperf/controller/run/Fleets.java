package org.diperf.controller.run;

import java.util.List;
import org.diperf.core.experiment.TestbedChoice;
import org.diperf.core.spi.Node;
import org.diperf.core.spi.Testbed;

/** Makes the fleet of a testbed: looks at its nodes where it knows them beforehand. */
final class Fleets {

    private Fleets() {}

    static Fleet of(Testbed testbed, TestbedChoice choice) throws RunFailedException, InterruptedException {
        try {
            List<Node> nodes = testbed.survey();
            return nodes.isEmpty()
                    ? Fleet.withoutNodes(choice.fleet(), Math.max(1, choice.testers()))
                    : Fleet.of(nodes, choice.fleet(), choice.testers());
        } catch (InterruptedException e) {
            throw e;
        } catch (IllegalArgumentException e) {
            throw new RunFailedException(String.valueOf(e.getMessage()), e);
        } catch (Exception e) {
            throw new RunFailedException("Wanted to look at the nodes of the testbed, found: " + e.getMessage(), e);
        }
    }
}
