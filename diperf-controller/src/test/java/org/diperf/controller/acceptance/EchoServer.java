package org.diperf.controller.acceptance;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;

/** Sends back every byte that it receives. */
final class EchoServer implements AutoCloseable {

    private final ServerSocket server = new ServerSocket(0, 1024, InetAddress.getLoopbackAddress());

    EchoServer() throws IOException {
        daemon(this::accept).start();
    }

    String url() {
        return "echo://127.0.0.1:" + port();
    }

    int port() {
        return server.getLocalPort();
    }

    private void accept() {
        try {
            while (true) {
                Socket socket = server.accept();
                daemon(() -> echo(socket)).start();
            }
        } catch (IOException e) {
            // closed
        }
    }

    private static void echo(Socket socket) {
        try (socket;
                InputStream from = socket.getInputStream()) {
            socket.setTcpNoDelay(true);
            byte[] buffer = new byte[4096];
            for (int n = from.read(buffer); n >= 0; n = from.read(buffer)) {
                socket.getOutputStream().write(buffer, 0, n);
            }
        } catch (IOException e) {
            // the client has gone
        }
    }

    private static Thread daemon(Runnable work) {
        Thread thread = new Thread(work, "echo-server");
        thread.setDaemon(true);
        return thread;
    }

    @Override
    public void close() throws IOException {
        server.close();
    }
}
