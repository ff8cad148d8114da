package org.diperf.controller.acceptance;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import org.diperf.core.ports.FreePorts;

/** A real sshd on the loopback, with keys of its own. Its folder holds an {@code ssh} that knows the way. */
final class LoginNode implements AutoCloseable {

    /** By which the {@code ssh} of {@link #path} reaches it. */
    static final String NAME = "login-of-the-test";

    private final Path folder;
    private final Process sshd;

    private LoginNode(Path folder, Process sshd) {
        this.folder = folder;
        this.sshd = sshd;
    }

    /** @param environment that a log-in has there */
    static LoginNode start(Path folder, Map<String, String> environment) throws IOException, InterruptedException {
        for (String key : List.of("host", "user")) {
            try (Command keygen =
                    Command.start(folder, List.of("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", key))) {
                keygen.exitCode();
            }
        }
        int port = FreePorts.take();
        StringBuilder config = new StringBuilder("""
                ListenAddress 127.0.0.1
                Port %d
                HostKey @/host
                AuthorizedKeysFile @/user.pub
                PidFile none
                StrictModes no
                UsePAM no
                PermitRootLogin yes
                """.formatted(port).replace("@", folder.toString()));
        environment.forEach((name, value) -> config.append("SetEnv " + name + '=' + value + '\n'));
        Files.writeString(folder.resolve("sshd_config"), config);
        Files.writeString(
                folder.resolve("ssh_config"), """
                Host %s
                  HostName 127.0.0.1
                  Port %d
                  IdentityFile @/user
                  IdentitiesOnly yes
                  StrictHostKeyChecking no
                  UserKnownHostsFile @/known_hosts
                """.formatted(NAME, port).replace("@", folder.toString()));
        Path ssh = Files.writeString(
                Files.createDirectory(folder.resolve("bin")).resolve("ssh"),
                "#!/bin/sh\nexec /usr/bin/ssh -F " + folder.resolve("ssh_config") + " \"$@\"\n");
        Files.setPosixFilePermissions(ssh, PosixFilePermissions.fromString("rwx------"));
        Files.createDirectories(Path.of("/run/sshd"));
        // sshd wants absolute paths, of its log too.
        Process sshd = new ProcessBuilder(
                        "/usr/sbin/sshd",
                        "-D",
                        "-f",
                        folder.resolve("sshd_config").toString(),
                        "-E",
                        folder.resolve("sshd.log").toString())
                .start();
        SlurmCluster.await("an sshd that listens", () -> {
            try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
                return socket.isConnected();
            } catch (IOException e) {
                return false;
            }
        });
        return new LoginNode(folder, sshd);
    }

    /** Returns an environment in which {@code ssh} finds this machine, and nothing else of the test's. */
    Map<String, String> path() {
        return Map.of("PATH", folder.resolve("bin") + ":" + System.getenv("PATH"));
    }

    @Override
    public void close() {
        sshd.descendants().forEach(ProcessHandle::destroyForcibly);
        sshd.destroyForcibly();
    }
}
