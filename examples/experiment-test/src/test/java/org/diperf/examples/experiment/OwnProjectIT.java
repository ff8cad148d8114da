package org.diperf.examples.experiment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

/**
 * {@code examples/own-project}, which has no parent of ours, built as its owner would: by a Maven of its own that finds the modules' jars
 * and POMs in a repository, and has no way to the network.
 */
@Timeout(180)
class OwnProjectIT {

    private static final Path ROOT = Path.of("../..").toAbsolutePath().normalize();

    private static final String QUICK = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC";

    private static final String RUN = "target/diperf/com.example.quotes.QuoteServiceTest.quotesComeQuickly";

    @TempDir
    static Path work;

    private static Building withJUnit5;
    private static Building withJUnit6;

    /** A Maven at work. */
    private record Building(Path project, Process maven, Path log) {

        int code() throws InterruptedException {
            return maven.waitFor();
        }

        String output() throws IOException {
            return Files.readString(log, StandardCharsets.UTF_8);
        }
    }

    /** Both builds at a time, each with a repository of its own: Mavens do not share one. */
    @BeforeAll
    static void begin() throws Exception {
        assumeTrue(System.getProperty("maven.home") != null, "needs to be run by Maven");
        withJUnit5 = begin("junit5");
        withJUnit6 = begin("junit6", "-Dgoal=response.p50 > 1h");
    }

    @AfterAll
    static void end() {
        for (Building building :
                Stream.of(withJUnit5, withJUnit6).filter(Objects::nonNull).toList()) {
            building.maven().descendants().forEach(ProcessHandle::destroyForcibly);
            building.maven().destroyForcibly();
        }
    }

    private static Building begin(String junit, String... properties) throws Exception {
        Path repository = Path.of("target/repository-" + junit).toAbsolutePath();
        installWithModules(ROOT, repository);
        // All else comes from what this build has fetched.
        Path settings = Files.writeString(
                work.resolve(junit + "-settings.xml"),
                "<settings><mirrors><mirror><id>here</id><mirrorOf>*</mirrorOf><url>"
                        + Path.of(System.getProperty("maven.repository")).toUri()
                        + "</url></mirror></mirrors></settings>");
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("maven.home"), "bin", "mvn").toString(),
                "-B",
                "-ntp",
                "-s",
                settings.toString(),
                "-Dmaven.repo.local=" + repository,
                "-Djunit.version=" + System.getProperty(junit + ".version"),
                "-DargLine=" + QUICK));
        command.addAll(List.of(properties));
        command.add("test");
        Path project = copy(junit);
        Path log = work.resolve(junit + ".log");
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(project.toFile())
                .redirectErrorStream(true)
                .redirectOutput(log.toFile());
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        builder.environment().put("MAVEN_OPTS", QUICK);
        return new Building(project, builder.start(), log);
    }

    /** Copies the POM of a module, and its jar where it has one, to where Maven looks for them; then those of its modules. */
    private static void installWithModules(Path module, Path repository) throws Exception {
        Element project = DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(module.resolve("pom.xml").toFile())
                .getDocumentElement();
        String group = text(project, "groupId");
        String artifact = text(project, "artifactId");
        String version = text(project, "version");
        Path folder = Files.createDirectories(
                repository.resolve(group.replace('.', '/')).resolve(artifact).resolve(version));
        String name = artifact + "-" + version;
        install(module.resolve("pom.xml"), folder.resolve(name + ".pom"));
        Path jar = module.resolve("target").resolve(name + ".jar");
        if (Files.exists(jar)) {
            install(jar, folder.resolve(name + ".jar"));
        }
        NodeList modules = project.getElementsByTagName("module");
        for (int i = 0; i < modules.getLength(); i++) {
            installWithModules(module.resolve(modules.item(i).getTextContent()), repository);
        }
    }

    private static void install(Path from, Path to) throws IOException {
        Files.copy(from, to, StandardCopyOption.REPLACE_EXISTING);
    }

    /** Returns the text of an element of a project, or of its parent. */
    private static String text(Element project, String name) {
        String inherited = "";
        for (org.w3c.dom.Node at = project.getFirstChild(); at != null; at = at.getNextSibling()) {
            if (at.getNodeName().equals(name)) {
                return at.getTextContent();
            }
            if (at.getNodeName().equals("parent")) {
                inherited = text((Element) at, name);
            }
        }
        return inherited;
    }

    private static Path copy(String name) throws IOException {
        Path from = ROOT.resolve("examples/own-project");
        Path to = work.resolve(name);
        try (Stream<Path> files = Files.walk(from)) {
            for (Path file : files.filter(Files::isRegularFile)
                    .filter(file -> !from.relativize(file).startsWith("target"))
                    .toList()) {
                Path copy = to.resolve(from.relativize(file).toString());
                Files.createDirectories(copy.getParent());
                Files.copy(file, copy);
            }
        }
        return to;
    }

    @Test
    void itsExperimentPassesWithJUnit5() throws Exception {
        assertThat(withJUnit5.code()).as(withJUnit5.output()).isZero();
        assertThat(withJUnit5.output()).contains("Tests run: 1, Failures: 0, Errors: 0, Skipped: 0");
        assertThat(withJUnit5.project().resolve(RUN).resolve("report.html")).isNotEmptyFile();
    }

    @Test
    void itsExperimentFailsWithJUnit6WhereItsGoalIsMissed() throws Exception {
        assertThat(withJUnit6.code()).as(withJUnit6.output()).isEqualTo(1);
        assertThat(withJUnit6.output())
                .contains("quotesComeQuickly: FAILED 1 of 2", "failed  response.p50 > 1h: seen ")
                .contains("run directory  " + withJUnit6.project().resolve(RUN));
    }
}
