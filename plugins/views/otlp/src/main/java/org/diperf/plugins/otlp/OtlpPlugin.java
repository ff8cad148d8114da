package org.diperf.plugins.otlp;

import java.net.URI;
import java.time.Instant;
import org.diperf.core.spi.OutputPlugin;
import org.diperf.core.spi.SeriesOutput;

/** Sends series by OTLP over HTTP, to a collector or to whoever else takes it. */
public final class OtlpPlugin implements OutputPlugin {

    private static final String PATH = "/v1/metrics";

    @Override
    public String id() {
        return "otlp";
    }

    @Override
    public String summary() {
        return "sends series using the OpenTelemetry protocol (protobuf over HTTP)";
    }

    @Override
    public SeriesOutput open(String address, Instant startedAt) {
        return new OtlpOutput(endpoint(address), startedAt);
    }

    /** Returns where metrics go: the address itself if it has a path, else the one that the protocol names. */
    static URI endpoint(String address) {
        URI given;
        try {
            given = URI.create(address);
        } catch (IllegalArgumentException e) {
            throw unwanted(address);
        }
        boolean isHttp = "http".equalsIgnoreCase(given.getScheme()) || "https".equalsIgnoreCase(given.getScheme());
        if (!isHttp || given.getHost() == null) {
            throw unwanted(address);
        }
        String path = given.getRawPath();
        return path == null || path.isEmpty() || path.equals("/") ? given.resolve(PATH) : given;
    }

    private static IllegalArgumentException unwanted(String address) {
        return new IllegalArgumentException(
                "expected the address of a collector such as http://127.0.0.1:4318, got '" + address + "'");
    }
}
