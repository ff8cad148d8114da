package org.diperf.plugins.sshcopy;

import com.jcraft.jsch.JSch;
import com.jcraft.jsch.JSchException;
import com.jcraft.jsch.KeyPair;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.diperf.core.clock.NanoClock;
import org.diperf.core.spi.BlockingClient;
import org.diperf.core.spi.Client;
import org.diperf.core.spi.Parameters;
import org.diperf.core.spi.Session;
import org.diperf.core.spi.SessionContext;
import org.diperf.core.spi.Text;
import org.diperf.core.spi.Url;
import org.diperf.plugins.lib.jsch.KnownHosts;
import org.jspecify.annotations.Nullable;

/** What the clients of a tester share. Thread-safe. */
final class CopySession implements Session {

    private static final List<String> DEFAULT_KEYS = List.of("id_ed25519", "id_ecdsa", "id_rsa");

    private final List<Host> hosts = new ArrayList<>();
    private final JSch jsch = new JSch();
    private final KnownHosts known;
    private final boolean sftp;
    private final boolean gets;
    private final boolean keeps;
    private final long sizeBytes;
    private final @Nullable Text path;
    private final @Nullable Text local;
    private final Duration timeout;
    private final NanoClock clock;
    private final ScheduledExecutorService watch = Executors.newSingleThreadScheduledExecutor(task -> {
        Thread thread = new Thread(task, "diperf-copy-watch");
        thread.setDaemon(true);
        return thread;
    });

    CopySession(String scheme, SessionContext context, NanoClock clock) throws IOException {
        Parameters with = context.with();
        for (Url target : context.targets()) {
            hosts.add(Host.of(scheme, target, with));
        }
        sftp = scheme.equals("sftp");
        gets = with.string("direction").equals("get");
        keeps = with.string("connection").equals("keep");
        sizeBytes = with.integer("size");
        path = with.has("path") ? with.text("path") : null;
        Text file = with.text(gets ? "sink" : "source");
        local = file.toString().equals(gets ? "discard" : "zeros") ? null : file;
        timeout = context.timeout();
        this.clock = clock;
        Path home = Path.of(System.getProperty("user.home"), ".ssh");
        Path recorded = with.has("known-hosts") ? Path.of(with.string("known-hosts")) : home.resolve("known_hosts");
        known = new KnownHosts(recorded, with.string("host-keys").equals("accept-new"), "host-keys: accept-new");
        addKeys(with, home);
    }

    private void addKeys(Parameters with, Path home) throws IOException {
        List<Path> keys = new ArrayList<>();
        if (with.has("key")) {
            keys.add(Path.of(with.string("key")));
        } else {
            DEFAULT_KEYS.stream().map(home::resolve).filter(Files::isReadable).forEach(keys::add);
        }
        if (keys.isEmpty()) {
            throw new IOException("key: expected a private key on the tester, got none of " + DEFAULT_KEYS + " in "
                    + home + "; set one with key");
        }
        for (Path key : keys) {
            if (!Files.isReadable(key)) {
                throw new IOException("key: expected a private key on the tester, got no file " + key);
            }
            try {
                KeyPair pair = KeyPair.load(jsch, key.toString());
                boolean locked = pair.isEncrypted();
                pair.dispose();
                if (locked) {
                    throw new IOException("key: expected a key without a passphrase, got an encrypted one in " + key);
                }
                jsch.addIdentity(key.toString());
            } catch (JSchException e) {
                throw new IOException(
                        "key: expected a private key, got an error reading " + key + ": " + e.getMessage(), e);
            }
        }
    }

    @Override
    public Client newClient() {
        return new CopyClient(this);
    }

    @Override
    public Class<? extends Client> kind() {
        return BlockingClient.class;
    }

    @Override
    public void close() {
        watch.shutdownNow();
    }

    /** Begins to log in, without a connection yet. */
    com.jcraft.jsch.Session sessionTo(Host host) throws JSchException {
        com.jcraft.jsch.Session made = jsch.getSession(host.user(), host.name(), host.port());
        made.setHostKeyRepository(known);
        made.setHostKeyAlias(KnownHosts.nameOf(host.name(), host.port()));
        // Every other word lets a changed key pass; see KnownHosts.
        made.setConfig("StrictHostKeyChecking", "yes");
        made.setConfig("prefer_known_host_key_types", "yes");
        made.setConfig("PreferredAuthentications", "publickey");
        made.setDaemonThread(true);
        return made;
    }

    /** Says why a host's key was refused; {@code null}: it was not. */
    @Nullable
    String complaint(Host host) {
        return known.complaint(KnownHosts.nameOf(host.name(), host.port()));
    }

    /** Does something when the time of a call is over, unless it is cancelled before: JSch loses some interrupts. */
    ScheduledFuture<?> atTimeout(Runnable task) {
        return watch.schedule(task, timeout.toNanos(), TimeUnit.NANOSECONDS);
    }

    List<Host> hosts() {
        return hosts;
    }

    boolean isSftp() {
        return sftp;
    }

    boolean gets() {
        return gets;
    }

    boolean keepsConnections() {
        return keeps;
    }

    long sizeBytes() {
        return sizeBytes;
    }

    /** Names the file there, or {@code null} for the target's. */
    @Nullable
    Text path() {
        return path;
    }

    /** Names the file here, or {@code null} for zeros and for nowhere. */
    @Nullable
    Text local() {
        return local;
    }

    NanoClock clock() {
        return clock;
    }
}
