package org.diperf.plugins.web;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.diperf.core.contract.StarterPluginContract;
import org.diperf.core.spi.StarterPlugin;
import tools.jackson.core.type.TypeReference;
import tools.jackson.dataformat.yaml.YAMLMapper;

class OpenApiStarterContractTests extends StarterPluginContract {

    @Override
    protected StarterPlugin plugin() {
        return new OpenApiStarter();
    }

    private String description(String paths) throws IOException {
        return Files.writeString(
                        folder.resolve("api.yaml"),
                        "openapi: 3.0.0\nservers: [ { url: 'http://shop.example' } ]\npaths: { " + paths + " }\n")
                .toString();
    }

    @Override
    protected String usable() throws IOException {
        return description("/items: { get: {} }");
    }

    @Override
    protected String unusable() throws IOException {
        return description("");
    }

    @Override
    protected Map<String, Object> read(Path file) throws IOException {
        return new YAMLMapper().readValue(Files.readString(file), new TypeReference<>() {});
    }
}
