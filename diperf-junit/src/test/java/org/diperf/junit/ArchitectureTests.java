package org.diperf.junit;

import org.diperf.core.architecture.ArchitectureRules;
import org.junit.jupiter.api.Test;

/** The structure of the extension. */
class ArchitectureTests extends ArchitectureRules {

    ArchitectureTests() {
        super("org.diperf.junit");
    }

    @Test
    void noImportRunsBackUp() {
        allPackagesStandOnThoseBelow("");
    }
}
