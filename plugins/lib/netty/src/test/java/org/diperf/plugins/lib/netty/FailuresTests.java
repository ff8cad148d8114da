package org.diperf.plugins.lib.netty;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.ChannelException;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.net.SocketException;
import org.diperf.core.spi.Failure;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
final class FailuresTests {

    @Test
    void aSocketThatCannotBeMadeIsNamedByItsCause() {
        Throwable cause = new IOException("newSocketStream(..) failed with error(-24): Too many open files");
        assertThat(Failures.of(new ChannelException(
                        "Unable to create Channel from class X",
                        new InvocationTargetException(new ChannelException(cause)))))
                .isEqualTo(Failure.ofGenerator("too many open files"));
    }

    @Test
    void portsThatRanOutAreNamed() {
        assertThat(Failures.of(new IOException("connect(..) failed: Cannot assign requested address")))
                .isEqualTo(Failure.ofGenerator("no free local port or address"));
    }

    @Test
    void aHandshakeThatFailsForWantOfMemoryIsNotTheServicesFault() {
        assertThat(Failures.handshake(new IOException("sendmsg(..) failed: Cannot allocate memory")))
                .isEqualTo(Failure.ofGenerator("tls: not enough memory"));
        assertThat(Failures.handshake(new IOException("Connection reset by peer")))
                .isEqualTo(Failure.ofService("tls: connection reset"));
    }

    @Test
    void whatIsNotKnownIsNamedWithoutTheAddressesOfItsMessage() {
        assertThat(Failures.of(new SocketException("Network is down: /192.0.2.1:80")))
                .isEqualTo(Failure.ofService("SocketException"));
    }

    @Test
    void aConnectionThatTimesOutWhileItIsReadIsNamedLikeOneThatIsMade() {
        assertThat(Failures.of(new IOException("recvAddress(..) failed: Connection timed out")))
                .isEqualTo(Failure.ofService("connection timed out"));
    }
}
