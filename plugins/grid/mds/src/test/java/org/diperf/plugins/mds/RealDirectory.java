package org.diperf.plugins.mds;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.diperf.core.folder.FolderTree;
import org.diperf.core.ports.FreePorts;
import org.diperf.core.spi.Url;
import org.junit.jupiter.api.Assumptions;

/** A slapd of the test's own with an index of computing elements, started as the studies start it. */
final class RealDirectory implements AutoCloseable {

    private static final Path SCRIPTS = Path.of("../../../examples/servers");

    private final Process process;
    private final int port;
    private final Path folder;

    private RealDirectory(Process process, int port, Path folder) {
        this.process = process;
        this.port = port;
        this.folder = folder;
    }

    static RealDirectory start(int entries, boolean tls) throws Exception {
        return start("mds2-server.sh", "/tmp/diperf-mds2", Integer.toString(entries), tls ? "tls" : "plain");
    }

    /** Starts a BDII, and waits until it has asked its provider. */
    static RealDirectory bdii(int entries) throws Exception {
        Assumptions.assumeTrue(Files.isExecutable(Path.of("/usr/sbin/bdii-update")), "bdii is not installed");
        Assumptions.assumeTrue(
                Files.exists(Path.of("/etc/ldap/schema/Glue-CE.schema")), "glue-schema is not installed");
        RealDirectory made = start("bdii-server.sh", "/tmp/diperf-bdii", Integer.toString(entries), "");
        long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(40);
        while (made.process.isAlive() && System.nanoTime() < until) {
            try {
                if (made.found("o=grid", "sub", "(objectClass=GlueCE)") == entries) {
                    break;
                }
            } catch (IOException notYet) {
                // its tree is not there
            }
            made.process.waitFor(300, TimeUnit.MILLISECONDS);
        }
        return made;
    }

    private static RealDirectory start(String script, String folder, String entries, String more) throws Exception {
        Assumptions.assumeTrue(Files.isExecutable(Path.of("/usr/sbin/slapd")), "slapd is not installed");
        Assumptions.assumeTrue(Files.isExecutable(Path.of("/usr/bin/ldapsearch")), "ldap-utils is not installed");
        // With TLS it takes the next port too.
        int port = FreePorts.take(2);
        Process process = new ProcessBuilder(
                        "sh", SCRIPTS.resolve(script).toString(), entries, Integer.toString(port), more)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.INHERIT)
                .start();
        RealDirectory made = new RealDirectory(process, port, Path.of(folder, Integer.toString(port)));
        made.awaitReady();
        return made;
    }

    private void awaitReady() throws Exception {
        long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
        while (true) {
            try (Socket socket = new Socket()) {
                socket.connect(new InetSocketAddress("127.0.0.1", port), 1_000);
                return;
            } catch (IOException e) {
                if (System.nanoTime() > until || process.waitFor(20, TimeUnit.MILLISECONDS)) {
                    throw e;
                }
            }
        }
    }

    Url uri() {
        return Url.of("ldap://127.0.0.1:" + port + "/o=grid");
    }

    Url secureUri() {
        return Url.of("ldaps://127.0.0.1:" + (port + 1) + "/o=grid");
    }

    Path certificate() {
        return folder.resolve("cert.pem");
    }

    /** Counts what ldapsearch finds. */
    int found(String base, String scope, String filter) throws Exception {
        Process search = new ProcessBuilder(
                        "ldapsearch",
                        "-LLL",
                        "-x",
                        "-o",
                        "ldif-wrap=no",
                        "-H",
                        "ldap://127.0.0.1:" + port,
                        "-b",
                        base,
                        "-s",
                        scope,
                        filter,
                        "1.1")
                .redirectErrorStream(true)
                .start();
        List<String> lines = new String(search.getInputStream().readAllBytes(), java.nio.charset.StandardCharsets.UTF_8)
                .lines()
                .toList();
        if (search.waitFor() != 0) {
            throw new IOException(String.join("\n", lines));
        }
        return (int) lines.stream().filter(line -> line.startsWith("dn:")).count();
    }

    @Override
    public void close() throws Exception {
        process.destroy();
        process.waitFor(5, TimeUnit.SECONDS);
        FolderTree.delete(folder);
    }
}
