package org.diperf.controller.run;

import org.diperf.controller.course.LoadSchedule;
import org.diperf.controller.fleet.Roster;
import org.diperf.controller.run.directory.RunOutput;
import org.diperf.controller.run.directory.RunProblems;
import org.diperf.controller.run.live.LiveView;
import org.diperf.core.clock.NanoClock;
import org.diperf.core.experiment.Experiment;
import org.diperf.core.spi.ClientPlugin;
import org.diperf.core.spi.TestbedPlugin;

/**
 * What all phases of one run share.
 *
 * @param plugin of its clients
 * @param testbed where its testers run
 * @param debug whether timeouts and leases stand still
 */
record RunScope(
        Experiment experiment,
        ClientPlugin plugin,
        TestbedPlugin testbed,
        ExperimentRun.Options options,
        NanoClock clock,
        boolean debug,
        LoadSchedule course,
        Roster roster,
        LiveView live,
        RunOutput output,
        RunProblems troubles) {

    private static final long DEBUG_LEASE_NANOS = 1_800_000_000_000L;

    /** Returns whether somebody looks at the run closely, so that the numbers of the whole run are to be kept. */
    boolean isLookedAt() {
        return options.extras().onlooker().looks() || !experiment.outputs().isEmpty();
    }

    /** Returns the lease of testers; half an hour stands still for anybody who looks at a breakpoint. */
    long leaseNanos() {
        return debug ? DEBUG_LEASE_NANOS : experiment.controller().lease().toNanos();
    }
}
