package org.diperf.plugins.lib.gridftp;

import org.diperf.core.architecture.ArchitectureRules;
import org.junit.jupiter.api.Test;

/** The structure of the library. */
class ArchitectureTests extends ArchitectureRules {

    private static final String ROOT = "org.diperf.plugins.lib.gridftp";

    ArchitectureTests() {
        super(ROOT);
    }

    @Test
    void packagesStandOnThoseBelowThemAlone() {
        packagesStandOnThoseBelow(ROOT + ".control", ROOT + ".gsi", ROOT + ".data", ROOT);
    }
}
