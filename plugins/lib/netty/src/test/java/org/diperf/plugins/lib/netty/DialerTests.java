package org.diperf.plugins.lib.netty;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.Channel;
import io.netty.channel.EventLoop;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.diperf.core.clock.NanoClock;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
final class DialerTests implements Dialer.Owner {

    private static final long MINUTE_NANOS = TimeUnit.MINUTES.toNanos(1);

    private final MultiThreadIoEventLoopGroup group = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
    private final EventLoop loop = group.next();
    private final List<AutoCloseable> open = new ArrayList<>();
    private final BlockingQueue<Object> ends = new LinkedBlockingQueue<>();

    @Override
    public void dialled(Channel made) {
        ends.add(((InetSocketAddress) made.remoteAddress()).getPort());
        made.close();
    }

    @Override
    public void unreachable(Throwable cause) {
        ends.add(cause.getClass().getSimpleName());
    }

    @AfterEach
    void close() throws Exception {
        for (AutoCloseable each : open) {
            each.close();
        }
        group.shutdownGracefully(0, 1, TimeUnit.SECONDS);
    }

    private InetSocketAddress listening(int backlog) throws IOException {
        ServerSocket made = new ServerSocket(0, backlog, InetAddress.getLoopbackAddress());
        open.add(made);
        return (InetSocketAddress) made.getLocalSocketAddress();
    }

    private static InetSocketAddress closed() throws IOException {
        try (ServerSocket none = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            return (InetSocketAddress) none.getLocalSocketAddress();
        }
    }

    /** Makes an address that neither takes connections nor refuses them: its queue is full. */
    private InetSocketAddress silent() throws Exception {
        InetSocketAddress at = listening(1);
        for (int i = 0; i < 2; i++) {
            Socket waiting = new Socket();
            open.add(waiting);
            waiting.connect(at);
        }
        return at;
    }

    private Dialer dialer(Addresses addresses, int client, long timeoutNanos) {
        return new Dialer(loop, addresses, client, timeoutNanos, NanoClock.SYSTEM, null, null);
    }

    private Object dial(Dialer dialer) throws InterruptedException {
        loop.execute(() -> dialer.dial(this));
        return ends.take();
    }

    @Test
    void eachClientBeginsAtAnAddressOfItsOwnAndKeepsToIt() throws Exception {
        InetSocketAddress[] all = {listening(50), listening(50), listening(50)};
        for (int client = 0; client < 6; client++) {
            Dialer dialer = dialer(Addresses.of(all), client, MINUTE_NANOS);
            assertThat(dial(dialer)).isEqualTo(all[client % 3].getPort());
            assertThat(dial(dialer)).isEqualTo(all[client % 3].getPort());
            assertThat(dialer.connectNanos()).isPositive();
        }
    }

    @Test
    void oneThatRefusesIsFollowedByTheNextAlsoByTheFirstAfterTheLast() throws Exception {
        InetSocketAddress there = listening(50);
        Dialer dialer = dialer(Addresses.of(there, closed(), closed()), 1, MINUTE_NANOS);
        assertThat(dial(dialer)).isEqualTo(there.getPort());
        assertThat(dial(dialer)).as("which it remembers").isEqualTo(there.getPort());
    }

    @Test
    void whereAllRefuseTheLastSaysWhy() throws Exception {
        Dialer dialer = dialer(Addresses.of(closed(), closed()), 0, MINUTE_NANOS);
        assertThat(dial(dialer)).isEqualTo("AnnotatedConnectException");
        assertThat(dialer.connectNanos()).isEqualTo(-1);
    }

    @Test
    void oneThatSaysNothingHasItsShareOfTheTimeoutAndTheNextFollows() throws Exception {
        InetSocketAddress there = listening(50);
        Dialer dialer = dialer(Addresses.of(silent(), there), 0, TimeUnit.MILLISECONDS.toNanos(200));
        assertThat(dial(dialer)).isEqualTo(there.getPort());
        assertThat(dialer.connectNanos()).isGreaterThanOrEqualTo(TimeUnit.MILLISECONDS.toNanos(100));
    }

    @Test
    void aDialThatIsGivenUpIsHeardOfNoMoreAndTheNextBeginsElsewhere() throws Exception {
        InetSocketAddress there = listening(50);
        Dialer dialer = dialer(Addresses.of(silent(), there), 0, MINUTE_NANOS);
        loop.execute(() -> {
            dialer.dial(this);
            dialer.cancel();
        });
        assertThat(dial(dialer)).isEqualTo(there.getPort());
        assertThat(ends).isEmpty();
    }
}
