package org.diperf.controller.acceptance;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;

/** A way between two processes of this machine, by TCP, which can be cut and held up. Thread-safe. */
final class Forwarder implements AutoCloseable {

    private static final int BUFFER = 16 << 10;

    private final ServerSocket server;
    private final List<Socket> open = new ArrayList<>();
    private int to;
    private boolean refuses;
    private boolean holdsThere;
    private boolean holdsBack;

    /** Opens a way that leads nowhere yet. */
    Forwarder() throws IOException {
        server = new ServerSocket(0, 64, InetAddress.getLoopbackAddress());
        daemon(this::accept);
    }

    int port() {
        return server.getLocalPort();
    }

    /** Has connections that come from now on lead to this port. */
    synchronized void leadTo(int port) {
        to = port;
    }

    /** Returns whether somebody is connected. */
    synchronized boolean isUsed() {
        return !open.isEmpty();
    }

    /** Cuts all connections. */
    synchronized void cut() {
        for (Socket socket : open) {
            try (socket) {
                // A reset, as from a machine in between that has forgotten the connection.
                socket.setSoLinger(true, 0);
            } catch (IOException e) {
                // It has just ended.
            }
        }
        open.clear();
        notifyAll();
    }

    /** Cuts at once who comes, or no longer does. */
    synchronized void refuse(boolean does) {
        refuses = does;
    }

    /** Holds what is under way in one direction, the other or both, or lets it go. */
    synchronized void hold(boolean there, boolean back) {
        holdsThere = there;
        holdsBack = back;
        notifyAll();
    }

    private void accept() throws IOException, InterruptedException {
        while (true) {
            connect(server.accept());
        }
    }

    private void connect(Socket near) throws IOException {
        try {
            Socket far = new Socket(InetAddress.getLoopbackAddress(), leadsTo());
            far.setTcpNoDelay(true);
            near.setTcpNoDelay(true);
            synchronized (this) {
                open.add(near);
                open.add(far);
            }
            daemon(() -> carry(near, far, true));
            daemon(() -> carry(far, near, false));
        } catch (IOException | IllegalArgumentException e) {
            // Nobody is there, or who came has gone.
            near.close();
        }
    }

    private synchronized int leadsTo() throws IOException {
        if (refuses) {
            throw new IOException("refused");
        }
        return to;
    }

    private void carry(Socket from, Socket into, boolean there) throws IOException, InterruptedException {
        byte[] buffer = new byte[BUFFER];
        try (from;
                into) {
            InputStream in = from.getInputStream();
            for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
                awaitWay(there, into);
                into.getOutputStream().write(buffer, 0, count);
            }
        } finally {
            forget(from, into);
        }
    }

    private synchronized void awaitWay(boolean there, Socket into) throws InterruptedException {
        while ((there ? holdsThere : holdsBack) && !into.isClosed()) {
            wait();
        }
    }

    private synchronized void forget(Socket one, Socket other) {
        open.remove(one);
        open.remove(other);
        notifyAll();
    }

    private interface Work {
        void run() throws IOException, InterruptedException;
    }

    private static void daemon(Work work) {
        Thread thread = new Thread(
                () -> {
                    try {
                        work.run();
                    } catch (IOException gone) {
                        // one of the two, or the test is over
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                    }
                },
                "forwarder");
        thread.setDaemon(true);
        thread.start();
    }

    @Override
    public void close() throws IOException {
        server.close();
        cut();
    }
}
