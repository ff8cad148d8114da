package org.diperf.controller.starter;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.lang.model.SourceVersion;

/**
 * A Maven project of one client class with its test.
 *
 * @param name of the plugin, its scheme, its jar and the project: words joined by hyphens
 * @param version of DiPerF to build against
 */
public record PluginProject(String name, String version) {

    private static final String NAME = "[a-z][a-z0-9]+(-[a-z][a-z0-9]+)*";
    private static final int LONGEST = 32;
    private static final String GROUP = "org.example.";

    /** Types that the class of the client uses by their simple names. */
    private static final Set<String> USED = Set.of("BlockingClient");

    /** @throws IllegalArgumentException when no class can have such a name; the message says what was wanted and found */
    public PluginProject {
        if (!name.matches(NAME) || name.length() > LONGEST) {
            throw new IllegalArgumentException("expected a name of lower-case letters, digits and hyphens, at most "
                    + LONGEST + " characters, each word at least two characters long, got '" + name + "'"
                    + instead(name));
        }
        if (!SourceVersion.isName(packageName(name)) || USED.contains(className(name))) {
            throw new IllegalArgumentException("expected a name for a Java package and class, got '" + name
                    + "', which is reserved by Java or DiPerF; choose another, e.g. my-" + name);
        }
    }

    private static String instead(String name) {
        String better = name.replaceAll("(?<=[a-z0-9])(?=[A-Z])", "-")
                .toLowerCase(Locale.ROOT)
                .replaceAll("[^a-z0-9]+", "-")
                .replaceAll("^[^a-z]+|-+$", "");
        return better.matches(NAME) && better.length() <= LONGEST ? "; use " + better : "; use one such as price-quote";
    }

    private static String packageName(String name) {
        return GROUP + name.replace("-", "");
    }

    private static String className(String name) {
        return Stream.of(name.split("-"))
                        .map(word -> word.substring(0, 1).toUpperCase(Locale.ROOT) + word.substring(1))
                        .collect(Collectors.joining())
                + "Client";
    }

    /** Returns the full name of the client's class. */
    public String className() {
        return packageName(name) + "." + className(name);
    }

    /** Returns the files of the project: paths below its folder, with {@code /}, and their contents. */
    public Map<String, String> files() {
        String path = packageName(name).replace('.', '/');
        String java = path + "/" + className(name);
        Map<String, String> files = new LinkedHashMap<>();
        files.put("README.md", filled("README.md"));
        files.put("pom.xml", filled("pom.xml"));
        files.put(artifact(".pom"), filled("core.pom"));
        files.put("src/main/java/" + java + ".java", filled("Client.java"));
        files.put("src/main/resources/META-INF/services/org.diperf.core.spi.Client", className() + "\n");
        files.put("src/test/resources/junit-platform.properties", filled("junit-platform.properties"));
        files.put("src/test/java/" + java + "Tests.java", filled("ClientTests.java"));
        return files;
    }

    /**
     * Returns what the project is compiled and tested with, in the layout of a Maven repository, as DiPerF's jar carries it: paths
     * below the project's folder, with {@code /}, and their contents. Classes outside a jar come without.
     */
    public Map<String, byte[]> artifacts() throws IOException {
        Map<String, byte[]> artifacts = new LinkedHashMap<>();
        for (String end : List.of(".jar", "-tests.jar")) {
            try (InputStream in = PluginProject.class.getResourceAsStream("diperf-core" + end)) {
                if (in != null) {
                    artifacts.put(artifact(end), in.readAllBytes());
                }
            }
        }
        return artifacts;
    }

    private String artifact(String end) {
        return "repository/org/diperf/diperf-core/" + version + "/diperf-core-" + version + end;
    }

    private String filled(String template) {
        try (InputStream in = PluginProject.class.getResourceAsStream(template)) {
            if (in == null) {
                throw new IllegalStateException("No template " + template + " in this build");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8)
                    .replace("@name@", name)
                    .replace("@class@", className(name))
                    .replace("@package@", packageName(name))
                    .replace("@path@", packageName(name).replace('.', '/'))
                    .replace("@version@", version);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
