package org.diperf.plugins.http;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.diperf.core.spi.Url;

/** A server that reads requests and does with each what a script says. Each connection has a thread. */
final class ScriptedServer implements AutoCloseable {

    /** What to do with the n-th request of the server. */
    interface Script {
        void answer(int request, String head, Socket socket, OutputStream out) throws Exception;
    }

    private final ServerSocket listener;
    private final Script script;
    private final List<Socket> sockets = new CopyOnWriteArrayList<>();
    private final List<String> requests = new CopyOnWriteArrayList<>();
    private final AtomicInteger connections = new AtomicInteger();
    private final Thread accepting;

    ScriptedServer(Script script) throws IOException {
        this(new ServerSocket(0, 50, InetAddress.getLoopbackAddress()), script);
    }

    ScriptedServer(ServerSocket listener, Script script) {
        this.listener = listener;
        this.script = script;
        this.accepting = start("accept", () -> {
            while (true) {
                Socket socket = listener.accept();
                socket.setTcpNoDelay(true);
                sockets.add(socket);
                connections.incrementAndGet();
                start("connection", () -> serve(socket));
            }
        });
    }

    /** Answers every request with this response. */
    static ScriptedServer always(String response) throws IOException {
        return new ScriptedServer((request, head, socket, out) -> out.write(response.getBytes(StandardCharsets.UTF_8)));
    }

    private interface Work {
        void run() throws Exception;
    }

    private static Thread start(String name, Work work) {
        Thread thread = new Thread(
                () -> {
                    try {
                        work.run();
                    } catch (Exception closed) {
                        // the test is over, or its script closed the socket
                    }
                },
                "scripted-" + name);
        thread.setDaemon(true);
        thread.start();
        return thread;
    }

    private void serve(Socket socket) throws Exception {
        InputStream in = socket.getInputStream();
        OutputStream out = socket.getOutputStream();
        String head = readHead(in);
        while (!head.isEmpty()) {
            byte[] body = in.readNBytes(contentLength(head));
            requests.add(head + new String(body, StandardCharsets.UTF_8));
            script.answer(requests.size() - 1, head, socket, out);
            out.flush();
            head = readHead(in);
        }
        socket.close();
    }

    /** Reads up to the empty line; gives an empty text at the end of the connection. */
    static String readHead(InputStream in) throws IOException {
        ByteArrayOutputStream head = new ByteArrayOutputStream();
        while (true) {
            int octet = in.read();
            if (octet < 0) {
                return "";
            }
            head.write(octet);
            String text = head.toString(StandardCharsets.UTF_8);
            if (text.endsWith("\r\n\r\n")) {
                return text;
            }
        }
    }

    private static int contentLength(String head) {
        for (String line : head.toLowerCase(Locale.ROOT).split("\r\n")) {
            if (line.startsWith("content-length:")) {
                return Integer.parseInt(
                        line.substring("content-length:".length()).strip());
            }
        }
        return 0;
    }

    Url uri(String path) {
        return Url.of("http://127.0.0.1:" + port() + path);
    }

    int port() {
        return listener.getLocalPort();
    }

    /** Lists the requests, header and body, in the order of their arrival. */
    List<String> requests() {
        return List.copyOf(requests);
    }

    int connections() {
        return connections.get();
    }

    @Override
    public void close() throws IOException {
        listener.close();
        for (Socket socket : sockets) {
            socket.close();
        }
        try {
            // While a thread waits in accept, the kernel still completes connections to a closed listener.
            accepting.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
