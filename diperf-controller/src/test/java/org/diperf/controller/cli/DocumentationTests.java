package org.diperf.controller.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.io.IOException;
import java.lang.reflect.Field;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.diperf.analyzer.compare.MetricResult.Finding;
import org.diperf.analyzer.grid.GridSummary;
import org.diperf.analyzer.measure.Measures;
import org.diperf.analyzer.profile.Profile;
import org.diperf.analyzer.result.Summary;
import org.diperf.controller.calibrate.Calibration;
import org.diperf.controller.documentation.Documentation;
import org.diperf.controller.documentation.Documentation.Code;
import org.diperf.controller.documentation.Documentation.Link;
import org.diperf.controller.documentation.DocumentedCommand;
import org.diperf.controller.experiment.ExperimentException;
import org.diperf.controller.experiment.ExperimentFile;
import org.diperf.core.experiment.SecretMask;
import org.diperf.core.plugin.Plugins;
import org.diperf.core.run.GridRecord;
import org.diperf.core.run.RunRecord;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Whether the documentation says what the program does: every option, command, exit code, key and name of a number on the
 * pages is one of the program. {@code CommandReferenceTests} and {@code KeyReferenceTests} write the references, and {@code
 * DocumentedCommandsIT} carries out the command lines.
 */
@Timeout(120)
class DocumentationTests {

    /** What is about everything that the pages and examples have, and so needs all packs: {@code plugins/without} leaves it out. */
    private static final String BUNDLE = "bundle";

    private static final int README_LINES = 100;
    private static final int README_COLUMNS = 120;

    private static final Pattern OPTION = Pattern.compile("(?<![\\w.-])(--[a-z][a-z-]*[a-z])");
    private static final Pattern PATH = Pattern.compile("[a-z][\\w-]*(?:\\.[\\w-]+)+");
    private static final Pattern KEY_WITH_VALUE = Pattern.compile("([a-z][a-z-]*):(?: .*)?", Pattern.DOTALL);
    private static final Pattern JSON_NAME = Pattern.compile("[a-z]+(?:[A-Z][a-z]*)+");
    private static final Pattern TOP_LEVEL_KEY = Pattern.compile("([a-z][a-z-]*):.*");
    private static final Pattern FILE_NAME = Pattern.compile(
            ".*\\.(?:c|csv|deb|dps|gz|html|jar|java|json|jtl|key|log|md|png|properties|py|rb|rm|sh|spool|svg|txt|xml|yml|ym)");

    /** Options of other programs, by the program. */
    private static final Map<String, Set<String>> OF_OTHERS = Map.of(
            "srun and sbatch",
                    Set.of(
                            "--no-kill",
                            "--kill-on-bad-exit",
                            "--no-requeue",
                            "--wait",
                            "--constraint",
                            "--exclusive",
                            "--cpus-per-task"),
            "curl", Set.of("--silent", "--fail", "--output"),
            "jar", Set.of("--create", "--file"),
            "protoc", Set.of("--include", "--descriptor"),
            "oha", Set.of("--http"),
            "iperf3", Set.of("--skip-rx-copy"),
            "./check", Set.of("--long"),
            "podman, skopeo, kubectl and brew",
                    Set.of("--rm", "--network", "--user", "--userns", "--all", "--restart", "--image", "--repository"),
            "prometheus", Set.of("--enable-feature"),
            "examples/papers/repeat", Set.of("--list", "--quick", "--pictures", "--trials"));

    /** Pages on how the program is built; names with dots on them are of packages and classes. */
    private static final Set<String> OF_CODE =
            Set.of("architecture.md", "decisions.md", "CONTRIBUTING.md", "benchmarks.md", "glossary.md", "renamed.md");

    /** What looks like the name of a number or key and is none, with what it is. */
    private static final Map<String, String> NO_NAMES = Map.of(
            "diperf.directory", "a setting of JUnit's platform",
            "pNN.N", "any percentile",
            "allThreads", "a column of JMeter's files",
            "activeClients", "a series, as the other names of its table",
            "inFlight", "a series, as the other names of its table",
            "pHolm", "in comparison.json, which another test looks at",
            "hodgesLehmann", "in comparison.json, which another test looks at",
            "runsToTell", "in comparison.json, which another test looks at",
            "cliffsDelta", "in comparison.json, which another test looks at");

    /** Outcomes of calls and beginnings of messages, which look like keys with their values. */
    private static final Set<String> OUTCOMES = Set.of(
            "scp: no such file or directory",
            "sftp: permission denied",
            "connect: 421 Service busy: Connection limit exceeded.",
            "bind: 49 invalid credentials",
            "tls: the server does not offer HTTP/2",
            "submit: 7 AUTHORIZATION",
            "submit: 93 SERVICE_NOT_FOUND",
            "submit: 48 BAD_RSL",
            "job: 5 EXECUTABLE_NOT_FOUND",
            "job: 17 JOB_EXECUTION_FAILED",
            "job: 8 USER_CANCELLED",
            "job: exit 3",
            "submit: 91 HTTP_UNPACK_FAILED",
            "authenticate: no answer",
            "delegate: no answer",
            "submit: no answer",
            "stream: no answer",
            "disconnected: 52 unavailable",
            "fault: InvalidQueryExpressionFault",
            "login: status 503",
            "order: check status 201",
            "tls: Received fatal alert: certificate_required",
            "suspect:");

    /** Roots of the JSON that the program writes. */
    private static final List<Class<?>> JSON = List.of(
            Summary.class, GridSummary.class, RunRecord.class, GridRecord.class, Calibration.class, Profile.class);

    private static CommandLine program() {
        return Commands.program(new Commands(new SecretMask()), Plugins.bundled())
                .setExpandAtFiles(false)
                .setCaseInsensitiveEnumValuesAllowed(true);
    }

    private static Map<String, CommandSpec> commands() {
        Map<String, CommandSpec> commands = new LinkedHashMap<>();
        program().getSubcommands().forEach((name, command) -> {
            commands.put(name, command.getCommandSpec());
            command.getSubcommands().forEach((below, sub) -> commands.put(name + " " + below, sub.getCommandSpec()));
        });
        return commands;
    }

    private static List<DocumentedCommand> commandLines() throws IOException {
        List<DocumentedCommand> lines =
                DocumentedCommand.all(List.copyOf(commands().keySet()));
        assertThat(lines).hasSizeGreaterThan(100).anyMatch(line -> !line.isForm());
        return lines;
    }

    /** Returns the command of a line; {@code null}: the line names none. */
    private static @Nullable CommandSpec command(DocumentedCommand line, Map<String, CommandSpec> commands) {
        CommandSpec of = commands.get(line.words().get(0));
        String below =
                line.words().size() < 2 ? "" : String.join(" ", line.words().subList(0, 2));
        return commands.getOrDefault(below, of);
    }

    @Test
    void everyCommandLineIsOneOfTheProgram() throws IOException {
        Map<String, CommandSpec> commands = commands();
        List<String> wrong = new ArrayList<>();
        List<DocumentedCommand> lines = new ArrayList<>(commandLines());
        lines.addAll(DocumentedCommand.inExamples());
        for (DocumentedCommand line : lines) {
            String first = line.words().get(0);
            CommandSpec command = command(line, commands);
            if (command == null) {
                if (!first.startsWith("-") && !first.equals("COMMAND")) {
                    wrong.add(line + ": no command '" + first + "'");
                }
                continue;
            }
            for (String word : line.words()) {
                Matcher option = Pattern.compile("\\[?(--?[A-Za-z][a-z-]*).*").matcher(word);
                boolean known = !option.matches()
                        || command.optionsMap().containsKey(option.group(1))
                        || !option.group(1).startsWith("--")
                                && command.optionsMap()
                                        .containsKey(option.group(1).substring(0, 2));
                if (!known) {
                    wrong.add(line + ": no option " + option.group(1));
                }
            }
            if (!line.isForm()) {
                try {
                    program().parseArgs(line.words().toArray(String[]::new));
                } catch (CommandLine.ParameterException e) {
                    wrong.add(line + ": " + e.getMessage());
                }
            }
        }
        assertThat(wrong).isEmpty();
    }

    @Test
    void everyOptionIsOneOfTheProgram() throws IOException {
        Set<String> known =
                new HashSet<>(program().getCommandSpec().optionsMap().keySet());
        commands().values().forEach(command -> known.addAll(command.optionsMap().keySet()));
        OF_OTHERS.values().forEach(known::addAll);
        List<String> wrong = new ArrayList<>();
        for (Code code : Documentation.code()) {
            boolean theirs = isOfOthers(code)
                    || OF_CODE.contains(code.page()) && !code.text().contains("diperf ");
            if (!theirs && (code.isSpan() || code.isShell())) {
                OPTION.matcher(code.text())
                        .results()
                        .map(found -> found.group(1))
                        .filter(option -> !known.contains(option))
                        .filter(option -> !isOfOtherTool(code.page()) || OptionHints.hint(option) == null)
                        .forEach(option -> wrong.add(code.place() + ": no option " + option + ": " + code.text()));
            }
        }
        assertThat(wrong).isEmpty();
    }

    private static Set<Integer> exitCodes() {
        Set<Integer> codes = new TreeSet<>();
        for (Class<?> of : List.of(ExitCode.class, org.diperf.tester.link.ExitCode.class)) {
            for (Field field : of.getDeclaredFields()) {
                try {
                    codes.add(field.getInt(null));
                } catch (IllegalAccessException e) {
                    throw new IllegalStateException(e);
                }
            }
        }
        assertThat(codes).contains(0, 99);
        return codes;
    }

    @Test
    void theTableOfExitCodesIsComplete() throws IOException {
        Set<Integer> documented = new TreeSet<>();
        boolean below = false;
        for (String line : Files.readAllLines(Documentation.root().resolve("docs/scripting.md"))) {
            below = line.startsWith("#") ? line.equals("## Exit codes") : below;
            Matcher row = Pattern.compile("\\| ([0-9, ]+) \\|.*").matcher(line);
            if (below && row.matches()) {
                Stream.of(row.group(1).split(", ")).map(Integer::valueOf).forEach(documented::add);
            }
        }
        assertThat(documented).isEqualTo(exitCodes());
    }

    @Test
    void everyExitCodeThatIsNamedIsOneOfTheProgram() throws IOException {
        Set<Integer> known = exitCodes();
        Pattern named = Pattern.compile("[Ee]xit(?:s with| codes?)(?: is| suit a CI job)?:? (\\d+)");
        int found = 0;
        for (Path page : Documentation.pages()) {
            Matcher code = named.matcher(Files.readString(page).replace('\n', ' '));
            while (code.find()) {
                found++;
                assertThat(known).as("%s: %s", page, code.group()).contains(Integer.valueOf(code.group(1)));
            }
        }
        assertThat(found).isGreaterThan(10);
    }

    private static boolean isOfOtherTool(String page) {
        return page.startsWith("migrate-") || page.equals("coming-from.md");
    }

    /** Returns whether code is another tool's: what the first cells of a page's tables say in its words. */
    private static boolean isOfOthers(Code code) {
        return isOfOtherTool(code.page()) && code.cell() == 0;
    }

    /** Splits a block in which a key of the top level stands more than once, as alternatives do. */
    private static List<String> experiments(String block) {
        List<String> found = new ArrayList<>();
        Set<String> keys = new HashSet<>();
        StringBuilder text = new StringBuilder();
        for (String line : block.lines().toList()) {
            Matcher key = TOP_LEVEL_KEY.matcher(line);
            if (key.matches() && !keys.add(key.group(1))) {
                found.add(text.toString());
                text.setLength(0);
                keys.clear();
                keys.add(key.group(1));
            }
            text.append(line).append('\n');
        }
        found.add(text.toString());
        return found;
    }

    /** Completes what a page shows of an experiment by what it takes for granted. */
    private static String completed(String part) {
        StringBuilder text = new StringBuilder(part);
        if (!part.contains("\n")) {
            text.append('\n');
        }
        if (!Pattern.compile("(?m)^target:").matcher(part).find()) {
            text.append("target: http://127.0.0.1:8080/\n");
        }
        if (!Pattern.compile("(?m)^(?:load|groups):").matcher(part).find()) {
            text.append("load: { clients: 1000, run-for: 10s }\n");
        }
        if (part.contains("${users.") && !part.contains("users: {")) {
            text.append("data: { users: { file: users.csv } }\n");
        }
        if (part.contains("requests.") && !part.contains("client:")) {
            text.append("client: { requests: [ { name: order }, { name: browse } ] }\n");
        }
        return text.toString();
    }

    /** Makes the files that experiments on the pages name. */
    private static void files(Path folder) throws IOException {
        Files.writeString(folder.resolve("users.csv"), "name,password\n" + "alice,a\n".repeat(1_000));
        Files.writeString(folder.resolve("orders.csv"), "number,count\n1,2\n");
        for (Map.Entry<String, Code> file : Documentation.files().entrySet()) {
            Files.writeString(
                    folder.resolve(file.getKey().replaceFirst(".*/", "")),
                    file.getValue().text());
        }
        Files.writeString(folder.resolve("query.sh"), "#!/bin/sh\n");
        Files.createDirectories(folder.resolve("data"));
        Files.writeString(folder.resolve("hosts.txt"), "node1.example.org site=lan\nnode2.example.org site=wan\n");
    }

    private static @Nullable String fault(String yaml, Path folder, Plugins plugins) throws IOException {
        Path file = Files.writeString(folder.resolve("experiment.yml"), yaml);
        try {
            assertThat(ExperimentFile.open(file, List.of(), plugins).first().experiment())
                    .isNotNull();
            return null;
        } catch (ExperimentException e) {
            return e.getMessage();
        }
    }

    /** A first line that names another file says that a block is that one's. */
    private static boolean isExperiment(Code code) {
        return code.isIn("yaml") && !code.text().matches("(?s)# \\.[\\w./-]+[;\\n].*");
    }

    @Tag(BUNDLE)
    @Test
    void everyExperimentOnAPageCanBeRead(@TempDir Path folder) throws IOException {
        files(folder);
        List<String> wrong = new ArrayList<>();
        int read = 0;
        Set<String> top = schemaTop();
        try (Plugins plugins = Plugins.bundled()) {
            for (Code code : Documentation.code()) {
                List<String> parts = List.of();
                if (isExperiment(code)) {
                    parts = experiments(code.text());
                } else if (code.isSpan()
                        && !isOfOthers(code)
                        && code.text().matches("[a-z-]+: [{\\[].*[}\\]]")
                        && top.contains(code.text().split(":")[0])
                        && !code.text().contains("…")
                        && !code.text().contains("plugin: echo")) {
                    parts = List.of(code.text());
                }
                for (String part : parts) {
                    read++;
                    String fault = fault(completed(part), folder, plugins);
                    if (fault != null) {
                        wrong.add(code.place() + ": " + fault + "\n" + part);
                    }
                }
            }
        }
        assertThat(read).isGreaterThan(30);
        assertThat(wrong).isEmpty();
    }

    /** Each page shows both scripts, whole or, where that is long, a part. */
    @Test
    void everyScriptOnAPageOfAnotherToolIsThatOfItsFile() throws IOException {
        Map<String, String> scripts = new TreeMap<>();
        try (Stream<Path> files = Files.list(Documentation.root().resolve("examples/migrate"))) {
            for (Path file : files.toList()) {
                scripts.put(String.valueOf(file.getFileName()), withoutIndent(Files.readString(file)));
            }
        }
        Set<String> shown = new TreeSet<>(Set.of("users.csv"));
        for (Code code : Documentation.code()) {
            if (code.page().startsWith("migrate-") && !code.isSpan() && !code.isShell()) {
                List<String> files = scripts.entrySet().stream()
                        .filter(script -> script.getValue().contains(withoutIndent(code.text())))
                        .map(Map.Entry::getKey)
                        .toList();
                assertThat(files).as(code.place()).isNotEmpty();
                shown.addAll(files);
            }
        }
        assertThat(shown).isEqualTo(scripts.keySet());
    }

    private static String withoutIndent(String text) {
        return text.lines().map(String::strip).collect(Collectors.joining("\n"));
    }

    @Test
    void everyNameOfASeriesCanBeDrawn(@TempDir Path folder) throws IOException {
        List<String> wrong = new ArrayList<>();
        int names = 0;
        try (Plugins plugins = Plugins.bundled()) {
            for (Code code : Documentation.code()) {
                boolean isName = code.heading().equals("Names of series") && code.cell() == 0;
                if (isName && !code.text().contains("METRIC")) {
                    names++;
                    String fault = fault(
                            completed("report: { figures: [ { left: [" + code.text() + "] } ] }\n"), folder, plugins);
                    if (fault != null) {
                        wrong.add(code.place() + ": " + fault);
                    }
                }
            }
        }
        assertThat(names).isGreaterThan(10);
        assertThat(wrong).isEmpty();
    }

    @Tag(BUNDLE)
    @Test
    void everyExampleCanBeRead() throws IOException {
        List<String> wrong = new ArrayList<>();
        try (Plugins plugins = Plugins.bundled();
                Stream<Path> examples = Files.walk(Documentation.root().resolve("examples"))) {
            List<Path> files = examples.filter(file -> file.toString().endsWith(".yml")
                            && !file.toString().contains("experiment-test")
                            && !file.toString().contains("/ci/"))
                    .sorted()
                    .toList();
            assertThat(files).hasSizeGreaterThan(40);
            for (Path file : files) {
                try {
                    ExperimentFile.open(file, List.of(), plugins);
                } catch (ExperimentException e) {
                    wrong.add(String.valueOf(e.getMessage()));
                }
            }
        }
        assertThat(wrong).isEmpty();
    }

    static JsonNode schema() {
        try (Plugins plugins = Plugins.bundled()) {
            JsonNode schema = JsonMapper.shared().readTree(ExperimentFile.schema(plugins));
            return whole(schema, schema);
        }
    }

    /** Puts the definitions of a schema where it refers to them. */
    private static JsonNode whole(JsonNode node, JsonNode root) {
        if (node.has("$ref")) {
            return whole(root.at(node.path("$ref").asString().substring(1)), root);
        }
        if (node instanceof ObjectNode object) {
            ObjectNode copy = object.objectNode();
            object.properties().forEach(each -> copy.set(each.getKey(), whole(each.getValue(), root)));
            return copy;
        }
        if (node instanceof ArrayNode array) {
            ArrayNode copy = array.arrayNode();
            array.forEach(each -> copy.add(whole(each, root)));
            return copy;
        }
        return node;
    }

    private static Set<String> schemaTop() {
        return new TreeSet<>(schema().get("properties").propertyNames());
    }

    /** Adds the names of all keys below a node of the schema. */
    private static void addKeys(JsonNode node, Set<String> names) {
        JsonNode properties = node.get("properties");
        if (node.isObject() && properties != null && properties.isObject()) {
            names.addAll(properties.propertyNames());
        }
        for (JsonNode below : node) {
            addKeys(below, names);
        }
    }

    /** Returns the nodes that a key leads to, whichever alternative of the schema it belongs to. */
    private static void below(JsonNode node, String key, List<JsonNode> found) {
        JsonNode properties = node.get("properties");
        if (properties != null && properties.get(key) != null) {
            found.add(properties.get(key));
        }
        JsonNode others = node.get("additionalProperties");
        if (others != null && others.isObject()) {
            found.add(others);
        }
        for (String of : List.of("oneOf", "anyOf", "allOf")) {
            JsonNode alternatives = node.get(of);
            if (alternatives != null) {
                alternatives.forEach(alternative -> below(alternative, key, found));
            }
        }
        JsonNode items = node.get("items");
        if (items != null) {
            below(items, key, found);
        }
        JsonNode then = node.get("then");
        if (then != null) {
            below(then, key, found);
        }
    }

    private static boolean isKey(String path, JsonNode schema) {
        List<JsonNode> at = List.of(schema);
        for (String part : path.split("\\.")) {
            List<JsonNode> next = new ArrayList<>();
            boolean isIndex = part.matches("\\d+");
            for (JsonNode node : at) {
                if (isIndex) {
                    next.add(node);
                } else {
                    below(node, part, next);
                }
            }
            at = next;
        }
        return !at.isEmpty();
    }

    @Tag(BUNDLE)
    @Test
    void everyKeyIsOneOfTheExperimentFile() throws IOException {
        JsonNode schema = schema();
        Set<String> names = new TreeSet<>();
        addKeys(schema, names);
        names.addAll(fields());
        Set<String> top = schemaTop();
        List<String> wrong = new ArrayList<>();
        for (Code code : Documentation.code()) {
            String text = code.text();
            if (!code.isSpan() || isOfOthers(code)) {
                continue;
            }
            Matcher key = KEY_WITH_VALUE.matcher(text);
            if (key.matches() && !names.contains(key.group(1)) && !OUTCOMES.contains(text)) {
                wrong.add(code.place() + ": no key '" + key.group(1) + "': " + text);
            }
            boolean isPath =
                    PATH.matcher(text).matches() && !FILE_NAME.matcher(text).matches();
            if (isPath
                    && top.contains(text.split("\\.")[0])
                    && !OF_CODE.contains(code.page())
                    && !isKey(text, schema)
                    && !isNumber(text)) {
                wrong.add(code.place() + ": no key and no number " + text);
            }
        }
        for (DocumentedCommand line : commandLines()) {
            for (int i = 0; i + 1 < line.words().size(); i++) {
                String path = line.words().get(i + 1).replaceFirst("=.*", "");
                if (line.words().get(i).equals("--set") && !path.equals("PATH") && !isKey(path, schema)) {
                    wrong.add(line + ": no key " + path);
                }
            }
        }
        assertThat(wrong).isEmpty();
    }

    /** Returns the names of all fields of the JSON that the program writes. */
    private static Set<String> fields() throws IOException {
        // Of annexes the code alone knows the names.
        Set<String> names = literals("new (?:Amount|Column)\\(\"([A-Za-z0-9.-]+)\"");
        Set<Type> seen = new HashSet<>();
        JSON.forEach(root -> addNames(root, seen, names));
        return names;
    }

    private static void addNames(Type type, Set<Type> seen, Set<String> names) {
        if (type instanceof ParameterizedType parameterized) {
            for (Type argument : parameterized.getActualTypeArguments()) {
                addNames(argument, seen, names);
            }
        } else if (type instanceof Class<?> of && seen.add(of)) {
            if (of.isRecord()) {
                for (RecordComponent component : of.getRecordComponents()) {
                    names.add(component.getName());
                    addNames(component.getGenericType(), seen, names);
                }
            } else if (of.isSealed()) {
                for (Class<?> permitted : of.getPermittedSubclasses()) {
                    addNames(permitted, seen, names);
                }
            }
        }
    }

    /** Returns whether a path leads to a value of the JSON of a record. */
    private static boolean leads(Type type, List<String> path) {
        if (path.isEmpty()) {
            return true;
        }
        if (type instanceof ParameterizedType parameterized) {
            Type[] arguments = parameterized.getActualTypeArguments();
            boolean isMap = arguments.length == 2;
            return leads(arguments[arguments.length - 1], isMap ? path.subList(1, path.size()) : path);
        }
        if (!(type instanceof Class<?> of) || !of.isRecord()) {
            return false;
        }
        for (RecordComponent component : of.getRecordComponents()) {
            boolean unwrapped = component.getAccessor().isAnnotationPresent(JsonUnwrapped.class);
            if (unwrapped && leads(component.getGenericType(), path)
                    || component.getName().equals(path.get(0))
                            && leads(component.getGenericType(), path.subList(1, path.size()))) {
                return true;
            }
        }
        return false;
    }

    private static boolean isNumber(String path) {
        return Measures.find(path).isPresent()
                || Measures.find(path + ".mean").isPresent()
                || JSON.stream().anyMatch(root -> leads(root, List.of(path.split("\\."))));
    }

    /** Names of what testers, clients and monitors observe, as the code of the program and its plugins has them. */
    private static Set<String> observed() throws IOException {
        return literals("\"([a-z][a-z-]*(?:\\.[a-z-]+)+)\"");
    }

    /** Returns what the code of the program and its plugins has where an expression has its first group. */
    private static Set<String> literals(String expression) throws IOException {
        Set<String> names = new HashSet<>();
        Pattern literal = Pattern.compile(expression);
        for (String module : List.of("diperf-core", "diperf-tester", "diperf-analyzer", "plugins")) {
            try (Stream<Path> sources = Files.walk(Documentation.root().resolve(module))) {
                for (Path source : sources.filter(file -> file.toString().endsWith(".java")
                                && file.toString().contains("/src/main/"))
                        .toList()) {
                    literal.matcher(Files.readString(source)).results().forEach(found -> names.add(found.group(1)));
                }
            }
        }
        return names;
    }

    @Tag(BUNDLE)
    @Test
    void everyNameOfANumberIsOneOfTheProgram() throws IOException {
        Set<String> names = fields();
        Set<String> observed = observed();
        JsonNode schema = schema();
        Set<String> top = schemaTop();
        List<String> wrong = new ArrayList<>();
        for (Code code : Documentation.code()) {
            String text = code.text();
            if (!code.isSpan() || OF_CODE.contains(code.page()) || isOfOthers(code) || NO_NAMES.containsKey(text)) {
                continue;
            }
            if (JSON_NAME.matcher(text).matches() && !names.contains(text)) {
                wrong.add(code.place() + ": no field " + text);
            }
            boolean isPath = PATH.matcher(text).matches()
                    && !FILE_NAME.matcher(text).matches()
                    && !text.startsWith("org.diperf.");
            String bare = text.replaceFirst("^metrics\\.", "");
            if (isPath
                    && !(top.contains(text.split("\\.")[0]) && isKey(text, schema))
                    && !isNumber(text)
                    && !observed.contains(bare)
                    && !text.matches(".*\\b[A-Z_]{3,}\\b.*")) {
                wrong.add(code.place() + ": no number " + text);
            }
        }
        assertThat(wrong).isEmpty();
    }

    @Test
    void everyLinkLeadsSomewhere() throws IOException {
        List<String> wrong = new ArrayList<>();
        Map<Path, List<String>> anchors = new HashMap<>();
        for (Link link : Documentation.links()) {
            String[] parts = link.target().split("#", 2);
            Path to = parts[0].isEmpty()
                    ? link.page()
                    : Objects.requireNonNull(link.page().toAbsolutePath().getParent())
                            .resolve(parts[0])
                            .normalize();
            if (!Files.exists(to)) {
                wrong.add(link + ": no such file");
            } else if (parts.length == 2) {
                List<String> found = anchors.get(to);
                if (found == null) {
                    found = Documentation.anchors(to);
                    anchors.put(to, found);
                }
                if (!found.contains(parts[1])) {
                    wrong.add(link + ": no such heading");
                }
            }
        }
        assertThat(wrong).isEmpty();
    }

    @Test
    void everyPageIsInTheIndex() throws IOException {
        Set<String> linked = new LinkedHashSet<>();
        for (Link link : Documentation.links()) {
            if (link.page().endsWith("docs/index.md")) {
                linked.add(link.target().replaceFirst("#.*", ""));
            }
        }
        Map<String, Boolean> pages = new TreeMap<>();
        for (Path page : Documentation.pages()) {
            String name = String.valueOf(page.getFileName());
            if (!name.equals("index.md") && page.startsWith(Documentation.root().resolve("docs"))) {
                pages.put(name, linked.contains(name));
            }
        }
        assertThat(pages).doesNotContainValue(false);
    }

    @Test
    void everyPageHasOnePlaceInTheNavigation() throws IOException {
        Path docs = Documentation.root().resolve("docs");
        String navigation = Files.readString(docs.resolve("site.yml"));
        for (Path page : Documentation.pages()) {
            if (page.startsWith(docs)) {
                assertThat(navigation).containsOnlyOnce(": " + page.getFileName() + "\n");
            }
        }
    }

    @Test
    void everyFindingOfAComparisonIsOnItsPage() throws IOException {
        Set<String> spans = Documentation.code().stream()
                .filter(code -> code.page().equals("compare.md") && code.isSpan())
                .map(Code::text)
                .collect(Collectors.toSet());
        for (Finding finding : Finding.values()) {
            if (finding != Finding.ABSENT) {
                assertThat(spans)
                        .contains(finding.name().toLowerCase(Locale.ROOT).replace('_', '-'));
            }
        }
    }

    @Test
    void everyFieldOfAComparisonIsWritten(@TempDir Path folder) throws IOException {
        String experiment = "name: made\ntarget: http://127.0.0.1:8080/\nload: { open: { rate: 500/s, for: 8s } }\n";
        String before =
                MadeRun.write(folder.resolve("before"), 10, 1, experiment).toString();
        String after = MadeRun.write(folder.resolve("after"), 12, 2, experiment).toString();
        Path out = folder.resolve("compared");
        assertThat(Outcome.of("compare", before, after, "--fail-on", "response.p50 +5%", "--out", out.toString())
                        .code())
                .isEqualTo(ExitCode.THRESHOLD);
        String comparison = Files.readString(out.resolve("comparison.json"));
        int fields = 0;
        for (Code code : Documentation.code()) {
            boolean isField = code.page().equals("compare.md")
                    && code.isSpan()
                    && code.heading().equals("comparison.json");
            if (isField && JSON_NAME.matcher(code.text()).matches()) {
                fields++;
                assertThat(comparison).contains("\"" + code.text() + "\"");
            }
        }
        assertThat(fields).isEqualTo(4);
    }

    /** {@code docs/benchmarks.md} is what the results make, and the README boasts with nothing that is none of them. */
    @Test
    void theBenchmarksAndTheFiguresOfTheReadmeAreThoseOfTheResults() throws IOException, InterruptedException {
        assumeTrue(
                Stream.of((System.getenv("PATH") + ":/usr/bin").split(":"))
                        .anyMatch(folder -> Files.isExecutable(Path.of(folder, "python3"))),
                "needs python3");
        Process page = new ProcessBuilder(
                        "python3",
                        Documentation.root().resolve("benchmarks/page").toString(),
                        "--check")
                .redirectErrorStream(true)
                .start();
        String said = new String(page.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(page.waitFor()).as(said).isZero();
    }

    @Test
    void theReadmeIsShort() throws IOException {
        assertThat(Files.readAllLines(Documentation.root().resolve("README.md")))
                .hasSizeLessThanOrEqualTo(README_LINES)
                .allSatisfy(line -> assertThat(line.length()).isLessThanOrEqualTo(README_COLUMNS));
    }
}
