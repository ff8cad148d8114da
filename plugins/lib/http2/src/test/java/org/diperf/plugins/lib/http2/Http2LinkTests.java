package org.diperf.plugins.lib.http2;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBufAllocator;
import io.netty.handler.ssl.ApplicationProtocolConfig;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.SslProvider;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLServerSocket;
import org.diperf.core.clock.NanoClock;
import org.diperf.core.contract.NettyLoop;
import org.diperf.core.contract.RecorderProbe;
import org.diperf.core.contract.TestCertificate;
import org.diperf.core.spi.Failure;
import org.diperf.plugins.lib.netty.Addresses;
import org.diperf.plugins.lib.netty.SessionLoops;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Connections that do not come about, and the requests that wait for them. */
@Timeout(60)
class Http2LinkTests {

    @TempDir
    Path folder;

    private final NettyLoop loop = new NettyLoop();

    /** Takes connections, but lets the server have them only once it is open. */
    private static final class Gate extends ServerSocket {

        private final ServerSocket listener;
        private final Semaphore came = new Semaphore(0);
        private final CountDownLatch open = new CountDownLatch(1);

        Gate(ServerSocket listener) throws IOException {
            this.listener = listener;
        }

        @Override
        public Socket accept() throws IOException {
            Socket socket = listener.accept();
            came.release();
            try {
                open.await();
            } catch (InterruptedException e) {
                throw new IOException(e);
            }
            return socket;
        }

        @Override
        public int getLocalPort() {
            return listener.getLocalPort();
        }

        @Override
        public void close() throws IOException {
            listener.close();
        }
    }

    /** One client's exchanges. */
    private static final class Client extends Talk.Exchange {

        private final Semaphore ended = new Semaphore(0);

        @Override
        protected void ended(@Nullable Failure why) {
            super.ended(why);
            ended.release();
        }
    }

    private void onLoop(Runnable task) throws Exception {
        CompletableFuture.runAsync(task, loop::execute).get(10, TimeUnit.SECONDS);
    }

    private static InetSocketAddress address(int port) {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
    }

    private static Http2Peer peer(TestCertificate certificate, int... ports) throws Exception {
        SslContext context = SslContextBuilder.forClient()
                .sslProvider(SslProvider.JDK)
                .trustManager(certificate.pem().toFile())
                .applicationProtocolConfig(new ApplicationProtocolConfig(
                        ApplicationProtocolConfig.Protocol.ALPN,
                        ApplicationProtocolConfig.SelectorFailureBehavior.NO_ADVERTISE,
                        ApplicationProtocolConfig.SelectedListenerFailureBehavior.ACCEPT,
                        "h2"))
                .build();
        InetSocketAddress[] addresses = new InetSocketAddress[ports.length];
        for (int i = 0; i < ports.length; i++) {
            addresses[i] = address(ports[i]);
        }
        return new Http2Peer(
                Addresses.of(addresses), alloc -> handler(context, alloc, ports[0]), null, 2, 60_000_000_000L);
    }

    private static SslHandler handler(SslContext context, ByteBufAllocator alloc, int port) {
        SslHandler handler = context.newHandler(alloc, "127.0.0.1", port);
        handler.setHandshakeTimeoutMillis(0);
        return handler;
    }

    @Test
    void anAttemptThatHangsIsEndedByTheFirstThatHasWaitedForAllOfItAndTheNextAddressIsTried() throws Exception {
        TestCertificate certificate = TestCertificate.make(folder, "good", "ip:127.0.0.1");
        SSLServerSocket listener = (SSLServerSocket) certificate.listen();
        SSLParameters parameters = listener.getSSLParameters();
        parameters.setApplicationProtocols(new String[] {"h2"});
        listener.setSSLParameters(parameters);
        Gate gate = new Gate(listener);
        try (loop;
                ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
                ScriptedHttp2Server server = new ScriptedHttp2Server(
                        gate,
                        (request, socket, out) -> out.write(ScriptedHttp2Server.response(request.stream(), "hello")))) {
            Http2Peer peer = peer(certificate, silent.getLocalPort(), server.port());
            CompletableFuture<Http2Link> joined = new CompletableFuture<>();
            onLoop(() -> {
                Http2Loop shared = new Http2Loop(new SessionLoops().of(loop), new RecorderProbe(), NanoClock.SYSTEM, 0);
                shared.join(peer, 0);
                joined.complete(shared.join(peer, 0));
            });
            Http2Link link = joined.get();
            Client one = new Client();
            Client two = new Client();
            onLoop(() -> {
                link.begin(one, Talk.GET, Talk.NO_BODY, true, false);
                link.begin(two, Talk.GET, Talk.NO_BODY, true, false);
            });
            onLoop(() -> {
                link.cancel(one);
                link.begin(one, Talk.GET, Talk.NO_BODY, true, false);
            });
            assertThat(gate.came.tryAcquire(10, TimeUnit.SECONDS))
                    .as("a second attempt, at the second address")
                    .isTrue();
            // Its time is over too, but the second attempt has only just begun.
            onLoop(() -> {
                link.cancel(two);
                link.begin(two, Talk.GET, Talk.NO_BODY, true, false);
            });
            gate.open.countDown();
            for (Client client : new Client[] {one, two}) {
                assertThat(client.ended.tryAcquire(2, 10, TimeUnit.SECONDS)).isTrue();
                assertThat(client.outcome()).isEqualTo("ok 200 5");
                // Neither of them was there for all of its making.
                assertThat(client.connectNanos()).isEqualTo(-1);
                assertThat(client.tlsNanos()).isEqualTo(-1);
                assertThat(client.waitNanos()).isPositive();
            }
            assertThat(server.connections()).isEqualTo(1);
        }
    }
}
