package org.diperf.analyzer;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import java.util.List;
import java.util.stream.Stream;
import org.diperf.core.architecture.ArchitectureRules;
import org.junit.jupiter.api.Test;

/** The structure of the analyzer. */
class ArchitectureTests extends ArchitectureRules {

    private static final String ROOT = "org.diperf.analyzer";

    /** All packages along the way of the data; each may use those before it. */
    private static final List<String> ORDER = Stream.of(
                    ".stats",
                    ".model",
                    ".server",
                    ".result",
                    ".measure",
                    ".run",
                    ".monitors",
                    ".sets",
                    ".live",
                    ".load",
                    ".count",
                    ".judge",
                    ".files",
                    ".text",
                    ".table",
                    "",
                    ".imports",
                    ".verify",
                    ".export",
                    ".compare",
                    ".grid",
                    ".figure",
                    ".report")
            .map(ROOT::concat)
            .toList();

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
    void everyPackageHasItsPlaceInTheOrder() {
        assertThat(classes.stream().map(JavaClass::getPackageName).distinct())
                .containsExactlyInAnyOrderElementsOf(ORDER);
    }

    @Test
    void noPackageUsesALaterOne() {
        assertThat(dependencies()
                        .filter(dependency -> place(dependency.getTargetClass()) > place(dependency.getOriginClass())))
                .isEmpty();
    }

    @Test
    void presentationSeesResultsAlone() {
        assertThat(dependencies()
                        .filter(dependency -> PRESENTATION.contains(
                                        dependency.getOriginClass().getPackageName())
                                && COUNTING.contains(dependency.getTargetClass().getPackageName())))
                .isEmpty();
    }

    private Stream<Dependency> dependencies() {
        return classes.stream()
                .flatMap(each -> each.getDirectDependenciesFromSelf().stream())
                .filter(dependency ->
                        dependency.getTargetClass().getPackageName().startsWith(ROOT));
    }

    private static int place(JavaClass of) {
        return ORDER.indexOf(of.getPackageName());
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
