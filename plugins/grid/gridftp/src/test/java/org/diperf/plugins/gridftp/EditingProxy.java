package org.diperf.plugins.gridftp;

import java.io.BufferedReader;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import org.diperf.core.spi.Url;
import org.jspecify.annotations.Nullable;

/**
 * Stands before a server and answers in its place the commands that a test has an answer for, in their order; {@code null} passes a
 * command on. Data goes past it. A thread for each connection.
 */
final class EditingProxy implements AutoCloseable {

    private final ServerSocket control = new ServerSocket(0, 50, InetAddress.getByName("127.0.0.1"));
    private final List<Socket> open = new CopyOnWriteArrayList<>();
    private final Url server;
    private final Function<String, @Nullable String> answers;

    EditingProxy(Url server, Function<String, @Nullable String> answers) throws IOException {
        this.server = server;
        this.answers = answers;
        Daemon.start(() -> {
            while (true) {
                Socket client = control.accept();
                Daemon.start(() -> converse(client));
            }
        });
    }

    private void converse(Socket client) throws IOException {
        try (client;
                Socket to = new Socket(server.host(), server.port())) {
            client.setTcpNoDelay(true);
            to.setTcpNoDelay(true);
            open.add(client);
            open.add(to);
            BufferedReader commands = reader(client);
            BufferedReader replies = reader(to);
            pass(replies, client);
            for (String line = commands.readLine(); line != null; line = commands.readLine()) {
                String answer = answers.apply(line);
                if (answer != null) {
                    write(client, answer);
                } else {
                    write(to, line);
                    pass(replies, client);
                }
            }
        }
    }

    /** Passes replies on, up to the last one to a command. */
    private static void pass(BufferedReader replies, Socket client) throws IOException {
        String line;
        do {
            line = replies.readLine();
            if (line == null) {
                throw new EOFException();
            }
            write(client, line);
        } while (!line.matches("[2-5]\\d\\d .*"));
    }

    private static BufferedReader reader(Socket of) throws IOException {
        return new BufferedReader(new InputStreamReader(of.getInputStream(), StandardCharsets.UTF_8));
    }

    private static void write(Socket to, String line) throws IOException {
        OutputStream out = to.getOutputStream();
        out.write((line + "\r\n").getBytes(StandardCharsets.UTF_8));
    }

    Url uri(String path) {
        return Url.of("ftp://127.0.0.1:" + control.getLocalPort() + path);
    }

    @Override
    public void close() throws IOException {
        control.close();
        for (Socket each : open) {
            each.close();
        }
    }
}
