package org.diperf.core.spi;

import static org.assertj.core.api.Assertions.assertThatNoException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.diperf.core.ports.FreePorts;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class ClientPluginTests {

    private static final ClientPlugin PLUGIN = new ClientPlugin() {
        @Override
        public String id() {
            return "any";
        }

        @Override
        public String summary() {
            return "any";
        }

        @Override
        public Session open(SessionContext context) {
            throw new UnsupportedOperationException();
        }
    };

    private static void probe(String target) throws IOException {
        PLUGIN.probe(Url.of(target), Parameters.read(List.of(), Map.of(), 0), Duration.ofSeconds(10));
    }

    @Test
    void aTargetWithoutAProbeOfItsOwnIsTriedByTcp() throws IOException {
        try (ServerSocket server = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
            String target = "any://127.0.0.1:" + server.getLocalPort();
            assertThatNoException().isThrownBy(() -> probe(target));
        }
        int nobody = FreePorts.take();
        assertThatThrownBy(() -> probe("any://127.0.0.1:" + nobody))
                .isInstanceOf(IOException.class)
                .hasMessageStartingWith("127.0.0.1:" + nobody + " cannot be reached: ");
    }

    @Test
    void aTargetThatNamesNoPortIsNotTried() {
        assertThatNoException().isThrownBy(() -> probe("any:thing"));
        assertThatNoException().isThrownBy(() -> probe("any://127.0.0.1/path"));
    }
}
