package org.diperf.plugins.tcp;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.diperf.core.spi.ClientPlugin;
import org.diperf.core.spi.Parameter;
import org.diperf.core.spi.Parameter.Type;
import org.diperf.core.spi.Parameters;
import org.diperf.core.spi.Session;
import org.diperf.core.spi.SessionContext;

/** Sends bytes to {@code tcp://host:port} and waits for the answer. */
public final class TcpPlugin implements ClientPlugin {

    @Override
    public String id() {
        return "tcp";
    }

    @Override
    public String summary() {
        return "sends bytes over a TCP connection and waits for an echo or a line";
    }

    @Override
    public Set<String> schemes() {
        return Set.of("tcp");
    }

    @Override
    public String exampleTarget() {
        return "tcp://127.0.0.1:7777";
    }

    @Override
    public List<Parameter> parameters() {
        return List.of(
                Parameter.withDefault("send", Type.TEXT, "x", "what to send, in UTF-8; at least one character"),
                Parameter.withDefault(
                                "answer",
                                Type.STRING,
                                "echo",
                                "what to wait for: the same bytes, or bytes up to the end of a line")
                        .oneOf("echo", "line"));
    }

    @Override
    public void check(URI target, Parameters with) {
        address(target);
        if (with.text("send").toString().isEmpty()) {
            throw new IllegalArgumentException("send: expected at least one character, got none");
        }
    }

    /**
     * Reads the target.
     *
     * @throws IllegalArgumentException when it has no host or no port
     */
    static InetSocketAddress address(URI target) {
        if (target.getHost() == null || target.getPort() <= 0) {
            throw new IllegalArgumentException("target: expected tcp://HOST:PORT, got '" + target + "'");
        }
        return InetSocketAddress.createUnresolved(target.getHost(), target.getPort());
    }

    @Override
    public void probe(URI target, Parameters with, Duration timeout) throws IOException {
        try (Socket socket = new Socket()) {
            int millis = (int) Math.max(1, Math.min(Integer.MAX_VALUE, timeout.toMillis()));
            socket.connect(TcpSession.resolve(target), millis);
        } catch (IOException e) {
            throw new IOException(target.getAuthority() + " cannot be reached: " + e.getMessage(), e);
        }
    }

    @Override
    public Session open(SessionContext context) throws IOException {
        return new TcpSession(context);
    }
}
