package org.diperf.plugins.gridftp;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
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
 * A server that answers each command as a test says and remembers what it heard: {@code null} answers nothing, and an
 * answer of {@code CLOSE} hangs up. PASV leads to a data connection that carries bytes of the test's choice.
 */
final class ScriptedServer implements AutoCloseable {

    private final ServerSocket control = new ServerSocket(0, 50, InetAddress.getByName("127.0.0.1"));
    private final ServerSocket data = new ServerSocket(0, 50, InetAddress.getByName("127.0.0.1"));
    private final List<Socket> open = new CopyOnWriteArrayList<>();
    private final List<String> commands = new CopyOnWriteArrayList<>();
    private final String greeting;
    private final Function<String, @Nullable String> answers;
    private volatile byte[] payload = new byte[0];
    private volatile String host = "127,0,0,1";
    private volatile int taken = -1;
    private volatile @Nullable String complaint;

    ScriptedServer(String greeting, Function<String, @Nullable String> answers) throws IOException {
        this.greeting = greeting;
        this.answers = answers;
        Daemon.start(() -> {
            while (true) {
                Socket socket = control.accept();
                open.add(socket);
                Daemon.start(() -> converse(socket));
            }
        });
    }

    /** Says what a data connection carries; then it is closed. */
    ScriptedServer sends(byte... bytes) {
        payload = bytes;
        return this;
    }

    /**
     * Takes so many bytes of each upload and closes its data connection; only when the client has closed it, too, it says that the upload
     * is complete.
     */
    ScriptedServer takes(int bytes) {
        taken = bytes;
        return this;
    }

    /** Answers a download, once its client has closed the data connection, with this. */
    ScriptedServer complains(String reply) {
        complaint = reply;
        return this;
    }

    /** Says where the data is to be had, in four numbers. */
    ScriptedServer tells(String numbers) {
        host = numbers;
        return this;
    }

    private void converse(Socket socket) throws IOException {
        OutputStream out = socket.getOutputStream();
        BufferedReader in = new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
        out.write((greeting + "\r\n").getBytes(StandardCharsets.UTF_8));
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            commands.add(line);
            String answer = answers.apply(line);
            if (answer == null) {
                answer = usual(line);
            }
            if (line.matches("(RETR|ERET) .*") && answer.startsWith("150")) {
                byte[] bytes = payload;
                String complaining = complaint;
                if (complaining != null) {
                    out.write("150 begin\r\n".getBytes(StandardCharsets.UTF_8));
                    answer = complaining;
                }
                boolean active = commands.stream().anyMatch(each -> each.startsWith("PORT"));
                Socket made = active ? connect() : data.accept();
                open.add(made);
                made.getOutputStream().write(bytes);
                if (complaining != null) {
                    awaitEnd(made);
                }
                made.close();
            }
            if (taken >= 0 && line.startsWith("STOR ")) {
                out.write("150 begin\r\n".getBytes(StandardCharsets.UTF_8));
                take();
                answer = "226 done";
            }
            if (answer.equals("CLOSE")) {
                socket.close();
                return;
            }
            if (!answer.isEmpty()) {
                out.write((answer + "\r\n").getBytes(StandardCharsets.UTF_8));
            }
        }
    }

    private static void awaitEnd(Socket data) {
        try {
            data.getInputStream().read();
        } catch (IOException e) {
            // Closed before all was read.
        }
    }

    private void take() throws IOException {
        Socket made = data.accept();
        open.add(made);
        InputStream in = made.getInputStream();
        in.readNBytes(taken);
        made.shutdownOutput();
        in.readAllBytes();
        made.close();
    }

    private Socket connect() throws IOException {
        String port = commands.stream()
                .filter(each -> each.startsWith("PORT"))
                .reduce((first, second) -> second)
                .orElseThrow();
        String[] six = port.substring(5).split(",", -1);
        return new Socket("127.0.0.1", Integer.parseInt(six[4]) << 8 | Integer.parseInt(six[5]));
    }

    /** Returns what a friendly server would say. */
    private String usual(String command) {
        if (greeting.equals("220 hello")) {
            return ""; // the silent one
        }
        return switch (command.replaceFirst(" .*", "")) {
            case "USER" -> "331 more";
            case "PASS" -> "230 in";
            case "FEAT" -> "211-all\r\n PARALLEL\r\n ERET\r\n211 End.";
            case "PASV" -> "227 (" + host + "," + (data.getLocalPort() >> 8) + "," + (data.getLocalPort() & 255) + ")";
            case "RETR", "ERET", "STOR" -> "150 begin\r\n226 done";
            default -> "200 ok";
        };
    }

    Url uri() {
        return Url.of("ftp://127.0.0.1:" + control.getLocalPort() + "/file");
    }

    List<String> commands() {
        return List.copyOf(commands);
    }

    /** Closes what it has accepted and made so far. */
    void forgetConnections() throws IOException {
        for (Socket each : open) {
            each.close();
        }
        open.clear();
    }

    @Override
    public void close() throws IOException {
        control.close();
        data.close();
        for (Socket each : open) {
            each.close();
        }
    }
}
