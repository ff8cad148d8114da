package org.diperf.plugins.ssh;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.diperf.core.clock.NanoClock;
import org.diperf.core.spi.Parameter;
import org.diperf.core.spi.Parameter.Type;
import org.diperf.core.spi.Parameters;
import org.diperf.core.spi.SpoolLocation;
import org.diperf.core.spi.Testbed;
import org.diperf.core.spi.TestbedContext;
import org.diperf.core.spi.TestbedPlugin;
import org.jspecify.annotations.Nullable;

/** Starts testers on machines that are reached by ssh and have nothing of DiPerF. */
public final class SshTestbedPlugin implements TestbedPlugin {

    static final Parameter SSH_CONFIG = Parameter.optional(
            "ssh-config",
            Type.STRING,
            "ssh configuration with host names, users, ports, keys and jump hosts; default: ~/.ssh/config, "
                    + "if it exists");

    @Override
    public String id() {
        return "ssh";
    }

    @Override
    public String summary() {
        return "runs testers on machines reached over ssh, which only need Java";
    }

    @Override
    public boolean sendsFiles() {
        return true;
    }

    @Override
    public boolean arrivesAtLoopback(Parameters with) {
        return throughSsh(with);
    }

    @Override
    public boolean hasNodes() {
        return true;
    }

    @Override
    public List<Parameter> parameters() {
        return List.of(
                Candidates.KEY,
                Parameter.optional(
                        "hosts",
                        Type.STRING,
                        "file of machines that can be used: one [user@]host[:port] label=value... per line, # for "
                                + "comments"),
                Parameter.optional(
                        "user",
                        Type.STRING,
                        "user name for machines listed without one; default: the one in your ssh configuration, or "
                                + "your own"),
                Parameter.optional(
                        "key",
                        Type.STRING,
                        "private key without a passphrase; default: those named in your ssh configuration and those in "
                                + "the ssh agent (SSH_AUTH_SOCK), or else ~/.ssh/id_ed25519, id_ecdsa, id_rsa"),
                SSH_CONFIG,
                Parameter.withDefault(
                        "known-hosts", Type.STRING, "~/.ssh/known_hosts", "file with the machines' host keys"),
                Parameter.withDefault(
                                "host-keys",
                                Type.STRING,
                                "strict",
                                "what to do with machines without a recorded key: strict refuses them, accept-new"
                                        + " records and trusts the key; a changed key is always refused")
                        .oneOf("strict", "accept-new"),
                Parameter.optional(
                        "jump",
                        Type.STRING,
                        "jump host for all machines, [user@]host[:port]; default: ProxyJump in your ssh configuration"),
                Parameter.withDefault(
                                "transport",
                                Type.STRING,
                                "tcp",
                                "how testers reach the controller; tcp: directly; udp: directly, with encrypted "
                                        + "datagrams; ssh: through the ssh connection, for machines that cannot "
                                        + "reach the controller")
                        .oneOf("tcp", "udp", "ssh"),
                Parameter.withDefault(
                                "cache",
                                Type.STRING,
                                "remove",
                                "whether to remove uploaded files at the end, or keep them for the next run")
                        .oneOf("remove", "keep"),
                Parameter.optional(
                                "bandwidth",
                                Type.STRING,
                                "how machines measure bandwidth to the service: nws://HOST:PORT or "
                                        + "iperf://HOST:PORT for a server next to the service, or "
                                        + "http://HOST:PORT/PATH for a download from the service")
                        .suchAs("nws://127.0.0.1:8060"),
                Parameter.optional(
                        "runtime",
                        Type.STRING,
                        "Java runtime for machines without one: a local folder, or a .tar.gz archive of it"),
                Parameter.optional(
                        "folder",
                        Type.STRING,
                        "folder for DiPerF's files on each machine; default: ~/.diperf, or /tmp/diperf-UID if there is "
                                + "no home"),
                Parameter.withDefault(
                        "connect-timeout", Type.DURATION, "10s", "time limit for connecting and logging in"),
                Parameter.withDefault("parallel", Type.INTEGER, "8", "number of machines processed in parallel"));
    }

    @Override
    public Testbed resume(TestbedContext context, List<SpoolLocation> places) throws IOException {
        Parameters with = context.with();
        LoginSettings usual = usual(with);
        SshConnector access = new SshConnector(settings(with, usual));
        access.check();
        return new ResumedTestbed(
                context, places, access, usual, with.string("cache"), parallel(with), NanoClock.SYSTEM);
    }

    private static LoginSettings usual(Parameters with) throws IOException {
        return new LoginSettings(with.has("user") ? with.string("user") : null, config(with));
    }

    /** Reads the user's ssh configuration, or the file that {@link #SSH_CONFIG} names instead. */
    static SshConfig config(Parameters with) throws IOException {
        boolean named = with.has(SSH_CONFIG.name());
        Path file = Paths.expand(named ? with.string(SSH_CONFIG.name()) : "~/.ssh/config");
        if (Files.isReadable(file)) {
            return SshConfig.read(file, Paths.expand("~/.ssh"));
        }
        if (named) {
            throw new IOException(SSH_CONFIG.name() + ": expected an ssh configuration, got no file "
                    + file.toAbsolutePath() + " that can be read");
        }
        return SshConfig.NONE;
    }

    private static int parallel(Parameters with) throws IOException {
        long parallel = with.integer("parallel");
        if (parallel < 1 || parallel > 256) {
            throw new IOException("testbed.parallel: expected 1 to 256, got " + parallel);
        }
        return (int) parallel;
    }

    @Override
    public Testbed open(TestbedContext context) throws IOException {
        Parameters with = context.with();
        LoginSettings usual = usual(with);
        List<Candidate> candidates = candidates(with, usual);
        SshConnector access = new SshConnector(settings(with, usual));
        access.check();
        JavaArchive runtime = with.has("runtime")
                ? JavaArchive.of(Paths.expand(with.string("runtime")), context.privateFolder())
                : null;
        if (runtime != null && runtime.major() < Survey.MIN_JAVA) {
            throw new IOException("testbed.runtime: expected Java " + Survey.MIN_JAVA + " or later, got "
                    + runtime.major() + " in " + with.string("runtime"));
        }
        int parallel = parallel(with);
        return new SshTestbed(
                context,
                candidates,
                access,
                new SshTestbed.Choices(
                        throughSsh(with),
                        with.string("cache"),
                        with.has("folder") ? with.string("folder") : "",
                        runtime,
                        with.has("bandwidth") ? Survey.checkBandwidth(with.string("bandwidth")) : null,
                        parallel),
                NanoClock.SYSTEM);
    }

    private static List<Candidate> candidates(Parameters with, LoginSettings usual) throws IOException {
        if (with.has("candidates") == with.has("hosts")) {
            throw new IOException("expected the machines in testbed.candidates or testbed.hosts, got "
                    + (with.has("hosts") ? "both; drop one" : "neither"));
        }
        try {
            return with.has("hosts")
                    ? Candidates.file(Paths.expand(with.string("hosts")), usual)
                    : Candidates.read(with, usual);
        } catch (IllegalArgumentException e) {
            throw new IOException(e.getMessage(), e);
        }
    }

    private static SshConnector.Settings settings(Parameters with, LoginSettings usual) throws IOException {
        Duration timeout = with.duration("connect-timeout");
        if (timeout.toMillis() < 1 || timeout.compareTo(Duration.ofHours(1)) > 0) {
            throw new IOException("testbed.connect-timeout: expected 1ms to 1h, got " + timeout);
        }
        return new SshConnector.Settings(
                with.has("key") ? Paths.expand(with.string("key")) : null,
                agent(System.getenv("SSH_AUTH_SOCK")),
                Paths.expand("~/.ssh"),
                Paths.expand(with.string("known-hosts")),
                with.string("host-keys").equals("accept-new"),
                with.has("jump") ? jump(with.string("jump"), usual) : null,
                usual.config(),
                timeout);
    }

    static @Nullable String agent(@Nullable String socket) {
        return socket == null || socket.isEmpty() || !Files.exists(Path.of(socket)) ? null : socket;
    }

    private static Address jump(String text, LoginSettings usual) throws IOException {
        try {
            return Address.parse(text, usual);
        } catch (IllegalArgumentException e) {
            throw new IOException("testbed.jump: " + e.getMessage(), e);
        }
    }

    /** Returns whether samples come through the ssh connection, and so from this machine. */
    private static boolean throughSsh(Parameters with) {
        return with.string("transport").equals("ssh");
    }
}
