package org.diperf.controller.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Data files reach the testers of any testbed that sends files, not of those alone that come with DiPerF. */
@Timeout(120)
class SentFilesTests {

    @TempDir
    Path folder;

    @Test
    void aTestbedOfSomebodyElsesDeliversDataFiles() throws Exception {
        Set<String> paths = ConcurrentHashMap.newKeySet();
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getByName("127.0.0.1"), 0), 50);
        server.createContext("/", exchange -> {
            paths.add(exchange.getRequestURI().getPath());
            exchange.sendResponseHeaders(200, -1);
            exchange.close();
        });
        server.start();
        try {
            Files.writeString(folder.resolve("users.csv"), "name\nanna\nbert\n");
            Path file = Files.writeString(folder.resolve("sent.yml"), """
                    name: sent
                    target: http://127.0.0.1:%d/
                    client: { with: { path: "/${users.name}" } }
                    data: { users: { file: users.csv } }
                    testbed: { kind: courier, java: %s }
                    load: { clients: 2, calls: 10 }
                    measure: { window: whole }
                    """.formatted(
                            server.getAddress().getPort(), Path.of(System.getProperty("java.home"), "bin", "java")));
            Outcome outcome = Outcome.of(
                    "run", file.toString(), "--out", folder.resolve("run").toString());
            assertThat(outcome.code()).as(outcome.err() + outcome.out()).isZero();
            assertThat(paths).containsExactlyInAnyOrder("/anna", "/bert");
        } finally {
            server.stop(0);
        }
    }
}
