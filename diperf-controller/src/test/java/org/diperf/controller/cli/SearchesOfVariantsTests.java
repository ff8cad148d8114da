package org.diperf.controller.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(120)
class SearchesOfVariantsTests {

    @TempDir
    Path folder;

    /** Every other answer is an error, so that not even the lowest rate keeps the condition. */
    @Test
    void aVariantWhoseSearchFindsNoValueHasFailed() throws Exception {
        AtomicLong asked = new AtomicLong();
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            exchange.sendResponseHeaders(asked.incrementAndGet() % 2 == 0 ? 500 : 204, -1);
            exchange.close();
        });
        server.start();
        try {
            Path file = Files.writeString(folder.resolve("searches.yml"), """
                    name: searches
                    target: http://127.0.0.1:%d/
                    testbed: { kind: in-process }
                    load: { search: { rate: 200/s..400/s, hold: 1s, while: [ failed < 1%% ] } }
                    variants: { one: {} }
                    """.formatted(
                            server.getAddress().getPort()));
            Outcome outcome = Outcome.of(
                    "run", file.toString(), "--out", folder.resolve("out").toString(), "--no-report");

            String said = outcome.out() + outcome.err();
            assertThat(outcome.code()).as(said).isEqualTo(3);
            assertThat(said).contains("its search found no value: see its report");
        } finally {
            server.stop(0);
        }
    }
}
