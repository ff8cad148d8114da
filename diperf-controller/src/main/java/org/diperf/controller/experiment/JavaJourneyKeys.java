package org.diperf.controller.experiment;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import org.diperf.core.spi.JavaJourney;
import org.diperf.core.spi.JourneyStep;
import org.jspecify.annotations.Nullable;

/**
 * Journeys in Java, as the key {@code java} of a journey names them: their steps become keys of the journey as if the file had them, so
 * that they are read, checked and compiled like others.
 */
final class JavaJourneyKeys {

    static final String JAVA = "java";

    private static final String JOURNEYS = "client.journeys";

    private JavaJourneyKeys() {}

    /** Names the class of a file, as Java wants it: {@code Shop} of {@code examples/Shop.java}. */
    static String className(String file) {
        String name = file.substring(Math.max(file.lastIndexOf('/'), file.lastIndexOf('\\')) + 1);
        return name.endsWith(".java") ? name.substring(0, name.length() - ".java".length()) : name;
    }

    /** Names the journey of a file that is run itself: {@code buy-lots} of {@code BuyLots.java}. */
    static String journeyName(String file) {
        return className(file).replaceAll("(?<=[a-z0-9])(?=[A-Z])", "-").toLowerCase(Locale.ROOT);
    }

    /** Lists the files that an experiment's journeys name, as it names them. */
    static List<String> files(Node root) {
        List<String> files = new ArrayList<>();
        if (Node.find(root, JOURNEYS) instanceof Node.Mapping journeys) {
            journeys.entries().values().forEach(journey -> {
                if (Node.find(journey, JAVA) instanceof Node.Scalar file) {
                    files.add(file.text());
                }
            });
        }
        return files;
    }

    /**
     * Gives journeys in Java their steps.
     *
     * @param source name of the experiment file, next to which the Java files are
     * @param environment gives the value of a variable, or {@code null}
     */
    static Node.Mapping withSteps(
            Node.Mapping root,
            String source,
            KnownPlugins plugins,
            Function<String, @Nullable String> environment,
            Problems problems) {
        if (files(root).isEmpty()
                || !(root.entries().get("client") instanceof Node.Mapping client)
                || !(client.entries().get("journeys") instanceof Node.Mapping journeys)) {
            return root;
        }
        Node.Mapping all = journeys;
        for (Map.Entry<String, Node> entry : journeys.entries().entrySet()) {
            if (entry.getValue() instanceof Node.Mapping journey
                    && journey.entries().get(JAVA) instanceof Node.Scalar file) {
                String path = JOURNEYS + "." + entry.getKey() + "." + JAVA;
                JavaJourney code = plugins.journey(className(file.text()));
                if (code == null) {
                    problems.add(
                            file.position(),
                            path,
                            "expected a Java file with a public class that implements JavaJourney, got none in '"
                                    + file.text() + "'");
                } else if (journey.entries().containsKey("steps")) {
                    problems.add(
                            journey.positionOf("steps"),
                            JOURNEYS + "." + entry.getKey() + ".steps",
                            "expected either steps or java, got both; drop one");
                } else {
                    all = all.with(entry.getKey(), withSteps(journey, file, code, source, environment, problems));
                }
            }
        }
        return root.with("client", client.with("journeys", all));
    }

    private static Node.Mapping withSteps(
            Node.Mapping journey,
            Node.Scalar file,
            JavaJourney code,
            String source,
            Function<String, @Nullable String> environment,
            Problems problems) {
        List<Map<String, Object>> steps = new ArrayList<>();
        Map<String, Object> values = new LinkedHashMap<>();
        code.values().forEach(name -> values.put(name, ""));
        if (!values.isEmpty()) {
            steps.add(Map.of("set", values));
        }
        code.steps().forEach(step -> steps.add(plain(step)));
        Node read = new YamlReader(file.text(), false, environment, problems)
                .read(YamlWriter.write(Map.of("steps", steps)));
        Node made = read == null ? null : Node.find(read, "steps");
        Node.Scalar absolute =
                new Node.Scalar(file.position(), Node.Kind.TEXT, ExperimentPaths.absolute(source, file.text()));
        Node.Mapping with = journey.with(JAVA, absolute);
        return made == null ? with : with.with("steps", file.position(), made);
    }

    private static Map<String, Object> plain(JourneyStep step) {
        Map<String, Object> plain = new LinkedHashMap<>();
        plain.put("name", step.name());
        if (!step.plugin().isEmpty()) {
            plain.put("plugin", step.plugin());
        }
        if (!step.target().isEmpty()) {
            plain.put("target", step.target());
        }
        if (!step.with().isEmpty()) {
            plain.put("with", step.with());
        }
        if (!step.capture().isEmpty()) {
            plain.put("capture", step.capture());
        }
        if (!step.check().isEmpty()) {
            plain.put("check", step.check());
        }
        return plain;
    }

    /** Returns the text of a file that is run itself: what its journey says is around it. */
    static String experiment(Path file, JavaJourney code) throws ExperimentException {
        String yaml = code.experiment();
        if (yaml.isBlank()) {
            throw ExperimentException.of(file
                    + ": expected a journey whose experiment() sets target and load, got one without; add it, or use "
                    + "the file in an experiment: client.journeys."
                    + journeyName(file.toString())
                    + ".java: " + Objects.requireNonNullElse(file.getFileName(), file));
        }
        return yaml;
    }
}
