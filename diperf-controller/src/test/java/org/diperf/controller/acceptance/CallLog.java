package org.diperf.controller.acceptance;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;

/** A service that sends every line back and remembers when it came: the truth next to what DiPerF recorded. */
final class CallLog implements AutoCloseable {

    private final ServerSocket server;
    private final Map<String, Long> atNanos = new LinkedHashMap<>();
    private int doubles;

    CallLog(InetAddress address) throws IOException {
        server = new ServerSocket(0, 1024, address);
        daemon(this::accept).start();
    }

    static CallLog onLoopback() throws IOException {
        return new CallLog(InetAddress.getLoopbackAddress());
    }

    int port() {
        return server.getLocalPort();
    }

    private void accept() {
        try {
            while (true) {
                Socket socket = server.accept();
                daemon(() -> serve(socket)).start();
            }
        } catch (IOException e) {
            // closed
        }
    }

    private void serve(Socket socket) {
        try (socket;
                BufferedReader lines =
                        new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8))) {
            socket.setTcpNoDelay(true);
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                note(line);
                socket.getOutputStream().write((line + '\n').getBytes(StandardCharsets.UTF_8));
            }
        } catch (IOException e) {
            // the client has gone
        }
    }

    private synchronized void note(String line) {
        if (atNanos.putIfAbsent(line, System.nanoTime()) != null) {
            doubles++;
        }
    }

    /** Returns every line and when it came first. */
    synchronized Map<String, Long> seen() {
        return new TreeMap<>(atNanos);
    }

    /** Counts lines that came a second time. */
    synchronized int doubles() {
        return doubles;
    }

    private static Thread daemon(Runnable work) {
        Thread thread = new Thread(work, "call-log");
        thread.setDaemon(true);
        return thread;
    }

    @Override
    public void close() throws IOException {
        server.close();
    }
}
