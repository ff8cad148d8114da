package org.diperf.plugins.mds;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.diperf.core.contract.CallProbe;
import org.diperf.core.contract.PluginHarness;
import org.diperf.core.spi.Url;

/** A server that answers each thing it reads with the next of some bytes, and then keeps reading, or hangs up. */
final class Script implements AutoCloseable {

    private final ServerSocket listener;
    private final List<Socket> sockets = new CopyOnWriteArrayList<>();
    private final AtomicInteger connections = new AtomicInteger();
    private final Semaphore asked = new Semaphore(0);

    /**
     * @param hangsUp whether a connection is closed after its last answer
     * @param answers in hexadecimal digits; each connection begins with the first
     */
    Script(boolean hangsUp, String... answers) throws IOException {
        listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        start(() -> {
            while (true) {
                Socket socket = listener.accept();
                sockets.add(socket);
                connections.incrementAndGet();
                start(() -> serve(socket, hangsUp, answers));
            }
        });
    }

    /** Names a port that was one's a moment ago and at which nobody listens. */
    static Url closed(String scheme) throws IOException {
        try (Script script = new Script(true)) {
            return script.uri(scheme);
        }
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
                "script");
        thread.setDaemon(true);
        thread.start();
    }

    private void serve(Socket socket, boolean hangsUp, String... answers) throws IOException {
        try (socket) {
            InputStream in = socket.getInputStream();
            OutputStream out = socket.getOutputStream();
            byte[] read = new byte[1 << 16];
            boolean first = true;
            for (String answer : answers) {
                if (in.read(read) < 0) {
                    return;
                }
                if (first) {
                    asked.release();
                    first = false;
                }
                out.write(HexFormat.of().parseHex(answer.replace(" ", "")));
            }
            while (!hangsUp && in.read(read) >= 0) {
                // it never answers
            }
        }
    }

    Url uri(String scheme) {
        return Url.of(scheme + "://127.0.0.1:" + listener.getLocalPort() + "/");
    }

    /** Waits until something was asked on one more connection than was waited for before; there must be answers. */
    void awaitAsked() throws InterruptedException {
        if (!asked.tryAcquire(10, TimeUnit.SECONDS)) {
            throw new AssertionError("nothing was asked within 10 s");
        }
    }

    /** Lets a client ask twice in vain: each call is given up, ends once, and costs its connection. */
    void isGivenUpTwice(PluginHarness.Owned client) throws Exception {
        for (int connection = 1; connection <= 2; connection++) {
            CallProbe call = client.begin(0);
            awaitAsked();
            assertThat(call.ends()).isZero();
            client.cancel(call);
            assertThat(call.awaitEnd(5_000)).isTrue();
            assertThat(call.failure()).isEqualTo("cancelled");
            assertThat(call.ends()).isEqualTo(1);
            assertThat(connections()).isEqualTo(connection);
        }
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
    }
}
