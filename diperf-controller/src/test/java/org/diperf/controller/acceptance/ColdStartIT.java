package org.diperf.controller.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** What is cold about the load generator is left out by {@code run URL}; what is cold about the service is not. */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class ColdStartIT {

    private static final long SLOW_MILLIS = 100;
    private static final long SLOW_FOR_NANOS = 2_000_000_000L;

    @TempDir
    private Path work;

    private final AtomicLong requests = new AtomicLong();
    private final AtomicLong first = new AtomicLong();

    @Test
    @Tag("quick")
    void aServiceThatIsSlowAtFirstShowsAsSuchAndIsSentNothingBesides() throws Exception {
        ExecutorService threads = Executors.newCachedThreadPool();
        HttpServer service = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 100);
        service.setExecutor(threads);
        service.createContext("/", exchange -> {
            requests.incrementAndGet();
            first.compareAndSet(0, System.nanoTime());
            if (System.nanoTime() - first.get() < SLOW_FOR_NANOS) {
                pause();
            }
            exchange.sendResponseHeaders(204, -1);
            exchange.close();
        });
        service.start();
        Path out = work.resolve("out");
        String url = "http://127.0.0.1:" + service.getAddress().getPort() + "/";
        try (Command diperf =
                Command.diperf(work, "run", url, "--rate", "50", "--for", "6s", "--out", out.toString())) {
            assertThat(diperf.exitCode()).as(diperf.output()).isZero();
        } finally {
            service.stop(0);
            threads.shutdownNow();
        }
        JsonNode summary = new RunFolder(out).summary();
        assertThat(summary.path("calls").path("total").asLong()).isEqualTo(requests.get());
        JsonNode measured = summary.path("measured");
        assertThat(measured.path("responseTime").path("p90").asDouble())
                .as("%s", measured)
                .isGreaterThan(SLOW_MILLIS);
    }

    private static void pause() throws IOException {
        try {
            Thread.sleep(SLOW_MILLIS);
        } catch (InterruptedException e) {
            throw new IOException(e);
        }
    }
}
