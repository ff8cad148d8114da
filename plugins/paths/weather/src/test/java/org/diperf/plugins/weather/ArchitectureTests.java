package org.diperf.plugins.weather;

import org.diperf.core.architecture.ArchitectureRules;

/** The structure of the plugin. */
class ArchitectureTests extends ArchitectureRules {

    ArchitectureTests() {
        super("org.diperf.plugins.weather");
    }
}
