package org.diperf.plugins.ssh;

import com.jcraft.jsch.AgentIdentityRepository;
import com.jcraft.jsch.AgentProxyException;
import com.jcraft.jsch.IdentityRepository;
import com.jcraft.jsch.JSch;
import com.jcraft.jsch.JSchException;
import com.jcraft.jsch.KeyPair;
import com.jcraft.jsch.SSHAgentConnector;
import com.jcraft.jsch.Session;
import java.io.IOException;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.diperf.plugins.lib.jsch.KnownHosts;
import org.jspecify.annotations.Nullable;

/** Logs in to machines: by which keys, trusting which hosts, through which other machine. Thread-safe. */
final class Access {

    private static final int ALIVE_MILLIS = 15_000;
    private static final List<String> DEFAULT_KEYS = List.of("id_ed25519", "id_ecdsa", "id_rsa");

    private final Settings settings;
    private final KnownHosts known;

    /**
     * How to log in.
     *
     * @param key private key file without a passphrase, {@code null}: those of the agent, or else the default files
     * @param agentSocket of the ssh agent, {@code null}: there is none
     * @param home folder with the default key files
     * @param knownHosts file of host keys
     * @param acceptNew whether keys of unknown hosts are recorded and trusted
     * @param jump machine through which all others are reached, {@code null}: none
     * @param connectTimeout for a connection with log-in
     */
    record Settings(
            @Nullable Path key,
            @Nullable String agentSocket,
            Path home,
            Path knownHosts,
            boolean acceptNew,
            @Nullable Address jump,
            Duration connectTimeout) {

        String keysInWords() {
            return key != null
                    ? "the key " + key
                    : agentSocket != null ? "the keys of the ssh agent" : "the default keys in " + home;
        }
    }

    Access(Settings settings) {
        this.settings = settings;
        this.known = new KnownHosts(settings.knownHosts(), settings.acceptNew(), "testbed.host-keys: accept-new");
    }

    /**
     * Checks the keys without connecting anywhere.
     *
     * @throws IOException with what was wanted, what was found and what to do
     */
    void check() throws IOException {
        try {
            identities(new JSch());
        } catch (JSchException e) {
            throw new IOException(e.getMessage(), e);
        }
    }

    /**
     * Connects and logs in.
     *
     * @throws IOException with the reason, in words that say what to do
     */
    Connection connect(Address address) throws IOException {
        Address jump = settings.jump();
        if (jump == null) {
            return new Connection(address, open(address, address.host(), address.port()), null);
        }
        Session head;
        try {
            head = open(jump, jump.host(), jump.port());
        } catch (IOException e) {
            throw new IOException("the jump host " + jump + ": " + e.getMessage(), e);
        }
        try {
            int port = head.setPortForwardingL("127.0.0.1", 0, address.host(), address.port());
            return new Connection(address, open(address, "127.0.0.1", port), head);
        } catch (JSchException | IOException e) {
            head.disconnect();
            throw new IOException("through the jump host " + jump + ": " + e.getMessage(), e);
        }
    }

    /** Words the command by which a user copies a file from a machine to the current folder. */
    String copy(Address address, String path) {
        StringBuilder command = new StringBuilder("scp");
        if (settings.key() != null) {
            command.append(" -i ")
                    .append(Script.quote(settings.key().toAbsolutePath().toString()));
        }
        if (settings.jump() != null) {
            command.append(" -J ").append(settings.jump());
        }
        if (address.port() != Address.DEFAULT_PORT) {
            command.append(" -P ").append(address.port());
        }
        String host = address.host().contains(":") ? "[" + address.host() + "]" : address.host();
        return command.append(' ')
                .append(Script.quote(address.user() + "@" + host + ":" + path))
                .append(" .")
                .toString();
    }

    private Session open(Address address, String host, int port) throws IOException {
        try {
            JSch jsch = new JSch();
            Session session = jsch.getSession(address.user(), host, port);
            session.setIdentityRepository(identities(jsch));
            session.setHostKeyRepository(known);
            session.setHostKeyAlias(address.knownAs());
            // Every other word lets a changed key pass; see KnownHosts.
            session.setConfig("StrictHostKeyChecking", "yes");
            session.setConfig("prefer_known_host_key_types", "yes");
            session.setConfig("PreferredAuthentications", "publickey");
            session.setDaemonThread(true);
            session.setServerAliveInterval(ALIVE_MILLIS);
            session.setServerAliveCountMax(2);
            session.connect((int) settings.connectTimeout().toMillis());
            return session;
        } catch (JSchException e) {
            throw new IOException(reason(e, address), e);
        }
    }

    private IdentityRepository identities(JSch jsch) throws JSchException, IOException {
        Path key = settings.key();
        if (key == null && settings.agentSocket() != null) {
            try {
                return new AgentIdentityRepository(new SSHAgentConnector(Path.of(settings.agentSocket())));
            } catch (AgentProxyException e) {
                throw new IOException(
                        "wanted the ssh agent at SSH_AUTH_SOCK=" + settings.agentSocket() + ", found: "
                                + e.getMessage(),
                        e);
            }
        }
        List<Path> keys = key == null ? usualKeys() : List.of(key);
        if (keys.isEmpty()) {
            throw new IOException("wanted a private key, found no ssh agent (SSH_AUTH_SOCK) and none of " + DEFAULT_KEYS
                    + " in " + settings.home() + "; name one with testbed.key");
        }
        for (Path each : keys) {
            add(jsch, each, key != null);
        }
        return jsch.getIdentityRepository();
    }

    private static void add(JSch jsch, Path key, boolean named) throws IOException {
        if (!Files.isReadable(key)) {
            throw new IOException(
                    "wanted a private key in testbed.key, found no file " + key.toAbsolutePath() + " that can be read");
        }
        try {
            KeyPair pair = KeyPair.load(jsch, key.toString());
            boolean locked = pair.isEncrypted();
            pair.dispose();
            if (!locked) {
                jsch.addIdentity(key.toString());
            } else if (named) {
                throw new IOException("wanted a private key without a passphrase, found a locked one in " + key
                        + "; unlock it for the agent: ssh-add " + key + ", and leave testbed.key out");
            }
        } catch (JSchException e) {
            if (named) {
                throw new IOException("wanted a private key, found in " + key + ": " + e.getMessage(), e);
            }
        }
    }

    private List<Path> usualKeys() {
        List<Path> keys = new ArrayList<>();
        for (String name : DEFAULT_KEYS) {
            Path key = settings.home().resolve(name);
            if (Files.isReadable(key)) {
                keys.add(key);
            }
        }
        return keys;
    }

    private String reason(JSchException failure, Address address) {
        String complaint = known.complaint(address.knownAs());
        if (complaint != null) {
            return complaint;
        }
        String said = String.valueOf(failure.getMessage());
        boolean timedOut = Stream.iterate((Throwable) failure, each -> each != null, Throwable::getCause)
                .anyMatch(SocketTimeoutException.class::isInstance);
        String where = address.host() + " port " + address.port();
        if (timedOut || said.contains("timeout")) {
            return "no answer from " + where + " within "
                    + settings.connectTimeout().toMillis() / 1e3
                    + " s: it is down, a firewall drops the way, or testbed.connect-timeout is too short";
        }
        if (failure.getCause() instanceof UnknownHostException || said.contains("UnknownHostException")) {
            return "no address is known for '" + address.host() + "': correct the name";
        }
        if (failure.getCause() instanceof NoRouteToHostException) {
            return "no way to " + where + ": " + failure.getCause().getMessage();
        }
        if (failure.getCause() instanceof ConnectException) {
            return "connection refused by " + where + ": start sshd there or correct the port";
        }
        if (said.startsWith("Auth fail") || said.startsWith("Auth cancel")) {
            return "log-in as '" + address.user() + "' was refused with " + settings.keysInWords()
                    + ": append the public key to ~/.ssh/authorized_keys there, or name another with testbed.key";
        }
        return "no ssh connection to " + where + ": " + said;
    }
}
