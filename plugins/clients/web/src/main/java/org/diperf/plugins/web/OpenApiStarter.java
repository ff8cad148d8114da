package org.diperf.plugins.web;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.diperf.core.spi.StarterPlugin;
import tools.jackson.core.JacksonException;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.json.JsonMapper;

/** Makes an experiment of the description of a service (OpenAPI 3). */
public final class OpenApiStarter implements StarterPlugin {

    @Override
    public String id() {
        return "openapi";
    }

    @Override
    public String summary() {
        return "Create a journey from a service description (OpenAPI 3): its operations, with example inputs";
    }

    @Override
    public String client() {
        return "http";
    }

    @Override
    public boolean takesTarget() {
        return true;
    }

    @Override
    public String example() {
        return "init orders --openapi openapi.yaml            orders.yml, one step for each operation";
    }

    @Override
    public Draft draft(String source, Given given) throws IOException {
        Path file = Path.of(source);
        return JourneyDraft.of(
                OpenApiFile.read(
                        new ReferencedFiles(file, each -> content(each, given)),
                        given.target().orElse(null)),
                "Created from the description " + file.getFileName());
    }

    /** Reads JSON by itself: descriptions of megabytes are, which is more than a reader of experiments takes. */
    private static Map<String, Object> content(Path file, Given given) throws IOException {
        String text = Files.readString(file);
        if (!text.stripLeading().startsWith("{")) {
            return given.read(file);
        }
        try {
            return JsonMapper.shared().readValue(text, new TypeReference<>() {});
        } catch (JacksonException notJson) {
            // Such as YAML in flow style.
            return given.read(file);
        }
    }
}
