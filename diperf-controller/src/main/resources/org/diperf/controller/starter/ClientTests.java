package @package@;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import org.diperf.core.spi.Url;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.diperf.core.contract.ClientPluginContract;
import org.diperf.core.contract.JdkLoop;
import org.diperf.core.contract.PluginHarness;
import org.diperf.core.plugin.Plugins;
import org.diperf.core.spi.ClientPlugin;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What every client plugin has to keep to is inherited; what this one does is tested here.
 *
 * <p>If you change what the client speaks, change {@code answer()} below as well: it is the service, and speaks lines. {@code goodTarget()}
 * has a right answer of it.
 */
class @class@Tests extends ClientPluginContract {

    @TempDir
    Path folder;

    @Override
    protected ClientPlugin plugin() {
        return Plugins.ofClass(@class@.class);
    }

    /** What would stand under {@code client.with}: a parameter without a default needs a value here. */
    @Override
    protected Map<String, ?> goodParameters() {
        return Map.of();
    }

    @Override
    protected Url goodTarget() throws IOException {
        return service("OK");
    }

    @Override
    protected Url failingTarget() throws IOException {
        ServerSocket listener = listener();
        listener.close(); // connections are refused
        return uri(listener);
    }

    @Override
    protected Url silentTarget() throws IOException {
        return uri(listener()); // the kernel accepts connections, and nobody answers
    }

    @Test
    void anErrorInTheAnswerIsAFailedCall() throws Exception {
        try (PluginHarness harness = new PluginHarness(
                        plugin(), List.of(service("ERROR busy")), goodParameters(), Duration.ofSeconds(5), folder, new JdkLoop());
                PluginHarness.Owned client = harness.client(0)) {
            assertThat(client.call().failure()).isEqualTo("error");
        }
    }

    /** Starts a service that answers every line with the same one. */
    private Url service(String answer) throws IOException {
        ServerSocket listener = listener();
        Thread thread = new Thread(() -> serve(listener, answer), "service");
        thread.setDaemon(true);
        thread.start();
        return uri(listener);
    }

    private static void serve(ServerSocket listener, String answer) {
        while (!listener.isClosed()) {
            try {
                Socket socket = listener.accept();
                Thread thread = new Thread(() -> answer(socket, answer), "connection");
                thread.setDaemon(true);
                thread.start();
            } catch (IOException e) {
                // the test is over
            }
        }
    }

    /**
     * Answers one connection until the client closes it; others are answered meanwhile. This is the service, and it speaks
     * lines: a client of another protocol waits for ever until this speaks that protocol too.
     */
    private static void answer(Socket connection, String answer) {
        try (Socket socket = connection) {
            BufferedReader lines = new BufferedReader(new InputStreamReader(socket.getInputStream(), UTF_8));
            while (lines.readLine() != null) {
                socket.getOutputStream().write((answer + "\n").getBytes(UTF_8));
            }
        } catch (IOException e) {
            // a call was given up
        }
    }

    private ServerSocket listener() throws IOException {
        return untilTheEnd(new ServerSocket(0, 50, InetAddress.getLoopbackAddress()));
    }

    private static Url uri(ServerSocket listener) {
        return Url.of("@name@://127.0.0.1:" + listener.getLocalPort());
    }
}
