package org.diperf.plugins.lib.gridftp;

import java.io.BufferedReader;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.diperf.core.spi.StandIn;
import org.diperf.core.spi.Url;
import org.diperf.plugins.lib.gridftp.data.ExtendedBlock;
import org.diperf.plugins.lib.gridftp.data.Settings;
import org.diperf.plugins.lib.gridftp.data.Settings.Direction;
import org.jspecify.annotations.Nullable;

/**
 * A server for the rehearsal, which knows any file as {@value #FILE_BYTES} zeros and forgets what it is sent: stream and
 * extended block mode, parallel streams, kept data channels. A thread for each connection. Thread-safe.
 */
public final class FtpStandIn implements StandIn {

    public static final int FILE_BYTES = 200_000;
    private static final int BLOCK_BYTES = 65_536;

    private final ServerSocket server;
    private final Set<AutoCloseable> open = ConcurrentHashMap.newKeySet();

    private FtpStandIn() throws IOException {
        server = listen();
    }

    /** Returns whether these settings can be rehearsed without touching anything but the stand-in. */
    public static boolean suits(Settings settings) {
        return settings.direction() != Direction.THIRD_PARTY
                && settings.local() == null
                && settings.dialogue() == null
                && settings.checksum() == null
                && settings.offset() == 0
                && settings.firstPort() == 0
                && !settings.striped();
    }

    public static FtpStandIn start() throws IOException {
        FtpStandIn made = new FtpStandIn();
        made.run(() -> {
            while (true) {
                Socket accepted = made.server.accept();
                made.open.add(accepted);
                made.run(() -> made.new Conversation(accepted).speak());
            }
        });
        return made;
    }

    private static ServerSocket listen() throws IOException {
        ServerSocket made = new ServerSocket();
        made.bind(new InetSocketAddress(InetAddress.getByAddress(new byte[] {127, 0, 0, 1}), 0));
        return made;
    }

    private interface Work {
        void run() throws IOException;
    }

    private void run(Work work) {
        Thread thread = new Thread(
                () -> {
                    try {
                        work.run();
                    } catch (IOException e) {
                        // Whoever spoke has gone; or the rehearsal is over.
                    }
                },
                "diperf-stand-in");
        thread.setDaemon(true);
        thread.start();
    }

    @Override
    public Url target() {
        return Url.of("ftp://127.0.0.1:" + server.getLocalPort() + "/file");
    }

    @Override
    public void close() {
        open.add(server);
        for (AutoCloseable each : open) {
            try {
                each.close();
            } catch (Exception e) {
                // It is of no use any more.
            }
        }
    }

    /** One session. Confined to its thread, but for its closing. */
    private final class Conversation {

        private final Socket control;
        private final OutputStream out;
        private final List<Socket> data = new ArrayList<>();
        private @Nullable ServerSocket passive;
        private @Nullable InetSocketAddress active;
        private boolean extended;
        private int streams = 1;

        Conversation(Socket control) throws IOException {
            this.control = control;
            control.setTcpNoDelay(true);
            out = control.getOutputStream();
        }

        void speak() throws IOException {
            try (control;
                    BufferedReader in = new BufferedReader(
                            new InputStreamReader(control.getInputStream(), StandardCharsets.UTF_8))) {
                say("220 stand-in ready.");
                for (String line = in.readLine(); line != null; line = in.readLine()) {
                    command(line);
                }
            } finally {
                forget();
                open.remove(control);
            }
        }

        private void say(String line) throws IOException {
            out.write((line + "\r\n").getBytes(StandardCharsets.UTF_8));
        }

        private void command(String line) throws IOException {
            int space = line.indexOf(' ');
            String word = (space < 0 ? line : line.substring(0, space)).toUpperCase(Locale.ROOT);
            switch (word) {
                case "USER" -> say("331 Password required.");
                case "PASS" -> say("230 Logged in.");
                case "FEAT" -> say("211-Extensions\r\n PARALLEL\r\n ERET\r\n211 End.");
                case "SIZE" -> say("213 " + FILE_BYTES);
                case "MODE" -> {
                    extended = line.endsWith("E");
                    say("200 Mode set.");
                }
                case "OPTS" -> {
                    streams = Integer.parseInt(line.replaceFirst(".*Parallelism=(\\d+).*", "$1"));
                    say("200 OK.");
                }
                case "PASV" -> {
                    forget();
                    ServerSocket made = listen();
                    passive = made;
                    open.add(made);
                    int port = made.getLocalPort();
                    say("227 Entering Passive Mode (127,0,0,1," + (port >> 8) + "," + (port & 255) + ")");
                }
                case "PORT" -> {
                    forget();
                    String[] six = line.substring(5).split(",", -1);
                    active = new InetSocketAddress(
                            "127.0.0.1", Integer.parseInt(six[4]) << 8 | Integer.parseInt(six[5]));
                    say("200 PORT command successful.");
                }
                case "RETR", "ERET" -> send(word.equals("ERET") ? Long.parseLong(line.split(" ", -1)[3]) : FILE_BYTES);
                case "STOR" -> receive();
                default -> say("200 OK.");
            }
        }

        private void forget() throws IOException {
            for (Socket each : data) {
                each.close();
            }
            open.removeAll(data);
            data.clear();
            if (passive != null) {
                passive.close();
                open.remove(passive);
            }
            passive = null;
            active = null;
        }

        private Socket channel() throws IOException {
            Socket made;
            InetSocketAddress to = active;
            ServerSocket at = passive;
            if (to != null) {
                made = new Socket(to.getAddress(), to.getPort());
            } else if (at != null) {
                made = at.accept();
            } else {
                throw new IOException("no data port");
            }
            open.add(made);
            data.add(made);
            return made;
        }

        private void send(long size) throws IOException {
            say(
                    data.isEmpty()
                            ? "150 Beginning transfer."
                            : "125 Beginning transfer; reusing existing data connection.");
            byte[] zeros = new byte[BLOCK_BYTES];
            if (!extended) {
                OutputStream to = channel().getOutputStream();
                for (long left = size; left > 0; left -= Math.min(left, BLOCK_BYTES)) {
                    to.write(zeros, 0, (int) Math.min(left, BLOCK_BYTES));
                }
                forget();
            } else {
                while (data.size() < streams) {
                    channel();
                }
                int stream = 0;
                for (long at = 0; at < size; at += BLOCK_BYTES) {
                    int count = (int) Math.min(BLOCK_BYTES, size - at);
                    block(data.get(stream++ % streams), 0, count, at, zeros);
                }
                for (int i = 0; i < streams; i++) {
                    boolean last = i == 0;
                    block(
                            data.get(i),
                            ExtendedBlock.END_OF_DATA | (last ? ExtendedBlock.END_OF_FILE : 0),
                            0,
                            last ? streams : 0,
                            zeros);
                }
            }
            say("226 Transfer Complete.");
        }

        private static void block(Socket to, int descriptor, int count, long offset, byte[] zeros) throws IOException {
            DataOutputStream into = new DataOutputStream(to.getOutputStream());
            into.writeByte(descriptor);
            into.writeLong(count);
            into.writeLong(offset);
            into.write(zeros, 0, count);
        }

        private void receive() throws IOException {
            say(
                    data.isEmpty()
                            ? "150 Beginning transfer."
                            : "125 Beginning transfer; reusing existing data connection.");
            if (!extended) {
                channel().getInputStream().transferTo(OutputStream.nullOutputStream());
                forget();
            } else {
                long wanted = -1;
                int next = 0;
                for (int ended = 0; wanted < 0 || ended < wanted; ended++) {
                    DataInputStream from =
                            new DataInputStream((next < data.size() ? data.get(next) : channel()).getInputStream());
                    next++;
                    int descriptor;
                    do {
                        descriptor = from.readUnsignedByte();
                        long count = from.readLong();
                        long offset = from.readLong();
                        from.skipNBytes(count);
                        wanted = (descriptor & ExtendedBlock.END_OF_FILE) != 0 ? offset : wanted;
                    } while ((descriptor & ExtendedBlock.END_OF_DATA) == 0);
                }
            }
            say("226 Transfer Complete.");
        }
    }
}
