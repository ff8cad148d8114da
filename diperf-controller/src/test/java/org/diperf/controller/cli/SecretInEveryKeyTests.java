package org.diperf.controller.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.diperf.controller.experiment.ExperimentException;
import org.diperf.controller.experiment.ExperimentFile;
import org.diperf.controller.progress.RunFailedException;
import org.diperf.controller.run.SingleCall;
import org.diperf.core.experiment.Experiment;
import org.diperf.core.plugin.Plugins;
import org.diperf.core.spi.ClientPlugin;
import org.diperf.core.spi.Parameter;
import org.diperf.core.spi.Url;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.json.JsonMapper;

/** A secret is put into every key that the schema has; nothing that a file becomes shows it. */
@Timeout(120)
class SecretInEveryKeyTests {

    private static final String SECRET = "Zq9!s3cret/7f+Xy=w";
    private static final int PIECE = 8;
    private static final JsonMapper JSON = JsonMapper.builder().build();

    @TempDir
    Path folder;

    private String reference = "";

    /** A place in the file, and what the file has to say elsewhere so that it has that place. */
    private record Place(List<String> path, Map<String, String> choices) {
        Place child(String name) {
            List<String> longer = new ArrayList<>(path);
            longer.add(name);
            return new Place(List.copyOf(longer), choices);
        }

        Place chosen(String key, String word) {
            Map<String, String> more = new LinkedHashMap<>(choices);
            more.put(String.join(".", path) + "." + key, word);
            return new Place(path, more);
        }

        @Override
        public String toString() {
            return String.join(".", path);
        }
    }

    @BeforeEach
    void writeSecret() throws IOException {
        reference = "${secret:file:" + Files.writeString(folder.resolve("key"), SECRET) + "}";
    }

    @Test
    void noKeyShowsIt() throws Exception {
        try (Plugins plugins = Plugins.bundled()) {
            List<Place> places = new ArrayList<>();
            walk(JSON.convertValue(DocumentationTests.schema(), Map.class), new Place(List.of(), Map.of()), places);
            assertThat(places).hasSizeGreaterThan(300);
            int read = 0;
            int called = 0;
            for (Place place : places) {
                boolean isOfCalls = place.toString().startsWith("client.with.");
                for (String text : isOfCalls ? List.of(reference, "/nowhere/" + reference) : List.of(reference)) {
                    Experiment experiment = read(file(place, text, plugins), place, plugins);
                    boolean used = experiment != null
                            && !experiment.script().secrets().values().isEmpty();
                    read += used ? 1 : 0;
                    if (used && isOfCalls) {
                        call(experiment, place, plugins);
                        called++;
                        break;
                    }
                }
            }
            assertThat(read).isGreaterThan(50);
            assertThat(called).isGreaterThan(15);
        }
    }

    @Test
    void aWholeRunShowsItNowhere() throws Exception {
        Path file = Files.writeString(
                folder.resolve("e.yml"),
                "target: exec://here\ntestbed: { kind: in-process }\nload: { clients: 1, calls: 2 }\n"
                        + "client:\n  plugin: exec\n  with:\n    command: [sh, -c, 'cat >&2; echo \"$TOK\"; exit 3']\n"
                        + "    env: { TOK: '" + reference + "' }\n    stdin: '" + reference + "'\n"
                        + "    startup-command: ['/nonexist/" + reference + "']\n");
        Path run = folder.resolve("run");
        Outcome outcome = Outcome.of("run", file.toString(), "--out", run.toString(), "--yes");
        assertThat(outcome.code()).as(outcome.err()).isEqualTo(3);
        clean(outcome.out() + outcome.err(), "the output of a run");
        try (Stream<Path> files = Files.walk(run)) {
            for (Path each : files.filter(Files::isRegularFile).toList()) {
                clean(Files.readString(each, StandardCharsets.ISO_8859_1), each.toString());
            }
        }
        assertThat(Files.readString(run.resolve("run.json"))).contains("cannot start /nonexist/***");
    }

    @Test
    void checkWarnsOfAnArgumentThatTheProcessListShows() throws Exception {
        String start = "target: exec://here\nload: { clients: 1, calls: 1 }\nclient:\n  plugin: exec\n  with:\n";
        Path shown =
                Files.writeString(folder.resolve("shown.yml"), start + "    command: [echo, 'a" + reference + "']\n");
        Outcome warned = Outcome.of("check", shown.toString(), "--call");
        assertThat(warned.out())
                .contains("warning", "'command' contains a secret", "process list", "env:", "standard input");
        clean(warned.out() + warned.err(), "check");
        Path hidden = Files.writeString(
                folder.resolve("hidden.yml"),
                start + "    command: [cat]\n    stdin: '" + reference + "'\n    env: { T: '" + reference + "' }\n");
        assertThat(Outcome.of("check", hidden.toString()).out()).doesNotContain("warning");
    }

    private static void walk(Map<?, ?> schema, Place at, List<Place> places) {
        if (schema.get("properties") instanceof Map<?, ?> properties) {
            properties.forEach((name, of) -> {
                Place place = at.child((String) name);
                places.add(place);
                walk((Map<?, ?>) of, place, places);
            });
        }
        if (schema.get("items") instanceof Map<?, ?> items) {
            places.add(at.child("0"));
            walk(items, at.child("0"), places);
        }
        if (schema.get("additionalProperties") instanceof Map<?, ?> any) {
            places.add(at.child("some"));
            walk(any, at.child("some"), places);
        }
        for (String forms : List.of("oneOf", "anyOf", "allOf")) {
            if (schema.get(forms) instanceof List<?> list) {
                list.forEach(form -> walk((Map<?, ?>) form, at, places));
            }
        }
        if (schema.get("then") instanceof Map<?, ?> then && schema.get("if") instanceof Map<?, ?> condition) {
            Map<?, ?> tested = (Map<?, ?>) condition.get("properties");
            String key = (String) tested.keySet().iterator().next();
            walk(then, at.chosen(key, (String) ((Map<?, ?>) tested.get(key)).get("const")), places);
        }
    }

    /** Makes a small file with a text at a place. */
    private static String file(Place place, String text, Plugins plugins) {
        Map<String, Object> file = new LinkedHashMap<>();
        file.put("name", "e");
        file.put("load", new LinkedHashMap<>(Map.of("clients", 1, "run-for", "1s", "timeout", "200ms")));
        file.put("testbed", new LinkedHashMap<>(Map.of("kind", "in-process")));
        file.put("target", "http://127.0.0.1:1/");
        place.choices().forEach((path, word) -> put(file, List.of(path.split("\\.")), word));
        if (file.get("client") instanceof Map<?, ?> client && client.get("plugin") instanceof String id) {
            ClientPlugin plugin = plugins.clients().plugin(id).orElseThrow();
            String scheme = plugin.schemes().stream().findFirst().orElse("any");
            file.put("target", scheme + "://127.0.0.1:1/x");
            plugin.parameters().stream()
                    .filter(Parameter::required)
                    .forEach(needed -> put(file, List.of("client", "with", needed.name()), "true"));
        }
        for (String list : List.of("requests", "before")) {
            if (place.toString().startsWith("client." + list + ".0.")) {
                put(file, List.of("client", list, "0", "name"), "one");
            }
        }
        put(file, place.path(), text);
        return JSON.writeValueAsString(file);
    }

    @SuppressWarnings("unchecked")
    private static void put(Map<String, Object> root, List<String> path, Object value) {
        Object at = root;
        for (int i = 0; i < path.size(); i++) {
            boolean last = i == path.size() - 1;
            Object next = last ? value : path.get(i + 1).equals("0") ? new ArrayList<>() : new LinkedHashMap<>();
            if (at instanceof List<?> list) {
                if (last || list.isEmpty()) {
                    ((List<Object>) list).clear();
                    ((List<Object>) list).add(next);
                }
                at = list.get(0);
            } else {
                Map<String, Object> map = (Map<String, Object>) at;
                Object there = map.get(path.get(i));
                if (last || !(there instanceof Map || there instanceof List)) {
                    map.put(path.get(i), next);
                }
                at = map.get(path.get(i));
            }
        }
    }

    /** Reads a file; what it becomes, and what is said of one that cannot be used, shows nothing. */
    private static @org.jspecify.annotations.Nullable Experiment read(String json, Place place, Plugins plugins) {
        try {
            ExperimentFile.Content content = ExperimentFile.open(json, "e.yml", List.of(), plugins);
            clean(content.first().yaml(), "experiment.yml with " + place);
            clean(content.first().experiment().toString(), "the experiment with " + place);
            return content.first().experiment();
        } catch (ExperimentException e) {
            clean(e.getMessage(), "the problems with " + place);
            return null;
        }
    }

    /** Makes a call; what its engine records and says shows nothing. */
    private static void call(Experiment experiment, Place place, Plugins plugins) throws Exception {
        ClientPlugin plugin =
                plugins.clients().plugin(experiment.client().plugin()).orElseThrow();
        Url target = experiment.targets().each().get(0);
        try {
            SingleCall call = SingleCall.make(
                    plugin,
                    Map.of(),
                    experiment.client().with(),
                    target,
                    experiment.script(),
                    Duration.ofMillis(200),
                    1);
            clean(call.toString(), "a call with " + place);
        } catch (RunFailedException e) {
            clean(e.getMessage(), "the failure of a call with " + place);
        }
    }

    private static void clean(String text, String where) {
        for (int at = 0; at + PIECE <= SECRET.length(); at++) {
            assertThat(text).as(where).doesNotContain(SECRET.substring(at, at + PIECE));
        }
        String base64 = Base64.getEncoder().encodeToString(SECRET.getBytes(StandardCharsets.UTF_8));
        assertThat(text)
                .as(where)
                .doesNotContain(URLEncoder.encode(SECRET, StandardCharsets.UTF_8))
                .doesNotContain(base64.substring(0, PIECE));
    }
}
