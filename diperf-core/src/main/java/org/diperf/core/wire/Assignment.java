package org.diperf.core.wire;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.diperf.core.experiment.LoopSettings;
import org.diperf.core.experiment.Script;
import org.diperf.core.plan.Plan;
import org.diperf.core.plan.Rank;

/**
 * What a tester does in this run.
 *
 * @param plan the whole run's; the tester computes its own slice of it
 * @param slot which slice of the plan is this tester's, from 1 to the plan's testers. A tester that replaces a lost one has
 *     its slot, but its own number
 * @param rank of the tester in the whole run
 * @param plugin id of the client plugin
 * @param with the plugin's parameters as written in the experiment: null, boolean, long, double, text, list, map
 * @param jars the plugin jars that the tester must have, equal to the controller's
 * @param loops how the tester's event loops work
 * @param leaseNanos silence of the controller after which the tester stops its load
 * @param lingerNanos silence of the controller after which the tester gives up its samples and exits
 * @param debug whether leases and timeouts stand still
 * @param script what clients do at a call beyond the plugin's parameters
 */
public record Assignment(
        Plan plan,
        int slot,
        Rank rank,
        String plugin,
        Map<String, Object> with,
        List<PluginJar> jars,
        LoopSettings loops,
        long leaseNanos,
        long lingerNanos,
        boolean debug,
        Script script) {

    public Assignment {
        // Not Map.copyOf: a value may be null, and the order of the file is kept.
        with = Collections.unmodifiableMap(new LinkedHashMap<>(with));
        jars = List.copyOf(jars);
        if (slot < 1 || slot > plan.testers()) {
            throw new IllegalArgumentException(
                    "Assignment: expected a slot from 1 to " + plan.testers() + ", got slot " + slot);
        }
        if (leaseNanos <= 0 || lingerNanos < 0) {
            throw new IllegalArgumentException("Assignment: expected lease > 0 and linger >= 0, got lease=" + leaseNanos
                    + " ns, linger=" + lingerNanos + " ns");
        }
    }

    /** Returns the same assignment for a file: who is given it cannot use the secrets that it names. */
    public Assignment withoutSecrets() {
        return new Assignment(
                plan, slot, rank, plugin, with, jars, loops, leaseNanos, lingerNanos, debug, script.withoutSecrets());
    }
}
