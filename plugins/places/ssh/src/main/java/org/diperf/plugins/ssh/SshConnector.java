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
final class SshConnector {

    private static final int ALIVE_MILLIS = 15_000;
    private static final int MAX_JUMPS = 8;
    private static final List<String> DEFAULT_KEYS = List.of("id_ed25519", "id_ecdsa", "id_rsa");

    private final Settings settings;
    private final KnownHosts known;

    /**
     * How to log in.
     *
     * @param key private key file without a passphrase, {@code null}: those of the configuration and of the agent, or else
     *     the default files
     * @param agentSocket of the ssh agent, {@code null}: there is none
     * @param home folder with the default key files
     * @param knownHosts file of host keys
     * @param acceptNew whether keys of unknown hosts are recorded and trusted
     * @param jump machine through which all others are reached, {@code null}: as the configuration says
     * @param config of the user's ssh: names, keys and jump hosts
     * @param connectTimeout for a connection with log-in
     */
    record Settings(
            @Nullable Path key,
            @Nullable String agentSocket,
            Path home,
            Path knownHosts,
            boolean acceptNew,
            @Nullable Address jump,
            SshConfig config,
            Duration connectTimeout) {}

    /**
     * Where a connection really goes.
     *
     * @param said what the configuration says of it
     * @param jumps through which it is reached
     */
    private record Target(Address address, SshConfig.Entry said, List<Address> jumps) {

        String host() {
            return said.hostName();
        }

        /** Returns the name under which {@code known_hosts} has it. */
        String knownAs() {
            return said.knownAs() != null ? said.knownAs() : KnownHosts.nameOf(host(), address.port());
        }
    }

    /**
     * The keys for a log-in.
     *
     * @param inWords which they are
     * @param locked files that need a passphrase, and so were left out
     */
    private record LogIn(IdentityRepository keys, String inWords, List<Path> locked) {}

    SshConnector(Settings settings) {
        this.settings = settings;
        this.known = new KnownHosts(settings.knownHosts(), settings.acceptNew(), "testbed.host-keys: accept-new");
    }

    /**
     * Checks the keys that are for all machines, without connecting anywhere.
     *
     * @throws IOException with what was wanted, what was found and what to do
     */
    void check() throws IOException {
        if (settings.key() != null || !settings.config().namesKeys()) {
            try {
                logIn(new JSch(), List.of(), false);
            } catch (JSchException e) {
                throw new IOException(e.getMessage(), e);
            }
        }
    }

    /**
     * Connects and logs in.
     *
     * @throws IOException with the reason, in words that say what to do
     */
    Connection connect(Address address) throws IOException {
        Address jump = settings.jump();
        return connect(address, jump == null ? List.of() : List.of(jump), 0);
    }

    /** @param through machines on the way, the first one first; none: those that the configuration names */
    private Connection connect(Address address, List<Address> through, int depth) throws IOException {
        Target target = target(address);
        List<Address> jumps = through.isEmpty() ? target.jumps() : through;
        if (jumps.isEmpty()) {
            return new Connection(
                    address, open(target, target.host(), target.address().port()), null);
        }
        Address last = jumps.get(jumps.size() - 1);
        if (depth == MAX_JUMPS) {
            throw new IOException("expected at most " + MAX_JUMPS + " jump hosts, got more; does the ProxyJump of "
                    + address + " lead back to it?");
        }
        Connection head;
        try {
            head = connect(last, jumps.subList(0, jumps.size() - 1), depth + 1);
        } catch (IOException e) {
            throw new IOException("the jump host " + last + ": " + e.getMessage(), e);
        }
        try {
            int port = head.forward(target.host(), target.address().port());
            return new Connection(address, open(target, "127.0.0.1", port), head);
        } catch (JSchException | IOException e) {
            head.close();
            throw new IOException("through the jump host " + last + ": " + e.getMessage(), e);
        }
    }

    private Target target(Address address) throws IOException {
        try {
            SshConfig.Entry said = settings.config().of(address.host(), address.user());
            LoginSettings usual = new LoginSettings(null, settings.config());
            List<Address> jumps = said.jumps().stream()
                    .map(jump -> Address.parse(jump, usual))
                    // 'Host *' may name the jump host for itself too.
                    .filter(jump -> !jump.host().equals(address.host()))
                    .toList();
            return new Target(address, said, jumps);
        } catch (IllegalArgumentException e) {
            throw new IOException(e.getMessage(), e);
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

    private Session open(Target target, String host, int port) throws IOException {
        LogIn logIn = null;
        try {
            JSch jsch = new JSch();
            Session session = jsch.getSession(target.address().user(), host, port);
            logIn = logIn(jsch, target.said().keys(), target.said().onlyThese());
            session.setIdentityRepository(logIn.keys());
            session.setHostKeyRepository(known);
            session.setHostKeyAlias(target.knownAs());
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
            throw new IOException(reason(e, target, logIn), e);
        }
    }

    /**
     * Finds the keys for a log-in.
     *
     * @param configured files that the configuration names for the machine
     * @param onlyThese whether the agent's keys are not wanted next to them
     */
    private LogIn logIn(JSch jsch, List<Path> configured, boolean onlyThese) throws JSchException, IOException {
        Path key = settings.key();
        if (key != null) {
            if (add(jsch, key, true) == Found.LOCKED) {
                throw new IOException(
                        "expected a private key without a passphrase in testbed.key, got an encrypted one in " + key
                                + "; " + unlock(key) + ", and remove testbed.key");
            }
            return new LogIn(jsch.getIdentityRepository(), "the key " + key, List.of());
        }
        List<Path> named = configured.stream().filter(Files::isReadable).toList();
        boolean agent = settings.agentSocket() != null;
        List<Path> files = named.isEmpty() && !agent ? usualKeys() : named;
        List<Path> tried = new ArrayList<>();
        List<Path> locked = new ArrayList<>();
        for (Path each : files) {
            Found found = add(jsch, each, false);
            if (found != Found.NO_KEY) {
                (found == Found.LOCKED ? locked : tried).add(each);
            }
        }
        if (tried.isEmpty() && !agent) {
            throw new IOException(
                    locked.isEmpty()
                            ? "expected a private key, got no ssh agent (SSH_AUTH_SOCK) and none of " + DEFAULT_KEYS
                                    + " in " + settings.home() + "; set one with testbed.key"
                            : "expected a private key without a passphrase or an ssh agent that holds it, got encrypted keys: "
                                    + locked + "; " + unlock(locked.get(0)));
        }
        String inWords = tried.isEmpty() ? "" : "the keys " + tried;
        if (agent && (tried.isEmpty() || !onlyThese)) {
            IdentityRepository agents = agent();
            return new LogIn(
                    tried.isEmpty() ? agents : new Keys(jsch.getIdentityRepository(), agents),
                    inWords + (inWords.isEmpty() ? "" : " and ") + "the keys of the ssh agent",
                    locked);
        }
        return new LogIn(jsch.getIdentityRepository(), inWords, locked);
    }

    private IdentityRepository agent() throws IOException {
        try {
            return new AgentIdentityRepository(new SSHAgentConnector(Path.of(String.valueOf(settings.agentSocket()))));
        } catch (AgentProxyException e) {
            throw new IOException(
                    "expected the ssh agent at SSH_AUTH_SOCK=" + settings.agentSocket() + ", got: " + e.getMessage(),
                    e);
        }
    }

    /** Words what makes a key usable that has a passphrase, which is never asked for. */
    private String unlock(Path key) {
        return "load it into the ssh agent, which asks for the passphrase: "
                + (settings.agentSocket() == null ? "eval \"$(ssh-agent)\"; " : "") + "ssh-add "
                + Script.quote(key.toString());
    }

    /** What a file is good for. */
    private enum Found {
        USABLE,
        LOCKED,
        NO_KEY
    }

    /**
     * Adds a key, unless it has a passphrase.
     *
     * @param named whether the experiment names it: then it must be one
     */
    private static Found add(JSch jsch, Path key, boolean named) throws IOException {
        if (!Files.isReadable(key)) {
            throw new IOException(
                    "expected a private key in testbed.key, got no file " + key.toAbsolutePath() + " that can be read");
        }
        try {
            KeyPair pair = KeyPair.load(jsch, key.toString());
            boolean locked = pair.isEncrypted();
            pair.dispose();
            if (!locked) {
                jsch.addIdentity(key.toString());
            }
            return locked ? Found.LOCKED : Found.USABLE;
        } catch (JSchException e) {
            if (named) {
                throw new IOException("expected a private key, got an error reading " + key + ": " + e.getMessage(), e);
            }
            return Found.NO_KEY;
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

    private String reason(JSchException failure, Target target, @Nullable LogIn logIn) {
        String complaint = known.complaint(target.knownAs());
        if (complaint != null) {
            return complaint;
        }
        String said = String.valueOf(failure.getMessage());
        boolean timedOut = Stream.iterate((Throwable) failure, each -> each != null, Throwable::getCause)
                .anyMatch(SocketTimeoutException.class::isInstance);
        String where = target.host() + " port " + target.address().port()
                + (target.said().hasCommand()
                        ? ", ignoring the ProxyCommand of your ssh configuration (use ProxyJump)"
                        : "");
        if (timedOut || said.contains("timeout")) {
            return "no answer from " + where + " within "
                    + settings.connectTimeout().toMillis() / 1e3
                    + " s: it is down, a firewall drops the packets, or testbed.connect-timeout is too short";
        }
        if (failure.getCause() instanceof UnknownHostException || said.contains("UnknownHostException")) {
            return "no address found for '" + target.host() + "': check the name";
        }
        if (failure.getCause() instanceof NoRouteToHostException) {
            return "no route to " + where + ": " + failure.getCause().getMessage();
        }
        if (failure.getCause() instanceof ConnectException) {
            return "connection refused by " + where + ": start sshd there or correct the port";
        }
        if (said.startsWith("Auth fail") || said.startsWith("Auth cancel")) {
            List<Path> locked = logIn == null ? List.of() : logIn.locked();
            return "log-in as '" + target.address().user() + "' was refused with "
                    + (logIn == null ? "no key" : logIn.inWords())
                    + ": append the public key to ~/.ssh/authorized_keys there, or set a different key with "
                    + "testbed.key"
                    + (locked.isEmpty()
                            ? ""
                            : "; not tried because it has a " + "passphrase: " + locked.get(0) + ": "
                                    + unlock(locked.get(0)));
        }
        return "no ssh connection to " + where + ": " + said;
    }
}
