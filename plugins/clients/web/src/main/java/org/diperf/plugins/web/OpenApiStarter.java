package org.diperf.plugins.web;

import java.io.IOException;
import java.nio.file.Path;
import org.diperf.core.spi.StarterPlugin;

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
                OpenApiFile.read(given.read(file), given.target().orElse(null)),
                0,
                "Created from the description " + file.getFileName());
    }
}
