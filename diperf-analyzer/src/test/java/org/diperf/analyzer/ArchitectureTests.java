package org.diperf.analyzer;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.Stream;
import org.diperf.core.architecture.ArchitectureRules;
import org.junit.jupiter.api.Test;

/** The structure of the analyzer. */
class ArchitectureTests extends ArchitectureRules {

    private static final String ROOT = "org.diperf.analyzer";

    /** Show what an analysis says, and must not ask how it was counted. */
    private static final List<String> PRESENTATION =
            Stream.of(".text", ".table", ".figure", ".report").map(ROOT::concat).toList();

    private static final List<String> COUNTING = Stream.of(
                    ".run", ".monitors", ".sets", ".live", ".load", ".count", ".judge", "")
            .map(ROOT::concat)
            .toList();

    ArchitectureTests() {
        super(ROOT);
    }

    @Test
    void packagesStandAlongTheWayOfTheData() {
        allPackagesStandOnThoseBelow(
                "stats",
                "model",
                "server",
                "result",
                "measure",
                "run",
                "monitors",
                "sets",
                "live",
                "load",
                "count",
                "judge",
                "files",
                "profile",
                "text",
                "table",
                "",
                "imports",
                "verify",
                "export",
                "compare",
                "grid",
                "figure",
                "report");
    }

    @Test
    void presentationSeesResultsAlone() {
        assertThat(classes.stream()
                        .flatMap(each -> each.getDirectDependenciesFromSelf().stream())
                        .filter(dependency -> PRESENTATION.contains(
                                        dependency.getOriginClass().getPackageName())
                                && COUNTING.contains(dependency.getTargetClass().getPackageName())))
                .isEmpty();
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
