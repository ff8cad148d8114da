package org.diperf.controller.acceptance;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.diperf.core.ports.FreePorts;

/** A real Squid on the loopback with several workers that share a cache in memory. It must be started by root. */
final class Squid implements AutoCloseable {

    private final Command server;
    private final Path folder;
    private final int port;

    private Squid(Command server, Path folder, int port) {
        this.server = server;
        this.folder = folder;
        this.port = port;
    }

    static Squid start(Path work, int workers) throws IOException, InterruptedException {
        int port = FreePorts.take();
        // Its workers are another user, who has to get there.
        Path folder = Files.createDirectory(work.resolve("squid-" + port));
        Files.setPosixFilePermissions(work, PosixFilePermissions.fromString("rwxr-xr-x"));
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxrwxrwx"));
        Path file = Files.writeString(folder.resolve("squid.conf"), """
                http_port 127.0.0.1:%2$d
                workers %3$d
                acl here src 127.0.0.0/8
                http_access allow here
                http_access deny all
                cache_mem 64 MB
                maximum_object_size_in_memory 16 MB
                memory_cache_shared on
                pid_filename %1$s/squid.pid
                logformat tested %%Ss %%>Hs %%<st %%<sh %%ru
                access_log stdio:%1$s/access.log tested
                cache_log %1$s/cache.log
                coredump_dir %1$s
                cache_effective_user proxy
                shutdown_lifetime 1 seconds
                visible_hostname squid.test
                reply_header_add Cache-Status "squid.test;detail=%%Sh" all
                pinger_enable off
                """.formatted(folder, port, workers));
        Command server = Command.start(
                folder,
                List.of("sh", "-c", "PATH=$PATH:/usr/sbin exec squid --foreground -n diperf" + port + " -f " + file));
        long deadline = System.nanoTime() + 20_000_000_000L;
        while (true) {
            try (Socket socket = new Socket()) {
                socket.connect(new InetSocketAddress("127.0.0.1", port), 1_000);
                return new Squid(server, folder, port);
            } catch (IOException e) {
                if (System.nanoTime() > deadline || !server.process().isAlive()) {
                    server.close();
                    throw new IOException("squid does not listen on port " + port + ":\n" + server.output(), e);
                }
                server.process().waitFor(50, TimeUnit.MILLISECONDS);
            }
        }
    }

    String url() {
        return "http://127.0.0.1:" + port;
    }

    /** Stops it, which completes its log, and gives the log's lines: result, status, bytes, bytes of the head, URL. */
    List<String> stopAndReadLog() throws IOException, InterruptedException {
        server.process().destroy();
        server.exitCode();
        // Whoever only looks whether it is there makes a connection without a request, which it logs too.
        return Files.readAllLines(folder.resolve("access.log")).stream()
                .filter(line -> !line.endsWith(" error:transaction-end-before-headers"))
                .toList();
    }

    @Override
    public void close() {
        server.close();
    }
}
