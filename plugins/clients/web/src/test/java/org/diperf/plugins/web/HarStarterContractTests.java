package org.diperf.plugins.web;

import java.io.IOException;
import java.nio.file.Files;
import org.diperf.core.contract.StarterPluginContract;
import org.diperf.core.spi.StarterPlugin;

class HarStarterContractTests extends StarterPluginContract {

    @Override
    protected StarterPlugin plugin() {
        return new HarStarter();
    }

    private String recording(String entries) throws IOException {
        return Files.writeString(folder.resolve("shop.har"), "{\"log\": {\"entries\": [" + entries + "]}}")
                .toString();
    }

    @Override
    protected String usable() throws IOException {
        return recording("""
                {"startedDateTime": "2026-01-01T10:00:00.000Z", "time": 40.2,
                 "request": {"method": "GET", "url": "http://shop.example/", "headers": []},
                 "response": {"status": 200, "headers": [], "content": {"mimeType": "text/html"}}}""");
    }

    @Override
    protected String unusable() throws IOException {
        return recording("");
    }
}
