package org.diperf.plugins.lib.jsch;

import static org.assertj.core.api.Assertions.assertThat;

import com.jcraft.jsch.HostKeyRepository;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Who is trusted; the table of sshd(8) and ssh_config(5), with the guards that JSch lacks. */
class KnownHostsTests {

    private static final byte[] KEY = key("ssh-ed25519", 1);
    private static final byte[] OTHER = key("ssh-ed25519", 2);
    private static final byte[] OTHER_TYPE = key("ssh-rsa", 3);

    @TempDir
    Path work;

    private Path file;

    @BeforeEach
    void nameFile() {
        file = work.resolve("known_hosts");
    }

    private static byte[] key(String type, int filler) {
        byte[] name = type.getBytes(StandardCharsets.US_ASCII);
        ByteBuffer key = ByteBuffer.allocate(4 + name.length + 32);
        key.putInt(name.length).put(name);
        while (key.hasRemaining()) {
            key.put((byte) filler);
        }
        return key.array();
    }

    private static String line(String hosts, byte[] key) {
        return hosts + " " + KnownHostsLine.typeOf(key) + " "
                + Base64.getEncoder().encodeToString(key) + "\n";
    }

    private KnownHosts strict() {
        return new KnownHosts(file, false, "host-keys: accept-new");
    }

    private KnownHosts acceptNew() {
        return new KnownHosts(file, true, "host-keys: accept-new");
    }

    @Test
    void aRecordedKeyIsTrusted() throws Exception {
        Files.writeString(file, "# ours\n" + line("node1,[node2]:2022", KEY));

        assertThat(strict().check("node1", KEY)).isEqualTo(HostKeyRepository.OK);
        assertThat(strict().check("[node2]:2022", KEY)).isEqualTo(HostKeyRepository.OK);
    }

    @Test
    void anUnknownHostIsRefusedWithItsFingerprint() {
        KnownHosts known = strict();

        assertThat(known.check("node1", KEY)).isEqualTo(HostKeyRepository.NOT_INCLUDED);
        assertThat(known.complaint("node1")).contains("SHA256:", file.toString(), "accept-new");
        assertThat(file).doesNotExist();
    }

    @Test
    void acceptNewRecordsAnUnknownHostOnce() throws Exception {
        Files.writeString(file, line("node0", OTHER).strip());

        assertThat(acceptNew().check("[node1]:2022", KEY)).isEqualTo(HostKeyRepository.OK);
        assertThat(acceptNew().check("[node1]:2022", KEY)).isEqualTo(HostKeyRepository.OK);

        assertThat(file).hasContent(line("node0", OTHER) + line("[node1]:2022", KEY));
        assertThat(strict().check("[node1]:2022", KEY)).isEqualTo(HostKeyRepository.OK);
    }

    @Test
    void aChangedKeyIsRefusedWhateverIsSetAndItsLineIsNamed() throws Exception {
        Files.writeString(file, "# a comment\n" + line("node1", OTHER));
        for (KnownHosts known : new KnownHosts[] {strict(), acceptNew()}) {
            assertThat(known.check("node1", KEY)).isEqualTo(HostKeyRepository.CHANGED);
            assertThat(known.complaint("node1")).contains("changed", file + " line 2", "ssh-keygen -f");
        }
        assertThat(file).hasContent("# a comment\n" + line("node1", OTHER));
    }

    @Test
    void acceptNewDoesNotTakeAKeyOfAnotherTypeForAKnownHost() throws Exception {
        Files.writeString(file, line("node1", OTHER_TYPE));
        KnownHosts known = acceptNew();

        assertThat(known.check("node1", KEY)).isEqualTo(HostKeyRepository.CHANGED);
        assertThat(known.complaint("node1")).contains("ssh-ed25519", "ssh-rsa", "line 1");
    }

    @Test
    void aRevokedKeyIsRefusedAlsoWhereItIsRecorded() throws Exception {
        Files.writeString(file, line("node1", KEY) + "@revoked " + line("*", KEY));

        assertThat(acceptNew().check("node1", KEY)).isEqualTo(HostKeyRepository.CHANGED);
    }

    @Test
    void patternsAndExceptionsCount() throws Exception {
        Files.writeString(file, line("*.example.org,!bad.example.org,10.0.0.?", KEY));

        assertThat(strict().check("a.example.org", KEY)).isEqualTo(HostKeyRepository.OK);
        assertThat(strict().check("10.0.0.7", KEY)).isEqualTo(HostKeyRepository.OK);
        assertThat(strict().check("bad.example.org", KEY)).isEqualTo(HostKeyRepository.NOT_INCLUDED);
        assertThat(strict().check("10.0.0.77", KEY)).isEqualTo(HostKeyRepository.NOT_INCLUDED);
    }

    /** As {@code ssh-keygen -H} writes them: HMAC-SHA1 of the name, with the salt as its key. */
    @Test
    void hashedNamesAreFound() throws Exception {
        String hash = hashed("[127.0.0.2]:2022", "0123456789abcdefghij");
        Files.writeString(file, line(hash, KEY));

        assertThat(strict().check("[127.0.0.2]:2022", KEY)).isEqualTo(HostKeyRepository.OK);
        assertThat(strict().check("[127.0.0.2]:2022", OTHER)).isEqualTo(HostKeyRepository.CHANGED);
        assertThat(strict().check("[127.0.0.3]:2022", KEY)).isEqualTo(HostKeyRepository.NOT_INCLUDED);
    }

    /** As OpenSSH, which records and looks for names in lower case. */
    @Test
    void aHashedNameIsFoundHoweverItIsSpelt() throws Exception {
        Files.writeString(file, line(hashed("node1", "0123456789abcdefghij"), KEY));

        assertThat(strict().check("NODE1", KEY)).isEqualTo(HostKeyRepository.OK);
        assertThat(strict().getHostKey("Node1", null)).hasSize(1);
        KnownHosts known = acceptNew();
        assertThat(known.check("NODE1", OTHER)).isEqualTo(HostKeyRepository.CHANGED);
        assertThat(known.complaint("NODE1")).contains("changed");
    }

    @Test
    void aNewHostIsRecordedInLowerCase() throws Exception {
        assertThat(acceptNew().check("[Node1]:2022", KEY)).isEqualTo(HostKeyRepository.OK);
        assertThat(file).hasContent(line("[node1]:2022", KEY));
    }

    private static String hashed(String host, String salt) throws Exception {
        javax.crypto.Mac mac = javax.crypto.Mac.getInstance("HmacSHA1");
        mac.init(new javax.crypto.spec.SecretKeySpec(salt.getBytes(StandardCharsets.US_ASCII), "HmacSHA1"));
        Base64.Encoder base64 = Base64.getEncoder();
        return "|1|" + base64.encodeToString(salt.getBytes(StandardCharsets.US_ASCII)) + "|"
                + base64.encodeToString(mac.doFinal(host.getBytes(StandardCharsets.US_ASCII)));
    }

    @Test
    void damagedLinesAreSkipped() throws Exception {
        Files.writeString(file, "node1\nnode1 ssh-ed25519 ???\n@revoked\n" + line("node1", KEY));

        assertThat(strict().check("node1", KEY)).isEqualTo(HostKeyRepository.OK);
    }
}
