package org.diperf.examples.echo;

import java.io.EOFException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import org.diperf.core.spi.BlockingClient;
import org.diperf.core.spi.Call;
import org.diperf.core.spi.Param;
import org.diperf.core.spi.Text;
import org.diperf.core.spi.Url;

/**
 * Sends a line to an echo server (RFC 862) at {@code echo://host:port} and reads it back. The class's name gives the
 * plugin its ID, {@code echo}, and that the scheme.
 *
 * <p>There is one instance for each simulated client, used by that client's thread alone: no locks are needed.
 */
public final class EchoClient implements BlockingClient {

    private static final int ECHO_PORT = 7;

    @Param(help = "line to send; ${...} is filled in for every call", or = "x")
    private Text text = Text.parse("x", 0);

    @Param(help = "number of times the text is repeated in the line", or = "1")
    private int repeat;

    /** By target, because an experiment may have several. */
    private final Map<Url, SocketChannel> connections = new HashMap<>();

    /**
     * Makes one call: returning means that it went well, throwing that it failed, for the reason thrown. The framework
     * ends a call at its timeout by an interrupt; a channel notices that, a {@link java.net.Socket} would not.
     */
    @Override
    public void call(Call call) throws IOException {
        SocketChannel connection = connections.get(call.target());
        if (connection == null) {
            connection = connect(call.target());
            connections.put(call.target(), connection);
            call.firstOnConnection();
        }
        try {
            exchange(call, connection);
        } catch (IOException e) {
            connection.close();
            connections.remove(call.target()); // the next call connects again
            throw e;
        }
    }

    private static SocketChannel connect(Url target) throws IOException {
        int port = target.port() < 0 ? ECHO_PORT : target.port();
        SocketChannel made = SocketChannel.open(new InetSocketAddress(target.host(), port));
        made.setOption(StandardSocketOptions.TCP_NODELAY, true);
        return made;
    }

    private void exchange(Call call, SocketChannel connection) throws IOException {
        ByteBuffer sent = StandardCharsets.UTF_8.encode(text.of(call).repeat(repeat) + "\n");
        ByteBuffer received = ByteBuffer.allocate(sent.remaining());
        connection.write(sent.duplicate());
        while (received.hasRemaining()) {
            if (connection.read(received) < 0) {
                throw new EOFException("connection closed");
            }
        }
        call.bytes(2L * received.capacity());
        if (!received.flip().equals(sent)) {
            call.fail("wrong echo");
        }
    }

    /** Called once by the framework, after the last call. */
    @Override
    public void close() throws IOException {
        for (SocketChannel connection : connections.values()) {
            connection.close();
        }
    }
}
