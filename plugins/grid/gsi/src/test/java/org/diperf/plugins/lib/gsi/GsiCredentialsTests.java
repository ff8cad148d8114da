package org.diperf.plugins.lib.gsi;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.diperf.core.spi.Parameter;
import org.diperf.core.spi.Parameters;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(20)
class GsiCredentialsTests {

    private static final List<Parameter> DECLARED = List.of(GsiCredentials.PROXY_FILE, GsiCredentials.CA_DIR);

    @TempDir
    Path folder;

    @ParameterizedTest
    @ValueSource(strings = {"rw-r--r--", "rw----r--", "rw--w----", "rwxrwxrwx"})
    void aCredentialThatOthersCanUseIsRefused(String mode) throws Exception {
        Path proxy = proxy(mode);
        assertThatThrownBy(() -> GsiCredentials.of(with(proxy), "a test needs it"))
                .hasMessageContaining("proxy-file: expected a file that only its owner can read")
                .hasMessageContaining("got mode " + mode)
                .hasMessageContaining("chmod 600 " + proxy);
    }

    @ParameterizedTest
    @ValueSource(strings = {"rw-------", "r--------"})
    void oneOfItsOwnerAloneIsRead(String mode) throws Exception {
        Path proxy = proxy(mode);
        assertThatThrownBy(() -> GsiCredentials.of(with(proxy), "a test needs it"))
                .hasMessageContaining("expected a PEM file with a key");
    }

    @Test
    void aLinkToOneThatOthersCanUseIsRefusedToo() throws Exception {
        Path link = Files.createSymbolicLink(folder.resolve("link"), proxy("rw-r--r--"));
        assertThatThrownBy(() -> GsiCredentials.of(with(link), "a test needs it"))
                .hasMessageContaining("got mode rw-r--r--");
    }

    @Test
    void oneThatHasEndedIsRefused() throws Exception {
        GsiWorld.make(folder);
        Path ended = folder.resolve("ended.pem");
        assertThatThrownBy(() -> GsiCredentials.of(trusting(ended), "a test needs it"))
                .hasMessageContaining("proxy-file: expected a valid credential, got one that expired at ")
                .hasMessageContaining("create a new one with: grid-proxy-init -out " + ended);
    }

    @Test
    void soIsOneThatHasNotYetBegun() throws Exception {
        GsiWorld.make(folder);
        Path proxy = folder.resolve("proxy.pem");
        Instant yesterday = Instant.now().minus(Duration.ofDays(1));
        assertThatThrownBy(() -> GsiCredentials.of(trusting(proxy), "a test needs it", () -> yesterday))
                .hasMessageContaining("proxy-file: expected a valid credential, got one that is not valid before ")
                .hasMessageContaining("while this machine's clock shows " + yesterday + "; set the clock, or wait");
    }

    @Test
    void aFolderIsNoCredential() {
        assertThatThrownBy(() -> GsiCredentials.of(with(folder), "a test needs it"))
                .hasMessage("proxy-file: expected a PEM file with the credential, got a folder at " + folder
                        + "; give the file that grid-proxy-init -out writes");
    }

    @Test
    void authoritiesAreInAFolderAndNamedByTheirHashes() throws Exception {
        GsiWorld.make(folder);
        Path proxy = folder.resolve("proxy.pem");
        assertThatThrownBy(() -> GsiCredentials.of(with(proxy, proxy), "a test needs it"))
                .hasMessageStartingWith("ca-dir: expected a folder with trusted CA certificates, named by")
                .hasMessageEndingWith("got a file at " + proxy + "; give the folder");
        Path other = Files.createDirectory(folder.resolve("other"));
        Files.copy(folder.resolve("host-cert.pem"), other.resolve("ca.pem"));
        assertThatThrownBy(() -> GsiCredentials.of(with(proxy, other), "a test needs it"))
                .hasMessageStartingWith("ca-dir: expected a folder with trusted CA certificates, named by")
                .hasMessageEndingWith("got none in " + other + "; put the CA certificate there");
    }

    private Parameters trusting(Path proxy) {
        return with(proxy, folder.resolve("trusted"));
    }

    private Path proxy(String mode) throws Exception {
        Path proxy = Files.writeString(folder.resolve("proxy.pem"), "no PEM");
        return Files.setPosixFilePermissions(proxy, PosixFilePermissions.fromString(mode));
    }

    private Parameters with(Path proxy) {
        return with(proxy, folder);
    }

    private static Parameters with(Path proxy, Path authorities) {
        return Parameters.read(DECLARED, Map.of("proxy-file", proxy.toString(), "ca-dir", authorities.toString()), 1);
    }
}
