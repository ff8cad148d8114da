package org.diperf.examples.echo;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.diperf.core.spi.Url;

/** Sends back what it gets, with every byte increased by a number that may be 0. */
final class EchoServer implements AutoCloseable {

    private final ServerSocket listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    private final List<Socket> sockets = new CopyOnWriteArrayList<>();
    private final int increase;

    EchoServer(int increase) throws IOException {
        this.increase = increase;
        start(() -> {
            while (true) {
                Socket socket = listener.accept();
                sockets.add(socket);
                start(() -> echo(socket));
            }
        });
    }

    private interface Work {
        void run() throws IOException;
    }

    private static void start(Work work) {
        Thread thread = new Thread(
                () -> {
                    try {
                        work.run();
                    } catch (IOException closed) {
                        // the test is over
                    }
                },
                "echo");
        thread.setDaemon(true);
        thread.start();
    }

    private void echo(Socket socket) throws IOException {
        InputStream in = socket.getInputStream();
        OutputStream out = socket.getOutputStream();
        byte[] buffer = new byte[8192];
        int count = in.read(buffer);
        while (count > 0) {
            for (int i = 0; i < count; i++) {
                buffer[i] += (byte) increase;
            }
            out.write(buffer, 0, count);
            count = in.read(buffer);
        }
    }

    /** Closes the connections that there are; new ones are taken. */
    void hangUp() throws IOException {
        for (Socket socket : sockets) {
            socket.close();
        }
    }

    Url uri() {
        return Url.of("echo://127.0.0.1:" + listener.getLocalPort());
    }

    @Override
    public void close() throws IOException {
        listener.close();
        hangUp();
    }
}
