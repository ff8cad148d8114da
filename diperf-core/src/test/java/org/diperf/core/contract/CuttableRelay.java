package org.diperf.core.contract;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.diperf.core.spi.Url;

/** Stands between clients and their service, and can close all connections, as the end of the service would. Thread-safe. */
final class CuttableRelay implements AutoCloseable {

    private final InetSocketAddress service;
    private final ServerSocket listener;
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();

    /** @param service host and port, not looked up */
    CuttableRelay(InetSocketAddress service) throws IOException {
        this.service = service;
        this.listener = new ServerSocket(0, 50, InetAddress.getByName(service.getHostString()));
        start(this::accept);
    }

    /** Returns the target with this relay's port in the place of the service's. */
    Url inFrontOf(Url target) {
        return Url.of(target.text().replaceFirst(":" + service.getPort() + "\\b", ":" + listener.getLocalPort()));
    }

    /** Closes the connections that there are; new ones are let through. */
    void closeConnections() throws IOException {
        for (Socket socket : open) {
            open.remove(socket);
            socket.close();
        }
    }

    @Override
    public void close() throws IOException {
        listener.close();
        closeConnections();
    }

    private void accept() throws IOException {
        while (!listener.isClosed()) {
            Socket client = listener.accept();
            open.add(client);
            Socket server = new Socket(service.getHostString(), service.getPort());
            open.add(server);
            start(() -> pass(client, server));
            start(() -> pass(server, client));
        }
    }

    /** Passes on what comes from one side, and its end. */
    private static void pass(Socket from, Socket to) throws IOException {
        from.getInputStream().transferTo(to.getOutputStream());
        to.shutdownOutput();
    }

    /** Does what ends when a socket is closed. */
    private interface Work {
        void run() throws IOException;
    }

    private static void start(Work work) {
        Thread thread = new Thread(() -> {
            try {
                work.run();
            } catch (IOException closed) {
                // Whoever closed it knows why.
            }
        });
        thread.setDaemon(true);
        thread.start();
    }
}
