package org.diperf.examples.echo;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.diperf.core.spi.BlockingClient;
import org.diperf.core.spi.Call;
import org.diperf.core.spi.Context;
import org.diperf.core.spi.Param;
import org.diperf.core.spi.Text;
import org.jspecify.annotations.Nullable;

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

    @Param(help = "how often the text stands in the line", or = "1")
    private int repeat;

    private @Nullable Socket socket;

    /** Connects; not part of the measured time. */
    @Override
    public void open(Context context) throws IOException {
        URI target = context.target();
        int port = target.getPort() < 0 ? ECHO_PORT : target.getPort();
        int timeoutMillis = (int) context.timeout().toMillis();
        socket = new Socket();
        socket.setTcpNoDelay(true);
        socket.connect(new InetSocketAddress(target.getHost(), port), timeoutMillis);
        // A read from a socket does not notice an interrupt, which is how the framework ends a call at its timeout.
        socket.setSoTimeout(timeoutMillis);
    }

    /** Makes one call: returning means that it went well, throwing that it failed, for the reason thrown. */
    @Override
    public void call(Call call) throws IOException {
        if (socket == null) {
            throw new IOException("not connected");
        }
        byte[] sent = (text.of(call).repeat(repeat) + "\n").getBytes(StandardCharsets.UTF_8);
        socket.getOutputStream().write(sent);
        InputStream in = socket.getInputStream();
        byte[] received = in.readNBytes(sent.length);
        call.bytes(sent.length + received.length);
        if (received.length < sent.length) {
            throw new EOFException("connection closed");
        }
        if (!Arrays.equals(sent, received)) {
            call.fail("wrong echo");
        }
    }

    /** Called once, after the last call, also when {@code open} failed. */
    @Override
    public void close() throws IOException {
        if (socket != null) {
            socket.close();
        }
    }
}
