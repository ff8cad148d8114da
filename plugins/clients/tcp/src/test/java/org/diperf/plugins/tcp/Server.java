package org.diperf.plugins.tcp;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.UnaryOperator;
import org.diperf.core.spi.Url;

/** Answers each batch of bytes that it reads, on a thread for each connection. */
final class Server implements AutoCloseable {

    private final ServerSocket listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    private final List<Socket> sockets = new CopyOnWriteArrayList<>();

    Server(UnaryOperator<byte[]> answer) throws IOException {
        start(() -> {
            while (true) {
                Socket socket = listener.accept();
                sockets.add(socket);
                start(() -> serve(socket, answer));
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
                "server");
        thread.setDaemon(true);
        thread.start();
    }

    private static void serve(Socket socket, UnaryOperator<byte[]> answer) throws IOException {
        InputStream in = socket.getInputStream();
        OutputStream out = socket.getOutputStream();
        byte[] buffer = new byte[64 << 10];
        for (int count = in.read(buffer); count > 0; count = in.read(buffer)) {
            out.write(answer.apply(java.util.Arrays.copyOf(buffer, count)));
        }
    }

    /** Closes the connections that there are; new ones are taken. */
    void hangUp() throws IOException {
        for (Socket socket : sockets) {
            socket.close();
        }
    }

    Url uri() {
        return Url.of("tcp://127.0.0.1:" + listener.getLocalPort());
    }

    @Override
    public void close() throws IOException {
        listener.close();
        hangUp();
    }
}
