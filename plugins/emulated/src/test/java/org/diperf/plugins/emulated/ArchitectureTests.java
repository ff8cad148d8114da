package org.diperf.plugins.emulated;

import org.diperf.core.architecture.ArchitectureRules;
import org.junit.jupiter.api.Test;

/** The structure of the plugin. */
class ArchitectureTests extends ArchitectureRules {

    ArchitectureTests() {
        super("org.diperf.plugins.emulated");
    }

    @Test
    void packagesStandOnThoseBelowThemAlone() {
        allPackagesStandOnThoseBelow(
                "topology",
                "partition",
                "virtual",
                "engine",
                "distributed",
                "netem",
                "cli",
                "limits",
                "routing",
                "annex",
                "information",
                "");
    }
}
