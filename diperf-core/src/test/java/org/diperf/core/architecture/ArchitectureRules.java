package org.diperf.core.architecture;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** The rules that hold in every module; a module's {@code ArchitectureTests} extends this and adds its own. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
public abstract class ArchitectureRules {

    protected final JavaClasses classes;
    private final String root;

    /** @param root package of the module */
    protected ArchitectureRules(String root) {
        this.root = root;
        this.classes = new ClassFileImporter()
                .withImportOption(new ImportOption.DoNotIncludeTests())
                .importPackages(root)
                .that(DescribedPredicate.describe(
                        "of this module",
                        each -> each.getSource().isPresent()
                                && !each.getSource().get().getUri().toString().contains(".jar!")
                                && each.getSource().get().getUri().toString().contains(moduleFolder())));
    }

    private static String moduleFolder() {
        return Path.of("").toAbsolutePath().getFileName() + "/target/classes";
    }

    @Test
    void packagesHaveNoCycles() {
        slices().matching("org.diperf.(**)").should().beFreeOfCycles().check(classes);
    }

    /**
     * Holds an order of packages.
     *
     * @param bottomToTop full names; a package may use those before it, and packages that are not named
     */
    protected final void packagesStandOnThoseBelow(String... bottomToTop) {
        for (int i = 0; i < bottomToTop.length; i++) {
            noClasses()
                    .that()
                    .resideInAPackage(bottomToTop[i])
                    .should()
                    .dependOnClassesThat()
                    .resideInAnyPackage(Arrays.copyOfRange(bottomToTop, i + 1, bottomToTop.length))
                    .check(classes);
        }
    }

    /**
     * Holds the order of all packages of a module: each may use those before it, none those after it.
     *
     * @param bottomToTop names without the module's root; the root itself is {@code ""}
     */
    protected final void allPackagesStandOnThoseBelow(String... bottomToTop) {
        String[] names = Arrays.stream(bottomToTop)
                .map(name -> name.isEmpty() ? root : root + "." + name)
                .toArray(String[]::new);
        Set<String> unnamed = classes.stream().map(JavaClass::getPackageName).collect(Collectors.toSet());
        unnamed.removeAll(Set.of(names));
        if (!unnamed.isEmpty()) {
            throw new AssertionError("Packages without a place in the order: " + unnamed);
        }
        packagesStandOnThoseBelow(names);
    }

    @Test
    void clocksAreReadInTheClockPackageAlone() {
        noClasses()
                .that()
                .resideOutsideOfPackage("..clock..")
                .should()
                .callMethod(System.class, "nanoTime")
                .orShould()
                .callMethod(System.class, "currentTimeMillis")
                .orShould()
                .callMethod(Thread.class, "sleep", long.class)
                .orShould()
                .callMethod(Thread.class, "sleep", long.class, int.class)
                .orShould()
                .callMethod(TimeUnit.class, "sleep", long.class)
                .allowEmptyShould(true)
                .check(classes);
    }

    @Test
    void nobodyLogsThroughTheJdkOrPrintsPastTheCommandLine() {
        noClasses()
                .that()
                .resideOutsideOfPackages("..cli..")
                .and()
                .doNotHaveSimpleName("TesterMain")
                .should()
                .accessField(System.class, "out")
                .orShould()
                .accessField(System.class, "err")
                .orShould()
                .dependOnClassesThat()
                .resideInAPackage("java.util.logging..")
                .allowEmptyShould(true)
                .check(classes);
    }

    @Test
    void nothingIsSerialisedTheJavaWay() {
        noClasses()
                .should()
                .dependOnClassesThat()
                .areAssignableTo(ObjectInputStream.class)
                .orShould()
                .dependOnClassesThat()
                .areAssignableTo(ObjectOutputStream.class)
                .allowEmptyShould(true)
                .check(classes);
    }

    @Test
    void everyPackageSaysWhatItIsFor() throws Exception {
        Path sources = Path.of("src/main/java");
        if (!Files.isDirectory(sources)) {
            return;
        }
        try (Stream<Path> files = Files.walk(sources)) {
            List<Path> silent = files.filter(file -> file.toString().endsWith(".java"))
                    .map(Path::getParent)
                    .distinct()
                    .filter(folder -> !Files.exists(folder.resolve("package-info.java")))
                    .toList();
            if (!silent.isEmpty()) {
                throw new AssertionError("Packages without package-info.java: " + silent);
            }
        }
    }
}
