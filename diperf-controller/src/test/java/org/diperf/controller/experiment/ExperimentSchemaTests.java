package org.diperf.controller.experiment;

import static org.assertj.core.api.Assertions.assertThat;

import com.networknt.schema.InputFormat;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.diperf.core.plugin.Plugins;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

@Timeout(60)
class ExperimentSchemaTests {

    private static final Set<String> DRAFT_07 = Set.of(
            "$schema",
            "$id",
            "title",
            "description",
            "default",
            "type",
            "enum",
            "const",
            "pattern",
            "minLength",
            "minimum",
            "maximum",
            "exclusiveMinimum",
            "items",
            "minItems",
            "properties",
            "required",
            "additionalProperties",
            "propertyNames",
            "minProperties",
            "maxProperties",
            "anyOf",
            "allOf",
            "oneOf",
            "if",
            "then",
            "$ref",
            "definitions");

    /** What Java's regular expressions have and those of editors have not. */
    private static final Pattern OF_JAVA = Pattern.compile("\\(\\?(?!:)|\\\\[pPQhR]|[*+?}]\\+");

    private static final String GOOD = "target: quote://h/\nload: {clients: 4, run-for: 10s}\n";

    private static Schema schema(String text) {
        return SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_7).getSchema(text, InputFormat.JSON);
    }

    private static List<?> problems(Schema schema, String yaml) {
        return schema.validate(yaml, InputFormat.YAML);
    }

    // Examples are of all packs.
    @Tag("bundle")
    @Test
    void theSchemaTakesEveryExampleThatTheReaderTakes() throws Exception {
        try (Plugins plugins = Plugins.bundled();
                Stream<Path> files = Files.list(examples())) {
            Schema schema = schema(ExperimentFile.schema(plugins));
            List<Path> examples =
                    files.filter(file -> file.toString().endsWith(".yml")).toList();
            assertThat(examples).isNotEmpty();
            for (Path example : examples) {
                ExperimentFile.Content content = ExperimentFile.open(example, List.of(), plugins);
                String resolved = content.grid() == null
                        ? content.first().yaml()
                        : content.grid().yaml();
                assertThat(problems(schema, Files.readString(example)))
                        .as(example.toString())
                        .isEmpty();
                assertThat(problems(schema, resolved)).as("resolved " + example).isEmpty();
            }
        }
    }

    private static Path examples() throws IOException {
        Path folder = Path.of("").toAbsolutePath();
        while (folder != null && !Files.isDirectory(folder.resolve("examples"))) {
            folder = folder.getParent();
        }
        if (folder == null) {
            throw new IOException("Expected the folder examples/ above the working directory, got none");
        }
        return folder.resolve("examples");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                GOOD,
                GOOD + "client: {with: {symbol: '${call}', depth: 7}}\n",
                GOOD + "client: {plugin: bare, with: {command: [a, b]}}\n",
                GOOD + "testbed: {kind: far, host: x, testers: 2}\n",
                "target: {each: [quote://a/]}\nload: {open: {rate: 100/s, for: 1m}}\n",
                "target: quote://h/\nload: {open: {rate: 100, for: 1m}}\n",
                "target: quote://h/\nload: {levels: {rate: [10, 12.5, 60/min], hold: 1s}}\n",
                "target: quote://h/\nload: {search: {rate: 1..9, while: [failed < 1%]}}\n",
                "target: quote://h/\nload: {clients: 4, calls: 10, on-failure: abort}\n",
                "target: quote://h/\nload: {clients: 4, volume: 10GiB}\n",
                "target: quote://h/\nload: {stages: [{for: 2m, rate: 5/s}, {for: 1m}], timeout: 1s}\n",
                "target: quote://h/\nload: {levels: {clients: [1, 2], hold: 1s, settle: auto}}\n",
                "target: quote://h/\nload: {search: {rate: 1/s..9/s, while: [response.p99 < 1s], precision: 5%}}\n",
                "target: '${env:TARGET}'\nload: {clients: '${env:COUNT}', run-for: 1s, think: {exponential: 1s}}\n"
            })
    void theSchemaTakesWhatTheReaderTakes(String yaml) throws ExperimentException {
        assertThat(Fakes.read(yaml).experiment()).isNotNull();
        assertThat(problems(schema(ExperimentSchema.text(Fakes.PLUGINS)), yaml)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "load: {clients: 4, run-for: 10s}\n",
                GOOD + "tresholds: []\n",
                GOOD + "client: {plugin: quot}\n",
                GOOD + "client: {plugin: quote, with: {simbol: x}}\n",
                GOOD + "client: {plugin: bare, with: {}}\n",
                GOOD + "client: {plug: quote}\n",
                GOOD + "testbed: {testers: none}\n",
                GOOD + "testbed: {kind: local, host: x}\n",
                GOOD + "testbed: {host: x}\n",
                GOOD + "measure: {window: best}\n",
                GOOD + "report: {rate: per-hour}\n",
                GOOD + "thresholds: [{every: 5s}]\n",
                "target: quote://h/\nload: {clients: 0, run-for: 10s}\n",
                "target: quote://h/\nload: {clients: 1, run-for: 10}\n",
                "target: quote://h/\nload: {clients: 1, run-for: 1s, open: {rate: 1/s, for: 1s}}\n",
                "target: quote://h/\nload: {clients: 1}\n",
                "target: quote://h/\nload: {stages: []}\n",
                "target: quote://h/\nload: {levels: {hold: 1s}}\n",
                "target: quote://h/\nload: {search: {rate: 9/s, while: [failed < 1%]}}\n",
                "target: quote://h/\nload: {open: {rate: 0, for: 1s}}\n",
                "target: quote://h/\nload: {open: {rate: fast, for: 1s}}\n"
            })
    void theSchemaRejectsWhatTheReaderRejects(String yaml) {
        assertThat(problems(schema(ExperimentSchema.text(Fakes.PLUGINS)), yaml)).isNotEmpty();
    }

    // Parameters are of all packs.
    @Tag("bundle")
    @Test
    void everyKeyIsDescribedWithWordsThatEditorsAndSchemaStoreTake() {
        try (Plugins plugins = Plugins.bundled()) {
            JsonNode schema = JsonMapper.shared().readTree(ExperimentFile.schema(plugins));
            assertThat(schema.path("$schema").asString()).isEqualTo("http://json-schema.org/draft-07/schema#");
            assertThat(schema.path("$id").asString()).isNotBlank();
            List<String> wrong = new ArrayList<>();
            check("", schema, schema, wrong);
            assertThat(wrong).isEmpty();
            assertThat(schema.toString().length())
                    .as("it lies next to the file")
                    .isLessThan(200_000);
        }
    }

    /** A keyword of a later draft would be ignored in silence. */
    private static void check(String path, JsonNode schema, JsonNode root, List<String> wrong) {
        for (Map.Entry<String, JsonNode> each : schema.properties()) {
            String word = each.getKey();
            JsonNode value = each.getValue();
            if (!DRAFT_07.contains(word)) {
                wrong.add(path + ": no keyword " + word);
            } else if (word.equals("pattern")
                    && OF_JAVA.matcher(value.asString()).find()) {
                wrong.add(path + ": " + value.asString());
            } else if (word.equals("definitions")) {
                value.properties().forEach(part -> check(part.getKey(), part.getValue(), root, wrong));
            } else if (word.equals("properties")) {
                for (Map.Entry<String, JsonNode> key : value.properties()) {
                    String below = path + "." + key.getKey();
                    boolean isTest = path.endsWith(" if");
                    String elsewhere = key.getValue().path("$ref").asString("#").substring(1);
                    JsonNode described = elsewhere.isEmpty() ? key.getValue() : root.at(elsewhere);
                    if (!isTest && described.path("description").asString("").isBlank()) {
                        wrong.add(below + ": no description");
                    }
                    check(below, key.getValue(), root, wrong);
                }
            } else if (Set.of("anyOf", "allOf", "oneOf").contains(word)) {
                value.forEach(part -> check(path, part, root, wrong));
            } else if (Set.of("items", "additionalProperties", "propertyNames", "if", "then")
                            .contains(word)
                    && value.isObject()) {
                check(path + " " + word, value, root, wrong);
            }
        }
    }
}
