package org.diperf.plugins.lib.gsi;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assumptions;

/** An authority, certificates, and a proxy of grid-proxy-init. */
public record GsiWorld(Path folder) {

    private static final String ACCOUNT =
            "root".equals(System.getProperty("user.name")) ? "nobody" : System.getProperty("user.name");

    /** Makes everything anew in a folder. */
    public static GsiWorld make(Path folder) throws Exception {
        Assumptions.assumeTrue(
                Files.isExecutable(Path.of("/usr/bin/grid-proxy-init")), "grid-proxy-init is not installed");
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxrwxrwx"));
        Path script = folder.resolve("make-gsi.sh");
        try (InputStream in = GsiWorld.class.getResourceAsStream("make-gsi.sh")) {
            assertThat(in).isNotNull();
            Files.copy(in, script);
        }
        GsiWorld world = new GsiWorld(folder);
        world.run("sh", script.toString(), folder.toString(), ACCOUNT);
        world.run(
                "grid-proxy-init",
                "-cert",
                folder.resolve("user-cert.pem").toString(),
                "-key",
                folder.resolve("user-key.pem").toString(),
                "-out",
                folder.resolve("proxy.pem").toString(),
                "-valid",
                "12:00");
        return world;
    }

    private void run(String... command) throws Exception {
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().put("X509_CERT_DIR", folder.resolve("trusted").toString());
        builder.redirectOutput(folder.resolve("output.log").toFile());
        Process process = builder.start();
        assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue())
                .as(Files.readString(folder.resolve("output.log")))
                .isZero();
    }

    /** Returns what a server's library reads from its environment to show the host's certificate. */
    public Map<String, String> serverEnvironment() {
        return Map.of(
                "X509_CERT_DIR",
                folder.resolve("trusted").toString(),
                "GRIDMAP",
                folder.resolve("grid-mapfile").toString(),
                "X509_USER_CERT",
                folder.resolve("host-cert.pem").toString(),
                "X509_USER_KEY",
                folder.resolve("host-key.pem").toString());
    }

    /** Returns what a user's programs read from their environment to show the proxy. */
    public Map<String, String> userEnvironment() {
        return Map.of(
                "X509_CERT_DIR",
                folder.resolve("trusted").toString(),
                "X509_USER_PROXY",
                folder.resolve("proxy.pem").toString());
    }

    /** Returns the parameters of clients. */
    public Map<String, Object> with() {
        return Map.of(
                "proxy-file",
                folder.resolve("proxy.pem").toString(),
                "ca-dir",
                folder.resolve("trusted").toString());
    }
}
