package org.diperf.plugins.lib.forecast;

import org.diperf.core.architecture.ArchitectureRules;

/** The structure of the library. */
class ArchitectureTests extends ArchitectureRules {

    ArchitectureTests() {
        super("org.diperf.plugins.lib.forecast");
    }
}
