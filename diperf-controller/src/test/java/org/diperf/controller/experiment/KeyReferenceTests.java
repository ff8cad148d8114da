package org.diperf.controller.experiment;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.diperf.controller.documentation.GeneratedPage;
import org.diperf.core.plugin.Plugins;
import org.diperf.core.spi.Names;
import org.diperf.core.spi.Parameter;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Writes the tables of {@code docs/experiment-file.md} from the declarations of the keys, and holds the page to them. */
@Timeout(60)
class KeyReferenceTests {

    /** The client whose parameters the page has; those of others are on their own pages. */
    private static final String CLIENT = "http";

    private static final String WITH = "with";
    private static final String REQUIRED = "(required)";

    /** Testbeds that tests have. */
    private static final Set<String> OF_TESTS = Set.of("pretend", "courier", "in-process");

    /** Where sections are explained. */
    private static final Map<String, String> GUIDES = Map.ofEntries(
            Map.entry("client", "[requests](requests.md), [journeys](journeys.md), [programs](programs.md)"),
            Map.entry("data", "[data files](requests.md#data-files-data)"),
            Map.entry("service", "[service](service.md)"),
            Map.entry(
                    "testbed",
                    "[ssh](ssh-testbed.md), [Slurm](slurm-testbed.md), [GRAM](gram-testbed.md), "
                            + "[emulated networks](emulated.md), [a fleet](fleet.md)"),
            Map.entry("load", "[load models](load.md)"),
            Map.entry("groups", "[load models](load.md)"),
            Map.entry("thresholds", "[thresholds](thresholds.md)"),
            Map.entry("report", "[names of series](gallery.md#names-of-series)"),
            Map.entry("controller", "[many testers](scale.md)"),
            Map.entry("capture", "[single calls](live.md#single-calls)"),
            Map.entry("trace", "[traces](traces.md)"),
            Map.entry("monitors", "[monitors](monitors.md)"),
            Map.entry("outputs", "[outputs](outputs.md)"),
            Map.entry("sweep", "[sweeps](sweeps.md)"),
            Map.entry("variants", "[sweeps](sweeps.md)"),
            Map.entry("trials", "[sweeps](sweeps.md)"));

    /**
     * What a row says of a key.
     *
     * @param kinds of plugins that have it; empty: all
     */
    private record Row(String path, String value, String fallback, String what, Set<String> kinds) {

        String parent() {
            return path.replaceFirst("(?:\\.NAME)?\\.[^.]+$", "");
        }

        String name() {
            return path.substring(path.lastIndexOf('.') + 1);
        }

        boolean isBelow(String other) {
            return path.startsWith(other + ".");
        }

        Row at(String other, String more) {
            return new Row(other, value, fallback, what + more, kinds);
        }
    }

    /** The rows of one section. */
    private static final class Section {

        private final Map<Row, Set<String>> kinds = new LinkedHashMap<>();
        private final Map<String, String> choices = new LinkedHashMap<>();
        private String choice = "";
        private String choicePath = "";

        void add(String path, Key<?> key, String kind) {
            Object written = key.writtenDefault();
            String[] parts = key.help().split("; default: ", 2);
            String fallback = parts.length > 1
                    ? parts[1]
                    : written == null
                                    || written instanceof Map<?, ?>
                                    || written.toString().equals("[]")
                            ? ""
                            : "`" + plain(written) + "`";
            String same = sameKeys(path, key);
            Row row = new Row(
                    path,
                    key.name().equals(WITH) ? "parameters" : value(key.shape()),
                    key.isRequired() ? REQUIRED : fallback,
                    parts[0] + same,
                    Set.of());
            kinds.computeIfAbsent(row, of -> new LinkedHashSet<>()).add(kind);
            if (same.isEmpty()) {
                below(path, key.shape(), kind);
            }
        }

        /** Says which keys a mapping has whose keys the page has elsewhere; empty: it has none of these. */
        private static String sameKeys(String path, Key<?> key) {
            if (path.equals("groups.NAME.load")) {
                return "; has the keys of `load` but `levels` and `search`";
            }
            return key.name().equals(WITH) && !path.equals("client.with") ? "; has the keys of `client.with`" : "";
        }

        private void all(String path, Fields fields, String kind) {
            fields.keys().stream()
                    .filter(key -> !(path + "." + key.name()).equals(choicePath))
                    .forEach(key -> add(path + "." + key.name(), key, kind));
        }

        private void below(String path, Shape<?> shape, String kind) {
            if (shape instanceof Fields fields) {
                all(path, fields, kind);
            } else if (shape instanceof Form<?, ?> form) {
                all(path, form.fields(), kind);
            } else if (shape instanceof Shapes.ExactlyOne one) {
                all(path, one.fields(), kind);
            } else if (shape instanceof Shapes.ListOf<?> list) {
                below(path, list.item(), kind);
            } else if (shape instanceof Shapes.Named<?> named) {
                below(path + ".NAME", named.each(), kind);
            } else if (shape instanceof Shapes.WordOrMapping<?> either) {
                below(path, either.mapping(), kind);
            } else if (shape instanceof JourneyKeys.StepShape step) {
                all(path, step.fields(null), kind);
            } else if (shape instanceof Shapes.Variant<?, ?> variant) {
                List<Form<?, ?>> forms = new ArrayList<>(List.of(variant.otherwise()));
                forms.addAll(variant.marked().values());
                // None is required, because one form is chosen.
                forms.forEach(form ->
                        form.fields().keys().forEach(key -> add(path + "." + key.name(), key.notRequired(), kind)));
            } else if (shape instanceof Shapes.ByWord word) {
                choose(path, word);
            } else if (shape instanceof Shapes.PluginParameter of) {
                String within = of.parameter().type() == Parameter.Type.NAMED ? ".NAME" : "";
                of.parameter()
                        .keys()
                        .forEach(each -> add(
                                path + within + "." + each.name(), Shapes.PluginParameter.key(each, Names.NONE), kind));
            } else {
                // What is no mapping may hold one all the same, and then says so.
                keys(shape.schema()).forEach(key -> assertThat(shape.expected()).contains(key));
            }
        }

        private static Set<String> keys(Object schema) {
            Set<String> keys = new LinkedHashSet<>();
            if (schema instanceof Map<?, ?> map) {
                if (map.get("properties") instanceof Map<?, ?> properties) {
                    properties.keySet().forEach(key -> keys.add(String.valueOf(key)));
                }
                map.values().forEach(below -> keys.addAll(keys(below)));
            } else if (schema instanceof List<?> list) {
                list.forEach(below -> keys.addAll(keys(below)));
            }
            return keys;
        }

        private void choose(String path, Shapes.ByWord word) {
            choice = word.key();
            choicePath = path + "." + choice;
            Set<String> words = new LinkedHashSet<>(word.variants().keySet());
            words.removeAll(OF_TESTS);
            String fallback = word.fallback() == null ? "" : "`" + word.fallback() + "`";
            String[] parts = word.help().split("; default: ", 2);
            kinds.put(
                    new Row(
                            choicePath,
                            String.join(", ", words),
                            parts.length > 1 ? parts[1] : fallback,
                            parts[0],
                            Set.of()),
                    new LinkedHashSet<>(Set.of("")));
            word.variants().forEach((each, fields) -> {
                if (words.contains(CLIENT) ? each.equals(CLIENT) : words.contains(each)) {
                    String help = fields.keys().stream()
                            .filter(key -> key.name().equals(word.key()))
                            .map(Key::help)
                            .findFirst()
                            .orElse("");
                    choices.put(each, help);
                    all(path, fields, each);
                }
            });
        }

        /** Returns the rows; a key that is the same as one of the same name before it is only named, in the row above it. */
        private List<Row> rows() {
            List<Row> all = new ArrayList<>();
            kinds.forEach((row, of) -> all.add(new Row(
                    row.path(),
                    row.value(),
                    row.fallback(),
                    row.what(),
                    of.contains("") || of.containsAll(choices.keySet()) ? Set.of() : of)));
            List<Row> kept = new ArrayList<>();
            Map<String, Map<String, List<String>>> named = new LinkedHashMap<>();
            Set<String> left = new LinkedHashSet<>();
            for (Row row : all) {
                if (left.stream().anyMatch(row::isBelow)) {
                    continue;
                }
                Row same = kept.stream()
                        .filter(other -> !other.path().equals(row.path())
                                && other.name().equals(row.name())
                                && tree(other, all).equals(tree(row, all)))
                        .findFirst()
                        .orElse(null);
                if (same == null) {
                    kept.add(row);
                } else {
                    left.add(row.path());
                    named.computeIfAbsent(row.parent(), of -> new LinkedHashMap<>())
                            .computeIfAbsent(same.parent(), of -> new ArrayList<>())
                            .add("`" + row.name() + "`");
                }
            }
            return kept.stream()
                    .map(row -> row.at(
                            row.path(),
                            named.getOrDefault(row.path(), Map.of()).entrySet().stream()
                                    .map(each -> "; has " + String.join(", ", each.getValue()) + " too, as `"
                                            + each.getKey() + "`")
                                    .collect(Collectors.joining())))
                    .toList();
        }

        /** Returns a row and all below it, as they would be anywhere else. */
        private static Set<Row> tree(Row root, List<Row> all) {
            return all.stream()
                    .filter(row -> row.equals(root)
                            || row.isBelow(root.path()) && row.kinds().equals(root.kinds()))
                    .map(row -> row.at(row.path().substring(root.path().length()), ""))
                    .collect(Collectors.toSet());
        }

        String text() {
            List<Row> rows = rows();
            Map<Set<String>, List<Row>> tables = new LinkedHashMap<>();
            rows.stream()
                    .skip(rows.size() > 1 ? 1 : 0)
                    .forEach(row -> tables.computeIfAbsent(row.kinds(), of -> new ArrayList<>())
                            .add(row));
            StringBuilder text = new StringBuilder();
            if (rows.size() > 1) {
                Row root = rows.get(0);
                text.append(sentence(root.what()));
                if (!root.fallback().isEmpty() && !root.fallback().equals(REQUIRED)) {
                    text.append(" Default: ").append(root.fallback()).append('.');
                }
                if (root.value().contains("such as ")) {
                    text.append(" Value: ")
                            .append(GeneratedPage.cell(root.value()))
                            .append('.');
                }
                text.append("\n\n");
            }
            tables.forEach((of, list) -> text.append(heading(of)).append(table(list)));
            return text.toString();
        }

        private static String sentence(String help) {
            String cell = GeneratedPage.cell(help) + ".";
            return help.matches("\\w+: .*") ? cell : cell.substring(0, 1).toUpperCase(Locale.ROOT) + cell.substring(1);
        }

        private String heading(Set<String> of) {
            String kind = of.size() == 1 ? of.iterator().next() : "";
            return of.isEmpty()
                    ? ""
                    : of.stream()
                                    .map(each -> "`" + each + "`")
                                    .collect(Collectors.joining(", ", "For `" + choice + "` ", ""))
                            + (kind.isEmpty() ? "" : " (" + choices.get(kind) + ")") + ":\n\n";
        }

        static String table(List<Row> rows) {
            return rows.stream()
                    .map(row -> "| `" + row.path() + "` | " + GeneratedPage.cell(row.value()) + " | "
                            + GeneratedPage.cell(row.fallback()) + " | " + GeneratedPage.cell(row.what()) + " |\n")
                    .collect(Collectors.joining("", "| key | value | default | what |\n|---|---|---|---|\n", "\n"));
        }
    }

    private static String plain(Object written) {
        return written instanceof List<?> list
                ? list.stream().map(String::valueOf).collect(Collectors.joining(", ", "[", "]"))
                : written.toString();
    }

    private static String value(Shape<?> shape) {
        @Nullable
        String example = shape instanceof Shapes.PluginParameter of
                        && of.parameter().keys().isEmpty()
                ? of.parameter().example()
                : null;
        String expected = shape.expected()
                .replaceFirst("^(?:a|an|the) ", "")
                .replaceFirst("^one of \\[([^]]*)]", "$1")
                .replaceFirst("^whole number of [a-z ]*from ", "whole number from ")
                .replaceFirst("^whole number from (\\d+) to \\d{10,}$", "whole number, at least $1")
                .replaceFirst(" that is fixed for the run$", "")
                .replaceFirst("^duration such as 250ms, 10s, 5m or 2h", "duration")
                .replaceFirst(", at most a year", "")
                .replaceFirst("^list of text values$", "list of texts")
                .replaceFirst("^mapping of names to text values$", "names: texts");
        return expected + (example == null || expected.contains("such as") ? "" : ", such as " + example);
    }

    private static Map<String, Section> sections(Plugins plugins) {
        Map<String, Section> sections = new LinkedHashMap<>();
        for (Key<?> key : ExperimentShape.of(KnownPlugins.of(plugins)).keys()) {
            Section section = new Section();
            section.add(key.name(), key, "");
            sections.put(key.name(), section);
        }
        return sections;
    }

    // The page has keys of all packs.
    @Tag("bundle")
    @Test
    void thePageOfKeysIsWhatTheProgramDeclares() throws IOException {
        StringBuilder page = new StringBuilder();
        List<Row> single = new ArrayList<>();
        try (Plugins plugins = Plugins.bundled()) {
            sections(plugins).forEach((name, section) -> {
                if (section.kinds.size() == 1) {
                    single.addAll(section.rows());
                    return;
                }
                page.append("## `").append(name).append("`\n\n").append(section.text());
                if (GUIDES.containsKey(name)) {
                    page.append("How to use it: ").append(GUIDES.get(name)).append(".\n\n");
                }
            });
        }
        page.append("## Single keys\n\n").append(Section.table(single));
        GeneratedPage.check("experiment-file.md", page.toString().strip() + "\n");
    }

    @Test
    void everyKeyIsDescribed() throws IOException {
        try (Plugins plugins = Plugins.bundled()) {
            List<Row> rows = sections(plugins).values().stream()
                    .flatMap(section -> section.kinds.keySet().stream())
                    .toList();
            assertThat(rows).hasSizeGreaterThan(150).allSatisfy(row -> {
                assertThat(row.what()).as(row.path()).isNotBlank();
                assertThat(row.value()).as(row.path()).isNotBlank();
            });
        }
    }
}
