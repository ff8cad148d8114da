package org.diperf.plugins.lib.netty;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import org.diperf.core.spi.StandIn;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
final class LoopbackServerTests {

    private static StandIn start() throws IOException {
        return LoopbackServer.start("http", "/", () -> new HttpConversation("text/plain", false, any -> "hello\n"));
    }

    private static String ask(Socket socket, String request, int bytes) throws IOException {
        socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
        InputStream in = socket.getInputStream();
        return new String(in.readNBytes(bytes), StandardCharsets.US_ASCII);
    }

    @Test
    void everyRequestOfAConnectionIsAnsweredOnceWhateverItsBodyHolds() throws IOException {
        try (StandIn standIn = start();
                Socket socket = new Socket(
                        InetAddress.getLoopbackAddress(), standIn.target().port())) {
            assertThat(standIn.target().host()).isEqualTo("127.0.0.1");
            String head = "HTTP/1.1 200 OK\r\nServer: diperf\r\nContent-Type: text/plain\r\nContent-Length: 6\r\n\r\n";
            assertThat(ask(socket, "GET /a HTTP/1.1\r\nHost: x\r\n\r\n", head.length() + 6))
                    .isEqualTo(head + "hello\n");
            String post = "POST / HTTP/1.1\r\nContent-Length: 8\r\n\r\n\r\n\r\n\r\n\r\n";
            assertThat(ask(socket, post, head.length() + 6)).isEqualTo(head + "hello\n");
            assertThat(ask(socket, "HEAD / HTTP/1.1\r\nHost: x\r\n\r\n", head.length()))
                    .isEqualTo(head);
            assertThat(ask(socket, "GET / HTTP/1.1\r\n\r\n", head.length() + 6)).isEqualTo(head + "hello\n");
        }
    }

    @Test
    void afterItsCloseNobodyAnswers() throws IOException {
        StandIn standIn = start();
        standIn.close();
        assertThatThrownBy(() -> new Socket(
                        InetAddress.getLoopbackAddress(), standIn.target().port()))
                .isInstanceOf(IOException.class);
    }
}
