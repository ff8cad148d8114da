package org.diperf.plugins.web;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.diperf.core.spi.Parameters;
import org.diperf.core.spi.StarterPlugin;
import org.diperf.core.spi.StarterPlugin.Draft;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.dataformat.yaml.YAMLMapper;

/** Makes drafts as {@code init} does. */
final class Drafts {

    private Drafts() {}

    static Draft of(StarterPlugin starter, String source, Map<String, ?> with) throws IOException {
        return of(starter, source, with, null);
    }

    static Draft of(StarterPlugin starter, String source, Map<String, ?> with, @Nullable String target)
            throws IOException {
        return starter.draft(source, new StarterPlugin.Given() {
            @Override
            public Parameters with() {
                return Parameters.read(starter.parameters(), with, 0);
            }

            @Override
            public Optional<String> target() {
                return Optional.ofNullable(target);
            }

            @Override
            public Map<String, Object> read(Path file) {
                return new YAMLMapper().readValue(file.toFile(), new TypeReference<>() {});
            }
        });
    }

    static JsonNode tree(Draft draft) {
        return JsonMapper.shared().readTree(JsonMapper.shared().writeValueAsString(draft.tree()));
    }

    static JsonNode steps(Draft draft) {
        return tree(draft).at("/client/journeys/recorded/steps");
    }

    /** Reads JSON in which apostrophes stand for quotes. */
    static JsonNode json(String text) {
        return JsonMapper.shared().readTree(text.replace('\'', '"'));
    }
}
