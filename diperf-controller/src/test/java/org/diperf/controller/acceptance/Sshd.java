package org.diperf.controller.acceptance;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.diperf.core.ports.FreePorts;

/** A real sshd on an address of the loopback, with a host key and a configuration of its own. */
final class Sshd implements AutoCloseable {

    private final Command server;
    private final Path folder;
    private final String host;
    private final int port;

    private Sshd(Command server, Path folder, String host, int port) {
        this.server = server;
        this.folder = folder;
        this.host = host;
        this.port = port;
    }

    /** Makes the key by which tests log in. */
    static Path userKey(Path work) throws IOException, InterruptedException {
        return key(work, "user-key");
    }

    private static Path key(Path folder, String name) throws IOException, InterruptedException {
        Path file = folder.resolve(name);
        try (Command keygen =
                Command.start(folder, List.of("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", file + ""))) {
            if (keygen.exitCode() != 0) {
                throw new IOException(keygen.output());
            }
        }
        return file;
    }

    /**
     * Starts one.
     *
     * @param host address of the loopback, such as 127.0.0.2
     * @param userKey whose public half may log in
     * @param more lines of configuration
     */
    static Sshd start(Path work, String host, Path userKey, String... more) throws IOException, InterruptedException {
        Path folder = Files.createDirectory(work.resolve("sshd-" + host));
        int port = FreePorts.take();
        Path file = configuration(folder, host, port, userKey, more);
        Command server = Command.start(
                folder,
                List.of(
                        "/usr/sbin/sshd",
                        "-D",
                        "-f",
                        file.toString(),
                        "-E",
                        folder.resolve("log").toString()));
        awaitListening(server, host, port);
        return new Sshd(server, folder, host, port);
    }

    /**
     * Writes what an sshd needs into a folder, with a host key of its own; returns the file for {@code -f}.
     *
     * @param host address on which it listens
     */
    static Path configuration(Path folder, String host, int port, Path userKey, String... more)
            throws IOException, InterruptedException {
        Path hostKey = key(folder, "host-key");
        // sshd wants its folder for privilege separation, which packages make when the service starts.
        Files.createDirectories(Path.of("/run/sshd"));
        return Files.writeString(
                folder.resolve("sshd_config"), """
                ListenAddress %s
                Port %d
                HostKey %s
                AuthorizedKeysFile %s.pub
                StrictModes no
                UsePAM no
                PasswordAuthentication no
                PidFile none
                MaxStartups 200:30:400
                %s
                """.formatted(host, port, hostKey, userKey, String.join("\n", more)));
    }

    private static void awaitListening(Command server, String host, int port) throws IOException, InterruptedException {
        long deadline = System.nanoTime() + 10_000_000_000L;
        while (true) {
            try (Socket socket = new Socket()) {
                socket.connect(new InetSocketAddress(host, port), 1_000);
                return;
            } catch (IOException e) {
                if (System.nanoTime() > deadline || !server.process().isAlive()) {
                    throw new IOException("sshd does not listen on " + host + ":" + port + ":\n" + server.output(), e);
                }
                server.process().waitFor(50, TimeUnit.MILLISECONDS);
            }
        }
    }

    /** Returns the name that the testbed has for it, with the user of these tests. */
    String name() {
        return System.getProperty("user.name") + "@" + host + ":" + port;
    }

    /** Returns its line for {@code known_hosts}. */
    String knownHostsLine() throws IOException {
        return knownHostsLine(folder);
    }

    /** Returns a line with the key of another sshd for this one's address. */
    String knownHostsLineWithKeyOf(Sshd other) throws IOException {
        return knownHostsLine(other.folder);
    }

    private String knownHostsLine(Path keyFolder) throws IOException {
        String[] key = Files.readString(keyFolder.resolve("host-key.pub")).split(" ");
        return "[" + host + "]:" + port + " " + key[0] + " " + key[1] + "\n";
    }

    String log() throws IOException {
        return Files.readString(folder.resolve("log"));
    }

    @Override
    public void close() {
        // Its sessions are its descendants.
        server.close();
    }
}
