package org.diperf.controller.acceptance;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.diperf.core.ports.FreePorts;

/** A real nginx on the loopback that answers every request and logs one line for each. */
final class Nginx implements AutoCloseable {

    private final Command server;
    private final Path folder;
    private final String address;
    private final int port;

    private Nginx(Command server, Path folder, String address, int port) {
        this.address = address;
        this.server = server;
        this.folder = folder;
        this.port = port;
    }

    static Nginx start(Path folder) throws IOException, InterruptedException {
        return start(folder, "$status $request_uri", "");
    }

    /**
     * Starts one that writes another log.
     *
     * @param logFormat of its lines
     * @param location another of its locations, whole
     */
    static Nginx start(Path folder, String logFormat, String location) throws IOException, InterruptedException {
        return start(folder, "127.0.0.1", command -> command, logFormat, location, "", 1_000_000_000);
    }

    /** Starts one that speaks HTTP/2 and says goodbye on each connection after so many requests. */
    static Nginx startHttp2(Path folder, int requestsPerConnection) throws IOException, InterruptedException {
        return start(
                folder,
                "127.0.0.1",
                command -> command,
                "$status $request_uri $http_traceparent",
                "",
                " http2",
                requestsPerConnection);
    }

    /** Starts one on a machine, at its address towards this one. */
    static Nginx start(Path folder, Namespaces machines, int machine) throws IOException, InterruptedException {
        return start(
                folder,
                machines.address(machine),
                command -> machines.on(machine, command),
                "$status $request_uri",
                "",
                "",
                1_000_000_000);
    }

    private static Nginx start(
            Path folder,
            String address,
            UnaryOperator<List<String>> starting,
            String logFormat,
            String location,
            String protocol,
            int requestsPerConnection)
            throws IOException, InterruptedException {
        int port = FreePorts.take();
        String configuration =
                """
                daemon off;
                master_process off;
                worker_rlimit_nofile 4096;
                pid %1$s/nginx.pid;
                error_log %1$s/error.log;
                events { worker_connections 2048; }
                http {
                    log_format calls '%3$s';
                    access_log %1$s/access.log calls;
                    client_body_temp_path %1$s/body; proxy_temp_path %1$s/proxy; fastcgi_temp_path %1$s/fastcgi;
                    uwsgi_temp_path %1$s/uwsgi; scgi_temp_path %1$s/scgi;
                    keepalive_requests %7$d;
                    server {
                        listen %5$s:%2$d%6$s backlog=1024;
                        location / { return 200 "hello\\n"; }
                        location /slow { root %1$s; limit_rate 1k; }
                        %4$s
                    }
                }
                """.formatted(folder, port, logFormat, location, address, protocol, requestsPerConnection);
        Path file = Files.writeString(folder.resolve("nginx.conf"), configuration);
        // About four seconds' worth at the limited rate, for calls that are in flight when a run is cut short.
        Files.writeString(folder.resolve("slow"), "x".repeat(4_096));
        Command server = Command.start(
                folder,
                starting.apply(List.of("sh", "-c", "PATH=$PATH:/usr/sbin exec nginx -p " + folder + " -c " + file)));
        awaitListening(server, address, port);
        return new Nginx(server, folder, address, port);
    }

    private static void awaitListening(Command server, String address, int port)
            throws IOException, InterruptedException {
        long deadline = System.nanoTime() + 10_000_000_000L;
        while (true) {
            try (Socket socket = new Socket()) {
                socket.connect(new InetSocketAddress(address, port), 1_000);
                return;
            } catch (IOException e) {
                if (System.nanoTime() > deadline || !server.process().isAlive()) {
                    throw new IOException("nginx does not listen on port " + port + ":\n" + server.output(), e);
                }
                server.process().waitFor(50, TimeUnit.MILLISECONDS);
            }
        }
    }

    int port() {
        return port;
    }

    String url(String path) {
        return "http://" + address + ":" + port + path;
    }

    /** Stops the server, which completes its log, and gives the log's lines: status and request. */
    List<String> stopAndReadLog() throws IOException, InterruptedException {
        // SIGTERM ends nginx at once; requests under way are then logged as they stand.
        server.process().destroy();
        server.exitCode();
        return Files.readAllLines(folder.resolve("access.log"));
    }

    @Override
    public void close() {
        server.close();
    }
}
