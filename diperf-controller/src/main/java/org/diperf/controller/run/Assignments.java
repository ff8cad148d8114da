package org.diperf.controller.run;

import java.util.List;
import org.diperf.core.experiment.Experiment;
import org.diperf.core.plan.Rank;
import org.diperf.core.wire.Assignment;
import org.diperf.core.wire.PluginJar;

/**
 * Makes what each tester is told to do.
 *
 * @param jars that testers must have besides those that came with them
 */
record Assignments(RunScope scope, List<PluginJar> jars) {

    /**
     * Makes the assignment of one share of the load.
     *
     * @param slot from 1, of the whole run
     */
    Assignment of(PlanShares division, int slot) {
        Experiment experiment = scope.experiment();
        PlanShares.PlanSlot seat = division.seat(slot);
        return new Assignment(
                seat.plan(),
                seat.slot(),
                new Rank(slot - 1, division.testers(), division.hostOf(slot)),
                scope.plugin().id(),
                experiment.client().with(),
                jars,
                experiment.testbed().loops(),
                scope.leaseNanos(),
                experiment.testbed().fleet().linger().toNanos(),
                scope.debug(),
                DataFiles.where(experiment, scope.testbed().sendsFiles()));
    }
}
