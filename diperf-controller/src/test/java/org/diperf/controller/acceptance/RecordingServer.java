package org.diperf.controller.acceptance;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Sends back what it received, and records by this machine's monotonic clock when each message came and went. */
final class RecordingServer implements AutoCloseable {

    /** When a message was read, and when its answer was about to be written. */
    record Served(long arrivedNanos, long leftNanos) {}

    private final ServerSocket server = new ServerSocket(0, 256, InetAddress.getLoopbackAddress());
    private final Map<String, Served> served = new ConcurrentHashMap<>();

    RecordingServer() throws IOException {
        daemon(this::accept);
    }

    String url() {
        return "tcp://127.0.0.1:" + server.getLocalPort();
    }

    /** Returns what was served so far, by message. */
    Map<String, Served> served() {
        return served;
    }

    private void accept() {
        try {
            while (true) {
                Socket socket = server.accept();
                daemon(() -> serve(socket));
            }
        } catch (IOException e) {
            // closed
        }
    }

    private void serve(Socket socket) {
        try (socket;
                InputStream from = socket.getInputStream()) {
            socket.setTcpNoDelay(true);
            byte[] buffer = new byte[256];
            for (int count = from.read(buffer); count >= 0; count = from.read(buffer)) {
                long arrived = System.nanoTime();
                String message = new String(buffer, 0, count, StandardCharsets.US_ASCII);
                served.put(message, new Served(arrived, System.nanoTime()));
                socket.getOutputStream().write(buffer, 0, count);
            }
        } catch (IOException e) {
            // the client has gone
        }
    }

    private static void daemon(Runnable work) {
        Thread thread = new Thread(work, "recording-server");
        thread.setDaemon(true);
        thread.start();
    }

    @Override
    public void close() throws IOException {
        server.close();
    }
}
