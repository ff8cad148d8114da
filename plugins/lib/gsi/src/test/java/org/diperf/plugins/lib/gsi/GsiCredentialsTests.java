package org.diperf.plugins.lib.gsi;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
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
        assertThatThrownBy(() -> GsiCredentials.of(with(proxy), "a test wants it"))
                .hasMessageContaining("proxy-file: wanted a file that only its owner can read")
                .hasMessageContaining("found the mode " + mode)
                .hasMessageContaining("chmod 600 " + proxy);
    }

    @ParameterizedTest
    @ValueSource(strings = {"rw-------", "r--------"})
    void oneOfItsOwnerAloneIsRead(String mode) throws Exception {
        Path proxy = proxy(mode);
        assertThatThrownBy(() -> GsiCredentials.of(with(proxy), "a test wants it"))
                .hasMessageContaining("wanted a PEM file with a key");
    }

    @Test
    void aLinkToOneThatOthersCanUseIsRefusedToo() throws Exception {
        Path link = Files.createSymbolicLink(folder.resolve("link"), proxy("rw-r--r--"));
        assertThatThrownBy(() -> GsiCredentials.of(with(link), "a test wants it"))
                .hasMessageContaining("found the mode rw-r--r--");
    }

    private Path proxy(String mode) throws Exception {
        Path proxy = Files.writeString(folder.resolve("proxy.pem"), "no PEM");
        return Files.setPosixFilePermissions(proxy, PosixFilePermissions.fromString(mode));
    }

    private Parameters with(Path proxy) {
        return Parameters.read(DECLARED, Map.of("proxy-file", proxy.toString(), "ca-dir", folder.toString()), 1);
    }
}
