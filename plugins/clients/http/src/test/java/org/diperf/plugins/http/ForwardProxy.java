package org.diperf.plugins.http;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** A forward proxy on loopback: CONNECT makes a tunnel; anything else is answered by the proxy itself. */
final class ForwardProxy implements AutoCloseable {

    private final ScriptedServer server;

    ForwardProxy() throws IOException {
        server = new ScriptedServer((request, head, client, out) -> {
            if (!head.startsWith("CONNECT ")) {
                out.write("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nproxy".getBytes(StandardCharsets.US_ASCII));
                return;
            }
            String authority = head.split(" ", 3)[1];
            int port = Integer.parseInt(authority.substring(authority.lastIndexOf(':') + 1));
            try (Socket target = new Socket(InetAddress.getLoopbackAddress(), port)) {
                out.write("HTTP/1.1 200 Connection established\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
                out.flush();
                Thread back = new Thread(
                        () -> {
                            try {
                                target.getInputStream().transferTo(out);
                                client.close();
                            } catch (IOException closed) {
                                // one side has gone
                            }
                        },
                        "proxy-back");
                back.setDaemon(true);
                back.start();
                client.getInputStream().transferTo(target.getOutputStream());
            }
        });
    }

    String url() {
        return "http://127.0.0.1:" + server.port();
    }

    /** Lists what the proxy itself was asked for. */
    List<String> requests() {
        return server.requests();
    }

    @Override
    public void close() throws IOException {
        server.close();
    }
}
