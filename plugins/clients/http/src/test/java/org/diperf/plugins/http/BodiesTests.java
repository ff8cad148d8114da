package org.diperf.plugins.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.zip.GZIPOutputStream;
import org.diperf.core.contract.CallProbe;
import org.diperf.core.contract.NettyLoop;
import org.diperf.core.contract.PluginHarness;
import org.diperf.core.spi.Url;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Uploads and packed answers, as a server sees them. */
@Timeout(60)
class BodiesTests {

    private static final String OK = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";

    @TempDir
    Path folder;

    private CallProbe one(Url target, Map<String, ?> with) throws Exception {
        try (PluginHarness harness = new PluginHarness(
                        new HttpPlugin(), List.of(target), with, Duration.ofSeconds(5), folder, new NettyLoop());
                PluginHarness.Owned client = harness.client(0)) {
            return client.call();
        }
    }

    @Test
    void partsAndFilesAreUploaded() throws Exception {
        Path file = Files.writeString(folder.resolve("scan.png"), "\u0001PNG");
        try (ScriptedServer server = ScriptedServer.always(OK)) {
            Map<String, Object> with = Map.of(
                    "method",
                    "POST",
                    "multipart",
                    Map.of("number", "n${call}", "at", "@@home", "scan", "@" + file + ";type=image/x"));
            CallProbe call = one(server.uri("/"), with);
            assertThat(call.failure()).isNull();
            String request = server.requests().get(0);
            String boundary = request.replaceFirst("(?s).*boundary=(\\S+).*", "$1");
            assertThat(request)
                    .contains("Content-Type: multipart/form-data; boundary=" + boundary + "\r\n")
                    .contains("--" + boundary + "\r\nContent-Disposition: form-data; name=\"number\"\r\n\r\nn0\r\n")
                    .contains("form-data; name=\"at\"\r\n\r\n@home\r\n")
                    .contains(
                            "form-data; name=\"scan\"; filename=\"scan.png\"\r\nContent-Type: image/x\r\n\r\n\u0001PNG\r\n")
                    .endsWith("\r\n--" + boundary + "--\r\n");
            assertThat(one(server.uri("/"), Map.of("method", "POST", "body", "@" + file))
                            .bytes())
                    .isEqualTo(4 + 2);
            one(server.uri("/"), Map.of("method", "POST", "body", "@@x"));
            assertThat(server.requests().get(2)).endsWith("\r\n\r\n@x");
        }
    }

    @Test
    void packedAnswersAreAskedForAndCountedInBothSizes() throws Exception {
        ByteArrayOutputStream packed = new ByteArrayOutputStream();
        try (GZIPOutputStream out = new GZIPOutputStream(packed)) {
            out.write(new byte[100_000]);
        }
        String head = "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: " + packed.size() + "\r\n\r\n";
        try (ScriptedServer server = new ScriptedServer((request, asked, socket, out) -> {
            out.write(head.getBytes(StandardCharsets.UTF_8));
            out.write(packed.toByteArray());
        })) {
            CallProbe call = one(server.uri("/"), Map.of("compressed", true));
            assertThat(call.failure()).isNull();
            assertThat(call.metrics())
                    .containsEntry("wire-size", (double) packed.size())
                    .containsEntry("body-size", 100_000.0);
            assertThat(call.bytes()).isEqualTo(packed.size());
            assertThat(server.requests().get(0)).contains("Accept-Encoding: gzip, deflate\r\n");
            assertThat(one(server.uri("/"), Map.of()).metrics()).doesNotContainKey("body-size");
            assertThat(server.requests().get(1)).doesNotContain("Accept-Encoding");
        }
    }
}
