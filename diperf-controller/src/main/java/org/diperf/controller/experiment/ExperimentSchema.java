package org.diperf.controller.experiment;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/**
 * Writes the JSON Schema of the experiment file, in the draft that editors and SchemaStore take. What clients have alike stands in it
 * once.
 */
final class ExperimentSchema {

    /** Smaller ones are no longer than what refers to them. */
    private static final int MIN_SHARED = 300;

    private final Map<Map<?, ?>, Integer> times = new HashMap<>();
    private final Map<Map<?, ?>, String> names = new HashMap<>();
    private final Map<String, Object> definitions = new LinkedHashMap<>();

    private ExperimentSchema() {}

    static String text(KnownPlugins plugins) {
        Map<String, Object> schema = new LinkedHashMap<>();
        schema.put("$schema", "http://json-schema.org/draft-07/schema#");
        schema.put("$id", "urn:diperf:experiment");
        schema.put("title", "DiPerF experiment");
        schema.put("description", "Durations: 250ms 10s 5m 2h. Sizes: 8KiB 4MB. Rates: 100/s 60/min.");
        schema.putAll(new ExperimentSchema().shared(ExperimentShape.of(plugins).schema()));
        return JsonMapper.builder()
                        .enable(SerializationFeature.INDENT_OUTPUT)
                        .build()
                        .writeValueAsString(schema)
                + "\n";
    }

    private Map<String, Object> shared(Map<String, Object> whole) {
        count(whole);
        Map<String, Object> schema = within(whole, this::reference);
        schema.put("definitions", definitions);
        return schema;
    }

    private Map<?, ?> count(Map<?, ?> schema) {
        if (times.merge(schema, 1, Integer::sum) == 1) {
            within(schema, this::count);
        }
        return schema;
    }

    private Map<?, ?> reference(Map<?, ?> schema) {
        if (times.getOrDefault(schema, 0) < 2 || schema.toString().length() < MIN_SHARED) {
            return within(schema, this::reference);
        }
        String name = names.get(schema);
        if (name == null) {
            name = "part-" + (names.size() + 1);
            names.put(schema, name);
            definitions.put(name, within(schema, this::reference));
        }
        return Map.of("$ref", "#/definitions/" + name);
    }

    /** Makes a copy in which the schemas that stand within are changed. */
    private static Map<String, Object> within(Map<?, ?> schema, UnaryOperator<Map<?, ?>> change) {
        Map<String, Object> changed = new LinkedHashMap<>();
        schema.forEach((word, value) -> changed.put(
                String.valueOf(word),
                switch (String.valueOf(word)) {
                    case "items", "additionalProperties", "propertyNames", "if", "then" -> one(value, change);
                    case "anyOf", "allOf", "oneOf" ->
                        ((List<?>) value)
                                .stream().map(each -> one(each, change)).toList();
                    case "properties" -> {
                        Map<Object, Object> properties = new LinkedHashMap<>();
                        ((Map<?, ?>) value).forEach((name, each) -> properties.put(name, one(each, change)));
                        yield properties;
                    }
                    default -> value;
                }));
        return changed;
    }

    private static Object one(Object schema, UnaryOperator<Map<?, ?>> change) {
        return schema instanceof Map<?, ?> map ? change.apply(map) : schema;
    }
}
