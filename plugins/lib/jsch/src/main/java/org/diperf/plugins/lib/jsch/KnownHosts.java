package org.diperf.plugins.lib.jsch;

import com.jcraft.jsch.HostKey;
import com.jcraft.jsch.HostKeyRepository;
import com.jcraft.jsch.JSchException;
import com.jcraft.jsch.UserInfo;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The keys by which hosts prove who they are: a {@code known_hosts} file as OpenSSH keeps it. JSch's own readings of
 * {@code accept-new} and of misspelt words let changed keys pass; here a key that differs from the recorded one never
 * does, whatever is set. Thread-safe.
 */
public final class KnownHosts implements HostKeyRepository {

    private static final int DEFAULT_PORT = 22;

    private final Path file;
    private final boolean acceptNew;
    private final String acceptNewBy;
    private final Map<String, String> complaints = new ConcurrentHashMap<>();

    /**
     * Reads the file again for every host that is checked.
     *
     * @param file which need not be there yet
     * @param acceptNew whether the key of a host of which nothing is recorded is recorded and trusted
     * @param acceptNewBy what to set for that, for messages
     */
    public KnownHosts(Path file, boolean acceptNew, String acceptNewBy) {
        this.file = file;
        this.acceptNew = acceptNew;
        this.acceptNewBy = acceptNewBy;
    }

    /** Returns the name under which the file has a host: {@code host}, or {@code [host]:port} where that is not 22. */
    public static String nameOf(String host, int port) {
        return port == DEFAULT_PORT ? host : "[" + host + "]:" + port;
    }

    /** Says why the host's key was refused; {@code null}: it was not. */
    public @Nullable String complaint(String host) {
        return complaints.get(recorded(host));
    }

    /** Names a host as OpenSSH records it: of a hashed name no other spelling would be found. */
    private static String recorded(String host) {
        return host.toLowerCase(Locale.ROOT);
    }

    @Override
    public synchronized int check(String spelt, byte[] key) {
        String host = recorded(spelt);
        complaints.remove(host);
        try {
            return judge(host, key);
        } catch (IOException e) {
            complaints.put(host, "the known hosts file cannot be used: " + e.getMessage());
            return NOT_INCLUDED;
        }
    }

    private int judge(String host, byte[] key) throws IOException {
        String type = KnownHostsLine.typeOf(key);
        KnownHostsLine other = null;
        boolean known = false;
        for (KnownHostsLine line : lines()) {
            if (!line.covers(host)) {
                continue;
            }
            boolean same = Arrays.equals(line.key(), key);
            if (line.isRevoked()) {
                if (same) {
                    complaints.put(
                            host,
                            "its host key is revoked (" + file + " line " + line.number()
                                    + "): do not trust this machine");
                    return CHANGED;
                }
            } else if (line.isPlain()) {
                known |= same;
                if (!same && (other == null || line.type().equals(type))) {
                    other = line;
                }
            }
        }
        if (known) {
            return OK;
        }
        if (other != null) {
            complaints.put(host, changed(host, type, other));
            return CHANGED;
        }
        if (!acceptNew) {
            complaints.put(
                    host,
                    "its " + type + " host key is not known (" + KnownHostsLine.fingerprint(key)
                            + "): compare it with the machine's own key and add it to " + file
                            + " (ssh-keyscan), or set " + acceptNewBy);
            return NOT_INCLUDED;
        }
        append(host, type, key);
        return OK;
    }

    private String changed(String host, String type, KnownHostsLine recorded) {
        return recorded.type().equals(type)
                ? "its host key has changed: a different one is recorded in " + file + " line " + recorded.number()
                        + ". This could be a man-in-the-middle attack. If the machine was reinstalled: ssh-keygen -f "
                        + file
                        + " -R '" + host + "'"
                : "its host key is of type " + type + ", but one of type " + recorded.type() + " is recorded in " + file
                        + " line " + recorded.number()
                        + ". This could be a man-in-the-middle attack. If not, add the new key there";
    }

    private void append(String host, String type, byte[] key) throws IOException {
        Path folder = file.toAbsolutePath().getParent();
        if (folder != null && !Files.exists(folder)) {
            Files.createDirectories(
                    folder, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        }
        try (FileChannel channel = FileChannel.open(
                        file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
                FileLock lock = channel.lock()) {
            long size = channel.size();
            ByteBuffer last = ByteBuffer.allocate(1);
            boolean cut = size > 0 && channel.read(last, size - 1) == 1 && last.get(0) != '\n';
            String line = (cut ? "\n" : "") + host + " " + type + " "
                    + Base64.getEncoder().encodeToString(key) + "\n";
            ByteBuffer bytes = ByteBuffer.wrap(line.getBytes(StandardCharsets.UTF_8));
            channel.position(size);
            while (bytes.hasRemaining()) {
                channel.write(bytes);
            }
            lock.release();
        }
    }

    private List<KnownHostsLine> lines() throws IOException {
        List<KnownHostsLine> read = new ArrayList<>();
        if (!Files.exists(file)) {
            return read;
        }
        List<String> lines = Files.readAllLines(file, StandardCharsets.ISO_8859_1);
        for (int i = 0; i < lines.size(); i++) {
            KnownHostsLine line = KnownHostsLine.parse(lines.get(i), i + 1);
            if (line != null) {
                read.add(line);
            }
        }
        return read;
    }

    @Override
    public void add(HostKey key, UserInfo user) {
        throw new UnsupportedOperationException("Keys are recorded when they are checked");
    }

    @Override
    public void remove(String host, String type) {
        throw new UnsupportedOperationException("Recorded keys are never removed");
    }

    @Override
    public void remove(String host, String type, byte[] key) {
        remove(host, type);
    }

    @Override
    public String getKnownHostsRepositoryID() {
        return file.toString();
    }

    @Override
    public HostKey[] getHostKey() {
        return new HostKey[0];
    }

    /** Lists the recorded keys of a host, by which JSch chooses the type of key to ask for. */
    @Override
    public synchronized HostKey[] getHostKey(@Nullable String host, @Nullable String type) {
        List<HostKey> keys = new ArrayList<>();
        if (host == null) {
            return new HostKey[0];
        }
        try {
            for (KnownHostsLine line : lines()) {
                if (line.isPlain()
                        && line.covers(recorded(host))
                        && (type == null || line.type().equals(type))) {
                    keys.add(new HostKey(host, line.key()));
                }
            }
        } catch (IOException | JSchException unusable) {
            // The check itself comes later and tells.
            return keys.toArray(HostKey[]::new);
        }
        return keys.toArray(HostKey[]::new);
    }
}
