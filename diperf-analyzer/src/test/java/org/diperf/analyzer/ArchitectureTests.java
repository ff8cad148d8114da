package org.diperf.analyzer;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import org.diperf.core.architecture.ArchitectureRules;
import org.junit.jupiter.api.Test;

/** The structure of the analyzer. */
class ArchitectureTests extends ArchitectureRules {

    ArchitectureTests() {
        super("org.diperf.analyzer");
    }

    @Test
    void chartsAreDrawnInOnePackage() {
        noClasses()
                .that()
                .resideOutsideOfPackage("org.diperf.analyzer.figure")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("org.jfree..", "org.apache.batik..")
                .check(classes);
    }
}
