package org.diperf.plugins.lib.netty;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.ChannelException;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
final class FailuresTests {

    @Test
    void aSocketThatCannotBeMadeIsNamedByItsCause() {
        Throwable cause = new IOException("newSocketStream(..) failed with error(-24): Too many open files");
        assertThat(Failures.kind(new ChannelException(
                        "Unable to create Channel from class X",
                        new InvocationTargetException(new ChannelException(cause)))))
                .isEqualTo("too many open files");
    }

    @Test
    void portsThatRanOutAreNamed() {
        assertThat(Failures.kind(new IOException("connect(..) failed: Cannot assign requested address")))
                .isEqualTo("no free local port or address");
    }
}
