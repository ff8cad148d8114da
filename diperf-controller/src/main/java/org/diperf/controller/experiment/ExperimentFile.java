package org.diperf.controller.experiment;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.diperf.analyzer.text.Numbers;
import org.diperf.core.experiment.Experiment;
import org.diperf.core.experiment.RequestSettings;
import org.diperf.core.experiment.Script;
import org.diperf.core.experiment.Secrets;
import org.diperf.core.plugin.Plugins;
import org.diperf.core.spi.ClientPlugin;
import org.diperf.core.spi.JavaJourney;
import org.diperf.core.spi.NearestName;
import org.diperf.core.spi.Parameters;
import org.diperf.core.spi.TestbedPlugin;
import org.diperf.core.spi.Url;
import org.diperf.core.spi.Utf8InputStream;
import org.diperf.core.spi.Utf8InputStream.NotUtf8;
import org.jspecify.annotations.Nullable;

/** Reads experiment files and says what they may hold. Stateless. */
public final class ExperimentFile {

    private static final long MAX_BYTES = 1 << 20;
    private static final String HEADER =
            "# The resolved experiment, with every default written out: running this file repeats the run.\n";

    static final String GRID_HEADER =
            "# A grid of runs: running this file repeats all of them. Each run has its own file next to its "
                    + "numbers.\n";

    private ExperimentFile() {}

    /**
     * What a file asks for.
     *
     * @param first the experiment, or that of the first point of its grid
     * @param grid the runs of a sweep, of variants or of trials; {@code null}: one run
     */
    public record Content(Resolved first, @Nullable ExperimentGrid grid) {

        /** Returns every key of the file with its value, defaults included. */
        public Map<String, Object> keys() {
            return grid == null ? first.keys() : ExperimentFile.keys(grid.yaml());
        }
    }

    /**
     * An experiment with the text that repeats it.
     *
     * @param experiment every default filled in, every value checked
     * @param yaml as it is written to {@code experiment.yml} of the run directory
     */
    public record Resolved(Experiment experiment, String yaml) {

        /** Returns every key with its value, defaults included. */
        public Map<String, Object> keys() {
            return ExperimentFile.keys(yaml);
        }
    }

    private static Map<String, Object> keys(String resolved) {
        try {
            return YamlDocument.read(resolved, "experiment.yml");
        } catch (ExperimentException e) {
            throw new IllegalStateException("cannot read what was just written", e);
        }
    }

    /**
     * Reads a file that may ask for several runs.
     *
     * @param file as of {@link #read}
     * @throws ExperimentException with up to 20 problems and their places
     */
    public static Content open(Path file, List<String> sets, Plugins plugins) throws ExperimentException {
        return content(text(file), file.toString(), sets, KnownPlugins.of(plugins), Environment.ofThisProcess());
    }

    /**
     * Reads a text that may ask for several runs.
     *
     * @param yaml as of {@link #parse}
     * @throws ExperimentException with up to 20 problems and their places
     */
    public static Content open(String yaml, String name, List<String> sets, Plugins plugins)
            throws ExperimentException {
        return content(yaml, name, sets, KnownPlugins.of(plugins), Environment.ofThisProcess());
    }

    /**
     * Reads a file that asks for one run.
     *
     * @param file YAML or JSON, at most 1 MiB, UTF-8
     * @param sets {@code path=value} each, which go over what the file says
     * @param plugins that the file may name
     * @throws ExperimentException with up to 20 problems and their places
     */
    public static Resolved read(Path file, List<String> sets, Plugins plugins) throws ExperimentException {
        return resolve(text(file), file.toString(), sets, KnownPlugins.of(plugins), Environment.ofThisProcess());
    }

    /**
     * Reads a text.
     *
     * @param yaml YAML or JSON
     * @param name of the experiment where the text has none; shown as the place of problems
     * @param sets {@code path=value} each
     * @param plugins that the text may name
     * @throws ExperimentException with up to 20 problems and their places
     */
    public static Resolved parse(String yaml, String name, List<String> sets, Plugins plugins)
            throws ExperimentException {
        return resolve(yaml, name, sets, KnownPlugins.of(plugins), Environment.ofThisProcess());
    }

    /**
     * Reads the testbed alone from the {@code experiment.yml} of a run directory: what else the file refers to, such as a
     * secret or a data file, may not be there any more.
     *
     * @return the keys of {@code testbed} with values as in the file
     * @throws ExperimentException when it cannot be read
     */
    public static Map<String, Object> testbed(Path file) throws ExperimentException {
        Problems problems = new Problems();
        Node root = new YamlReader(file.toString(), true, variable -> "", problems).read(text(file));
        problems.check();
        Map<String, Object> testbed = new LinkedHashMap<>();
        if (root != null && Node.find(root, "testbed") instanceof Node.Mapping found) {
            found.entries().forEach((key, value) -> {
                boolean isNothing = value instanceof Node.Scalar scalar && scalar.kind() == Node.Kind.NULL;
                if (!isNothing) {
                    testbed.put(key, value.plain());
                }
            });
        }
        return testbed;
    }

    /**
     * Lists the Java files that the journeys of an experiment file name.
     *
     * @return none where the file cannot be read, which shows when it is
     */
    public static List<Path> javaFiles(Path file) {
        try {
            Node root = new YamlReader(file.toString(), true, variable -> "", new Problems()).read(text(file));
            return root == null
                    ? List.of()
                    : JavaJourneyKeys.files(root).stream()
                            .map(name -> ExperimentPaths.resolve(file.toString(), name))
                            .distinct()
                            .toList();
        } catch (ExperimentException | InvalidPathException unreadable) {
            return List.of();
        }
    }

    /**
     * Reads the experiment of a journey in Java.
     *
     * @param file with the journey, whose class the plugins have
     * @param sets as of {@link #read}
     * @throws ExperimentException with up to 20 problems and their places
     */
    public static Content openJava(Path file, List<String> sets, Plugins plugins) throws ExperimentException {
        KnownPlugins known = KnownPlugins.of(plugins);
        JavaJourney code = known.journey(JavaJourneyKeys.className(file.toString()));
        if (code == null) {
            throw ExperimentException.of(file + ": expected a public class that implements JavaJourney, got none");
        }
        String name = JavaJourneyKeys.journeyName(file.toString());
        List<String> all = new ArrayList<>(sets);
        all.add(0, "client.journeys." + name + ".java=" + file.toAbsolutePath());
        return content(
                JavaJourneyKeys.experiment(file, code), file.toString(), all, known, Environment.ofThisProcess());
    }

    /** Returns the JSON Schema (draft 07) of the file, with the parameters of these plugins. */
    public static String schema(Plugins plugins) {
        return ExperimentSchema.text(KnownPlugins.of(plugins));
    }

    /**
     * Reads the secrets that an experiment file names, for hiding them.
     *
     * @return those that can still be read; nobody can show the others
     */
    public static Secrets secrets(Path file) throws IOException {
        return PlaceholderNames.secretsIn(Files.readString(file), Environment.ofThisProcess());
    }

    static String text(Path file) throws ExperimentException {
        String expected = file + ": expected an experiment file, got ";
        if (!Files.exists(file)) {
            throw ExperimentException.of(expected + "nothing with that name; check the path");
        }
        if (Files.isDirectory(file)) {
            throw ExperimentException.of(expected + "a folder; specify a file in it");
        }
        try {
            if (Files.size(file) > MAX_BYTES) {
                throw ExperimentException.of(
                        expected + Files.size(file) + " bytes; an experiment file can be at most 1 MiB");
            }
            return Utf8InputStream.decode(Files.readAllBytes(file));
        } catch (NotUtf8 e) {
            throw ExperimentException.of(file + ", " + e.getMessage());
        } catch (AccessDeniedException e) {
            throw ExperimentException.of(expected + "one without read permission; check its permissions");
        } catch (IOException e) {
            throw ExperimentException.of(expected + "one that cannot be read: " + e.getMessage());
        }
    }

    static Resolved resolve(
            String yaml, String source, List<String> sets, KnownPlugins plugins, Environment environment)
            throws ExperimentException {
        Content content = content(yaml, source, sets, plugins, environment);
        if (content.grid() != null) {
            throw ExperimentException.of(source + ": expected an experiment with one run, got one with "
                    + Numbers.count(content.grid().runs().size(), "run")
                    + " (sweep, variants or trials); use 'diperf run' for it");
        }
        return content.first();
    }

    static Content content(String yaml, String source, List<String> sets, KnownPlugins plugins, Environment environment)
            throws ExperimentException {
        Problems problems = new Problems();
        String text = yaml.startsWith("\uFEFF") ? yaml.substring(1) : yaml;
        Node root = new YamlReader(source, true, environment.variables(), problems).read(text);
        if (root == null && !problems.any()) {
            if (sets.isEmpty()) {
                throw ExperimentException.of(
                        source + ": expected an experiment, got an empty file; the minimum is\n  target: "
                                + "http://127.0.0.1:8080/\n  load: { clients: 10, run-for: 60s }");
            }
            root = new Node.Mapping(new SourcePosition(source, 1, 1), Map.of(), Map.of());
        }
        problems.check();
        if (!(root instanceof Node.Mapping)) {
            Node found = requireNonNull(root, "root");
            throw ExperimentException.of(found.position() + ": expected an experiment with keys such as 'target' and"
                    + " 'load', got " + found.found());
        }
        for (String set : sets) {
            Setting setting = Setting.parse(set, problems);
            if (setting != null) {
                root = setting.apply(root, environment.variables(), problems);
            }
        }
        problems.check();
        Node.Mapping read = (Node.Mapping) root;
        return GridBuilder.isGrid(read)
                ? grid(read, source, plugins, environment, problems)
                : new Content(one(read, source, plugins, environment), null);
    }

    private static Content grid(
            Node.Mapping root, String source, KnownPlugins plugins, Environment environment, Problems problems)
            throws ExperimentException {
        Node.Mapping named = root;
        if (!named.entries().containsKey("name")) {
            String name = ExperimentBuilder.nameFrom(source);
            named = named.with("name", new Node.Scalar(root.position(), Node.Kind.TEXT, name));
        }
        if (!named.entries().containsKey("seed")) {
            String seed = String.valueOf(environment.seed().getAsLong());
            named = named.with("seed", new Node.Scalar(root.position(), Node.Kind.NUMBER, seed));
        }
        ExperimentGrid grid = new GridBuilder(named, source, new GridBuilder.Resolver() {
                    @Override
                    public Resolved resolve(Node.Mapping point) throws ExperimentException {
                        return one(point, source, plugins, environment);
                    }

                    @Override
                    public Node.Mapping read(String yaml) throws ExperimentException {
                        Problems found = new Problems();
                        Node node = new YamlReader(source, false, name -> null, found).read(yaml);
                        found.check();
                        return (Node.Mapping) requireNonNull(node, "node");
                    }
                })
                .build(problems);
        return new Content(grid.resolved().get(0), grid);
    }

    private static Resolved one(Node.Mapping written, String source, KnownPlugins plugins, Environment environment)
            throws ExperimentException {
        Problems problems = new Problems();
        List<String> keys = ExperimentShape.of(plugins).names();
        Node.Mapping withCode = JavaJourneyKeys.withSteps(written, source, plugins, environment.variables(), problems);
        Node.Mapping root = (Node.Mapping)
                PlaceholderNames.withSecretsFound(new References(withCode, keys, problems).filled(), source);
        Node.Mapping complete = withChoices(root, plugins, problems);
        int before = problems.count();
        PlaceholderNames names = PlaceholderNames.of(root, source, environment, problems);
        problems.hide(text -> names.secrets().masked(text));
        if (problems.count() > before) {
            // Without their files the columns that texts name would all be unknown.
            problems.check();
        }
        boolean mixed = Node.find(root, "client.requests.0") != null || Node.find(root, "client.journeys") != null;
        Fields shape = ExperimentShape.of(plugins, names, mixed);
        FormValues given = shape.read(complete, "", problems);
        problems.check();
        Experiment experiment =
                new ExperimentBuilder(requireNonNull(given, "given"), source, plugins, environment, names).build();
        if (experiment != null) {
            askPlugin(experiment, plugins, complete, problems);
        }
        problems.check();
        return new Resolved(requireNonNull(experiment, "experiment"), HEADER + YamlWriter.write(given.written()));
    }

    /** Writes out what decides which plugin's parameters a file may hold: the client and its plugin. */
    private static Node.Mapping withChoices(Node.Mapping root, KnownPlugins plugins, Problems problems) {
        Node client = root.entries().get("client");
        if (client != null && !(client instanceof Node.Mapping)) {
            return root;
        }
        Node.Mapping chosen = client instanceof Node.Mapping mapping
                ? mapping
                : new Node.Mapping(Node.positionOf(root, "target"), Map.of(), Map.of());
        if (!chosen.entries().containsKey("plugin")) {
            Node target = Node.find(root, "target");
            Node first = target instanceof Node.Scalar ? target : Node.find(root, "target.each.0");
            if (!(first instanceof Node.Scalar scalar) || !scalar.text().matches("[A-Za-z][A-Za-z0-9+.-]*:.*")) {
                // The target itself is the problem, and is reported as such.
                return root.without(List.of("client"));
            }
            String scheme = scalar.text().substring(0, scalar.text().indexOf(':'));
            ClientPlugin plugin = plugins.forScheme(scheme.toLowerCase(Locale.ROOT));
            if (plugin == null) {
                List<String> schemes = plugins.clients().stream()
                        .flatMap(known -> known.schemes().stream())
                        .toList();
                String meant = NearestName.suggestion(scheme, schemes);
                problems.add(
                        first.position(),
                        "no plugin supports " + scheme + "://"
                                + (meant.isEmpty() ? "; specify" : meant + " Or specify")
                                + " --plugins DIR with a plugin jar that does, or put the jar in plugins/ next to DiPerF's own; "
                                + "to use a plugin for any target, such as exec, set client.plugin");
                return root.without(List.of("client"));
            }
            chosen = chosen.with("plugin", new Node.Scalar(first.position(), Node.Kind.TEXT, plugin.id()));
        }
        if (!chosen.entries().containsKey("with")) {
            chosen = chosen.with("with", new Node.Mapping(chosen.position(), Map.of(), Map.of()));
        }
        return root.with("client", chosen);
    }

    /** Lets the plugins check what their declarations alone cannot say. */
    private static void askPlugin(Experiment experiment, KnownPlugins plugins, Node root, Problems problems) {
        ClientPlugin plugin = plugins.client(experiment.client().plugin());
        if (plugin != null) {
            Script script = experiment.script();
            if (script.requests().isEmpty()) {
                askPlugin(
                        experiment,
                        plugin,
                        Set.copyOf(experiment.targets().each()),
                        experiment.client().with(),
                        "client.with",
                        root,
                        problems);
            }
            for (int i = 0; i < script.requests().size(); i++) {
                RequestSettings request = script.requests().get(i);
                String path =
                        script.journeys().isEmpty() ? "client.requests." + i : JourneyKeys.pathOf(root, request.name());
                ClientPlugin own = request.plugin().isEmpty() ? plugin : plugins.client(request.plugin());
                if (own != null) {
                    askPlugin(experiment, own, request, path + ".with", root, problems);
                }
            }
            for (int i = 0; i < script.before().size(); i++) {
                String path = "client.before." + i + ".with";
                askPlugin(experiment, plugin, script.before().get(i), path, root, problems);
            }
        }
        MonitorKeys.askPlugins(experiment, plugins, root, problems);
        TestbedPlugin testbed = plugins.testbed(experiment.testbed().kind());
        if (testbed != null) {
            try {
                testbed.check(Parameters.read(
                        testbed.parameters(), experiment.testbed().with(), experiment.seed()));
            } catch (Parameters.Unusable e) {
                String path = "testbed." + e.parameter();
                problems.add(Node.positionOf(root, path), path, String.valueOf(e.getMessage()));
            }
        }
    }

    private static void askPlugin(
            Experiment experiment,
            ClientPlugin plugin,
            RequestSettings request,
            String where,
            Node root,
            Problems problems) {
        Set<Url> targets =
                request.target().isEmpty() ? Set.copyOf(experiment.targets().each()) : Set.of(Url.of(request.target()));
        askPlugin(experiment, plugin, targets, request.with(), where, root, problems);
    }

    private static void askPlugin(
            Experiment experiment,
            ClientPlugin plugin,
            Set<Url> targets,
            Map<String, Object> with,
            String where,
            Node root,
            Problems problems) {
        for (Url target : targets) {
            try {
                plugin.check(
                        target, Parameters.read(plugin.parameters(), with, experiment.seed(), experiment.script()));
            } catch (Parameters.Unusable e) {
                String path = where + "." + e.parameter();
                problems.add(Node.positionOf(root, path), path, String.valueOf(e.getMessage()));
                return;
            } catch (IllegalArgumentException e) {
                problems.add(
                        Node.positionOf(root, where),
                        (where.equals("client.with") ? "" : where + ": ") + "client '" + plugin.id() + "' for " + target
                                + ": "
                                + e.getMessage());
                return;
            }
        }
    }
}
