package org.diperf.tester;

import org.diperf.core.architecture.ArchitectureRules;
import org.junit.jupiter.api.Test;

/** The structure of the tester. */
class ArchitectureTests extends ArchitectureRules {

    ArchitectureTests() {
        super("org.diperf.tester");
    }

    @Test
    void noImportRunsBackUp() {
        allPackagesStandOnThoseBelow(
                "clock",
                "machine",
                "transport",
                "time",
                "engine.call",
                "engine.bounds",
                "engine.loop",
                "engine.journey",
                "engine.stage",
                "engine",
                "link",
                "");
    }
}
