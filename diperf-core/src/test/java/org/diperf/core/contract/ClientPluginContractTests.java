package org.diperf.core.contract;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Path;
import org.diperf.core.contract.ClientPluginContract.LoopKind;
import org.diperf.core.plugin.Plugins;
import org.diperf.core.spi.BlockingClient;
import org.diperf.core.spi.Call;
import org.diperf.core.spi.ClientPlugin;
import org.diperf.core.spi.Context;
import org.diperf.core.spi.Url;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What the contract thinks of clients that break it. */
@Timeout(60)
class ClientPluginContractTests {

    @TempDir
    Path folder;

    /** Connects once in its life, and sends a byte for one in answer. */
    public static final class StubbornClient implements BlockingClient {

        private @Nullable Socket socket;

        @Override
        public void open(Context context) throws IOException {
            socket = new Socket(context.target().host(), context.target().port());
        }

        @Override
        public void call(Call call) throws IOException {
            Socket open = socket;
            if (open == null || !answers(open)) {
                throw new EOFException();
            }
        }

        @Override
        public void close() throws IOException {
            if (socket != null) {
                socket.close();
            }
        }
    }

    /** Connects for each call. */
    public static final class WillingClient implements BlockingClient {

        @Override
        public void call(Call call) throws IOException {
            try (Socket socket = new Socket(call.target().host(), call.target().port())) {
                if (!answers(socket)) {
                    throw new EOFException();
                }
            }
        }
    }

    private static boolean answers(Socket socket) throws IOException {
        socket.getOutputStream().write('x');
        return socket.getInputStream().read() == 'x';
    }

    private final class Contract extends ClientPluginContract {

        private final ClientPlugin plugin;

        Contract(ClientPlugin plugin) {
            this.plugin = plugin;
            super.folder = ClientPluginContractTests.this.folder;
        }

        @Override
        protected ClientPlugin plugin() {
            return plugin;
        }

        @Override
        protected Url goodTarget() throws IOException {
            ServerSocket listener = untilTheEnd(new ServerSocket(0, 50, InetAddress.getLoopbackAddress()));
            Thread server = new Thread(() -> echo(listener));
            server.setDaemon(true);
            server.start();
            return Url.of("any://127.0.0.1:" + listener.getLocalPort());
        }

        @Override
        protected Url failingTarget() {
            throw new UnsupportedOperationException();
        }

        @Override
        protected Url silentTarget() {
            throw new UnsupportedOperationException();
        }
    }

    /** Echoes on one connection after another. */
    private static void echo(ServerSocket listener) {
        while (!listener.isClosed()) {
            try (Socket socket = listener.accept()) {
                socket.getInputStream().transferTo(socket.getOutputStream());
            } catch (IOException e) {
                // a client has gone, or the test is over
            }
        }
    }

    private void check(Class<? extends BlockingClient> type) throws Exception {
        Contract contract = new Contract(Plugins.ofClass(type));
        try {
            contract.afterTheServiceClosedItsConnectionsCallsSoonSucceedAgain(LoopKind.JDK);
        } finally {
            contract.closeWhatWasKept();
        }
    }

    @Test
    void aClientThatNeverConnectsAnewBreaksIt() {
        assertThatThrownBy(() -> check(StubbornClient.class))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("call 3 after the service closed the connection: a client connects anew");
        assertThatCode(() -> check(WillingClient.class)).doesNotThrowAnyException();
    }
}
