package org.diperf.plugins.emulated;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.diperf.plugins.emulated.limits.Limits;
import org.diperf.plugins.emulated.topology.Change;
import org.diperf.plugins.emulated.topology.Routing;
import org.diperf.plugins.emulated.topology.Topology;
import org.jspecify.annotations.Nullable;

/**
 * What the experiment file declares: the network, and what runs where. Immutable.
 *
 * @param engine what carries the packets, one of {@link Engines#ALL}
 * @param routing how packets find their ways
 * @param topology with all hosts and links one by one
 * @param groups the nodes that a name of the file stands for: itself, or those that its count makes
 * @param limits by host, of those that have some
 * @param changes of links during the load, in the order of their instants
 * @param testers names of the hosts for testers, in the order of the file
 * @param service name of the host for the service under test; empty: not said
 * @param controller name of the host that the controller is; empty: it is none, and has a network beside
 * @param information where the network's information service is; {@code null}: there is none
 */
record NetworkDeclaration(
        String engine,
        Routing routing,
        Topology topology,
        Map<String, List<String>> groups,
        Map<String, Limits> limits,
        List<Change> changes,
        List<String> testers,
        String service,
        String controller,
        @Nullable DirectoryAddress information) {

    NetworkDeclaration {
        groups = new LinkedHashMap<>(groups);
        limits = Map.copyOf(limits);
        changes = List.copyOf(changes);
        testers = List.copyOf(testers);
    }
}
