package org.diperf.plugins.gridftp;

import org.diperf.core.architecture.ArchitectureRules;
import org.junit.jupiter.api.Test;

/** The structure of the plugin. */
class ArchitectureTests extends ArchitectureRules {

    ArchitectureTests() {
        super("org.diperf.plugins.gridftp");
    }

    @Test
    void packagesStandOnThoseBelowThemAlone() {
        packagesStandOnThoseBelow("org.diperf.plugins.gridftp.managed", "org.diperf.plugins.gridftp");
    }
}
