package org.diperf.plugins.lib.gsi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Two sides of a context, without a network between them. */
@Timeout(60)
class GsiTlsTests {

    @TempDir
    Path folder;

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    @Test
    void whatIsProtectedArrivesAndAPeerThatHasEndedTheContextIsToldNothingMore() throws Exception {
        GsiCredentials credentials = GsiWorld.make(folder).credentials("proxy.pem");
        SSLEngine peer = credentials.server();
        GsiTls server = new GsiTls(peer);
        GsiTls client = new GsiTls(credentials.client());
        byte[] token = client.handshake(new byte[0]);
        for (boolean atServer = true; !(client.isEstablished() && server.isEstablished()); atServer = !atServer) {
            token = (atServer ? server : client).handshake(token);
        }
        String large = "0123456789".repeat(5_000);
        assertThat(new String(client.unwrap(server.wrap(ascii(large))), StandardCharsets.US_ASCII))
                .isEqualTo(large);
        assertThat(server.unwrap(client.wrap(ascii("D")))).isEqualTo(ascii("D"));

        peer.closeOutbound();
        ByteBuffer goodbye = ByteBuffer.allocate(peer.getSession().getPacketBufferSize());
        peer.wrap(ByteBuffer.allocate(0), goodbye);
        assertThat(client.unwrap(Arrays.copyOf(goodbye.array(), goodbye.position())))
                .isEmpty();
        assertThatThrownBy(() -> client.wrap(ascii(large)))
                .isInstanceOf(SSLException.class)
                .hasMessage("the peer closed the context");
        server.close();
        client.close();
    }
}
