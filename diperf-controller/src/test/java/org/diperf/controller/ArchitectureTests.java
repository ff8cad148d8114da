package org.diperf.controller;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import org.diperf.core.architecture.ArchitectureRules;
import org.junit.jupiter.api.Test;

/** The structure of the controller. */
class ArchitectureTests extends ArchitectureRules {

    ArchitectureTests() {
        super("org.diperf.controller");
    }

    @Test
    void onlyTheCommandLineKnowsTheCommandLine() {
        noClasses()
                .that()
                .resideOutsideOfPackage("org.diperf.controller.cli")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("picocli..", "org.diperf.controller.cli")
                .check(classes);
    }

    @Test
    void noImportRunsBackUp() {
        allPackagesStandOnThoseBelow(
                "progress",
                "page",
                "time",
                "grid",
                "experiment",
                "starter",
                "quickstart",
                "collect",
                "relay",
                "monitor",
                "testbed",
                "service",
                "fleet",
                "course",
                "run.directory",
                "run.live",
                "run.resume",
                "run",
                "calibrate",
                "",
                "cli");
    }
}
