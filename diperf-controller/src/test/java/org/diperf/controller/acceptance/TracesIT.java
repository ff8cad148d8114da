package org.diperf.controller.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import org.diperf.core.sample.Block;
import org.diperf.core.sample.SampleColumn;
import org.diperf.core.sample.SampleReader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The ids by which a tracing system knows calls: what the service got, and what the samples tell. */
@Timeout(value = 4, unit = TimeUnit.MINUTES)
class TracesIT {

    private static final boolean LONG = Boolean.getBoolean("diperf.long");
    private static final int CALLS = LONG ? 100_000 : 10_000;
    private static final double MAX_BYTES = 0.3;
    private static final int HEADER_BYTES = 56;
    private static final int COLUMN_BYTES = 8;

    @TempDir
    Path work;

    /** Answers each request, and keeps its {@code traceparent}. */
    private static final class Service implements AutoCloseable {
        private final ServerSocket server = new ServerSocket(0, 256, InetAddress.getLoopbackAddress());
        private final Queue<String> seen = new ConcurrentLinkedQueue<>();

        Service() throws IOException {
            daemon(() -> {
                try {
                    while (true) {
                        Socket socket = server.accept();
                        daemon(() -> serve(socket));
                    }
                } catch (IOException e) {
                    // closed
                }
            });
        }

        private static void daemon(Runnable task) {
            Thread thread = new Thread(task);
            thread.setDaemon(true);
            thread.start();
        }

        private void serve(Socket socket) {
            byte[] answer = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n".getBytes(StandardCharsets.US_ASCII);
            try (socket;
                    BufferedReader lines = new BufferedReader(
                            new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII))) {
                socket.setTcpNoDelay(true);
                String trace = "none";
                for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                    if (line.startsWith("traceparent: ")) {
                        trace = line.substring("traceparent: ".length());
                    } else if (line.isEmpty()) {
                        seen.add(trace);
                        trace = "none";
                        socket.getOutputStream().write(answer);
                    }
                }
            } catch (IOException e) {
                // the client has gone
            }
        }

        @Override
        public void close() throws IOException {
            server.close();
        }
    }

    private RunFolder run(Service service, String name, String trace) throws Exception {
        Path file = Files.writeString(
                work.resolve(name + ".yml"), """
                name: %s
                target: http://127.0.0.1:%d/
                seed: 7
                client:
                  requests: [ { name: browse, weight: 2, with: { path: /a } }, { name: buy, with: { path: /b, method: POST } } ]
                  before: [ { name: login, with: { path: /login } } ]
                testbed: { kind: local, testers: 2 }
                load: { clients: 20, calls: %d, timeout: 30s }
                %s
                """.formatted(name, service.server.getLocalPort(), CALLS, trace));
        Path out = work.resolve(name);
        try (Command run = Command.start(
                work,
                Map.of(),
                Command.commandLine(
                        Command.controllerJar(), "run", file.toString(), "--out", out.toString(), "--quiet"))) {
            assertThat(run.exitCode()).as(run.output()).isZero();
        }
        return new RunFolder(out);
    }

    /** Adds up the bytes of the column of numbers, from the table of columns of each block. */
    private static long numberBytes(Path run) throws IOException {
        long[] bytes = {0};
        SampleReader.read(run.resolve("samples"), new SampleReader.Visitor() {
            @Override
            public void block(Block header, ByteBuffer data) {
                for (int i = 0; header.kind() == Block.CALLS && i < header.columns(); i++) {
                    int entry = data.position() + HEADER_BYTES + i * COLUMN_BYTES;
                    if (data.getShort(entry) == SampleColumn.CALL.id()) {
                        bytes[0] += COLUMN_BYTES + data.getInt(entry + 4);
                    }
                }
            }

            @Override
            public void damaged(Path file, long offset, String reason) {
                throw new AssertionError(reason);
            }
        });
        return bytes[0];
    }

    @Test
    void whatTheServiceGotIsWhatExportTells() throws Exception {
        try (Service service = new Service()) {
            run(service, "traced", "trace: { link: \"http://127.0.0.1:16686/trace/${id}\" }");
            assertThat(service.seen).doesNotContain("none").hasSizeGreaterThanOrEqualTo(CALLS);

            Path csv = work.resolve("calls.csv");
            try (Command export =
                    Command.diperf(work, "export", "traced", "--format", "csv", "--out", csv.toString())) {
                assertThat(export.exitCode()).as(export.output()).isZero();
            }
            try (var lines = Files.lines(csv)) {
                // Sorted, because a search for each of them takes minutes.
                List<String> told = lines.skip(1)
                        .map(line -> line.substring(line.lastIndexOf(',') + 1))
                        .sorted()
                        .toList();
                assertThat(told)
                        .isEqualTo(service.seen.stream()
                                .map(parent -> parent.substring(3, 35))
                                .sorted()
                                .toList());
            }
            String slowest = Files.readString(work.resolve("traced/report.html"));
            assertThat(slowest).containsPattern("href=\"http://127\\.0\\.0\\.1:16686/trace/[0-9a-f]{32}\"");
            assertThat(service.seen.stream().anyMatch(parent -> slowest.contains(parent.substring(3, 35))))
                    .isTrue();

            service.seen.clear();
            run(service, "plain", "");
            assertThat(service.seen).containsOnly("none");
            assertThat(numberBytes(work.resolve("plain"))).isZero();
            double more = (double) numberBytes(work.resolve("traced")) / CALLS;
            System.out.printf("trace ids take %.3f bytes a call%n", more);
            if (LONG) {
                // Blocks of a slow machine hold few calls each.
                assertThat(more).isLessThanOrEqualTo(MAX_BYTES);
            }
        }
    }
}
