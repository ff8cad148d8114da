package org.diperf.plugins.grpc;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.diperf.core.contract.ClientPluginContract;
import org.diperf.core.spi.ClientPlugin;
import org.diperf.core.spi.Url;
import org.diperf.plugins.lib.http2.ScriptedHttp2Server;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

class GrpcContractTests extends ClientPluginContract {

    @TempDir
    Path descriptors;

    @BeforeEach
    void writeDescriptors() throws Exception {
        Files.write(descriptors.resolve("set"), Described.set());
    }

    @Override
    protected ClientPlugin plugin() {
        return new GrpcPlugin();
    }

    @Override
    protected Map<String, ?> goodParameters() {
        return Map.of(
                "method",
                "shop.Shop/Get",
                "descriptors",
                descriptors.resolve("set").toString());
    }

    private static Url target(ScriptedHttp2Server server) {
        return Url.of("grpc://127.0.0.1:" + server.port());
    }

    @Override
    protected Url goodTarget() throws Exception {
        return target(untilTheEnd(new ScriptedHttp2Server(
                (request, socket, out) -> out.write(ScriptedHttp2Server.grpc(request.stream(), "0", new byte[0])))));
    }

    @Override
    protected Url failingTarget() throws Exception {
        ScriptedHttp2Server server = new ScriptedHttp2Server((request, socket, out) -> {});
        server.close();
        return target(server);
    }

    @Override
    protected Url silentTarget() throws Exception {
        return target(untilTheEnd(new ScriptedHttp2Server((request, socket, out) -> {})));
    }
}
