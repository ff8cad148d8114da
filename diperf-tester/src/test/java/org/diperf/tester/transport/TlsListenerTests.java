package org.diperf.tester.transport;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.ssl.OpenSsl;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslHandler;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.time.Instant;
import org.diperf.core.security.Role;
import org.diperf.core.security.RunCredentials;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A listener's side of TLS, over channels without a network. */
@Timeout(20)
class TlsListenerTests {

    private final RunCredentials run = new RunCredentials(Instant.now(), new SecureRandom());
    private final RunCredentials.Identity controller = run.issue(Role.CONTROLLER, 0);
    private final RunCredentials.Identity tester = run.issue(Role.TESTER, 1);
    private final TlsListener.Handshake handshake =
            new TlsListener.Handshake(listening(), UnpooledByteBufAllocator.DEFAULT);
    private final EmbeddedChannel channel = new EmbeddedChannel(handshake);

    TlsListenerTests() throws IOException {}

    private SslContext listening() throws IOException {
        return TlsListener.tls(controller.key(), controller.certificate(), run.authority());
    }

    private SslHandler connecting() throws IOException {
        return SslContextBuilder.forClient()
                .sslProvider(Sockets.tls())
                .protocols("TLSv1.3")
                .keyManager(new SingleKeyManagerFactory(tester.key(), tester.certificate()))
                .trustManager(run.authority())
                .endpointIdentificationAlgorithm(null)
                .build()
                .newHandler(UnpooledByteBufAllocator.DEFAULT);
    }

    /** Passes on what one side has written, as one read of the other; returns whether there was anything. */
    private static boolean pass(EmbeddedChannel from, EmbeddedChannel to) {
        ByteBuf all = Unpooled.buffer();
        for (ByteBuf each = from.readOutbound(); each != null; each = from.readOutbound()) {
            all.writeBytes(each);
            each.release();
        }
        boolean any = all.isReadable();
        if (any) {
            to.writeInbound(all);
        }
        return any;
    }

    @Test
    void recordsThatComeTogetherAreUnwrappedTogether() throws IOException {
        Assumptions.assumeTrue(OpenSsl.isAvailable(), "BoringSSL");
        EmbeddedChannel client = new EmbeddedChannel(connecting());
        boolean passing = true;
        while (passing) {
            passing = pass(client, channel) | pass(channel, client);
        }
        assertThat(handshake.handshakeFuture().isSuccess()).isTrue();
        for (int i = 0; i < 20; i++) {
            client.writeOutbound(Unpooled.wrappedBuffer(new byte[500]));
        }
        assertThat(pass(client, channel)).isTrue();
        int reads = 0;
        int bytes = 0;
        for (ByteBuf read = channel.readInbound(); read != null; read = channel.readInbound()) {
            reads++;
            bytes += read.readableBytes();
            read.release();
        }
        assertThat(bytes).isEqualTo(10_000);
        assertThat(reads).isLessThan(5);
    }

    private boolean isNoise(byte[] came) {
        try {
            channel.writeInbound(Unpooled.wrappedBuffer(came));
        } catch (Exception refused) {
            assertThat(refused.getMessage()).isNotNull();
        }
        channel.close();
        assertThat(handshake.handshakeFuture().isSuccess()).isFalse();
        return handshake.wasNoise();
    }

    @Test
    void whoSaysNothingIsNoise() {
        assertThat(isNoise(new byte[0])).isTrue();
    }

    @Test
    void whoSaysNothingOfTlsIsNoise() {
        assertThat(isNoise("GET / HTTP/1.1\r\n\r\n".getBytes(StandardCharsets.US_ASCII)))
                .isTrue();
    }

    @Test
    void whoBeginsAHandshakeIsNone() {
        assertThat(isNoise(new byte[] {22, 3, 1, 0, 4, 1, 0, 0, 0})).isFalse();
    }
}
