package org.diperf.tester;

import org.diperf.core.architecture.ArchitectureRules;

/** The structure of the tester. */
class ArchitectureTests extends ArchitectureRules {

    ArchitectureTests() {
        super("org.diperf.tester");
    }
}
