package org.diperf.controller.experiment;

import java.util.LinkedHashMap;
import java.util.Map;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/** Writes the JSON Schema of the experiment file, in the draft that editors and SchemaStore take. */
final class ExperimentSchema {

    private ExperimentSchema() {}

    static String text(KnownPlugins plugins) {
        Map<String, Object> schema = new LinkedHashMap<>();
        schema.put("$schema", "http://json-schema.org/draft-07/schema#");
        schema.put("$id", "urn:diperf:experiment");
        schema.put("title", "DiPerF experiment");
        schema.put("description", "Durations: 250ms 10s 5m 2h. Sizes: 8KiB 4MB. Rates: 100/s 60/min.");
        schema.putAll(ExperimentShape.of(plugins).schema());
        return JsonMapper.builder()
                        .enable(SerializationFeature.INDENT_OUTPUT)
                        .build()
                        .writeValueAsString(schema)
                + "\n";
    }
}
