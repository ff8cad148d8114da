package org.diperf.core;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;

import org.diperf.core.architecture.ArchitectureRules;
import org.junit.jupiter.api.Test;

/** The structure of the core. */
class ArchitectureTests extends ArchitectureRules {

    ArchitectureTests() {
        super("org.diperf.core");
    }

    @Test
    void thePluginInterfaceStandsOnTheJdkAlone() {
        classes()
                .that()
                .resideInAPackage("org.diperf.core.spi")
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage("java..", "org.jspecify..", "org.diperf.core.spi")
                .check(classes);
    }

    @Test
    void noImportRunsBackUp() {
        allPackagesStandOnThoseBelow(
                "spi",
                "clock",
                "folder",
                "machine",
                "annex",
                "expression",
                "plan",
                "experiment",
                "sample",
                "data",
                "run",
                "security",
                "wire",
                "plugin");
    }
}
