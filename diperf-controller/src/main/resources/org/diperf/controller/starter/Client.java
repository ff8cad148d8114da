package @package@;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import org.diperf.core.spi.BlockingClient;
import org.diperf.core.spi.Call;
import org.diperf.core.spi.Param;
import org.diperf.core.spi.Text;

/**
 * Sends a line to {@code @name@://HOST:PORT} and reads one in answer; replace this by what your service speaks.
 *
 * <p>There is one instance for each simulated client, so fields need no locks.
 */
public final class @class@ implements BlockingClient {

    @Param(help = "line to send", or = "hello ${call}")
    private Text line; // ${...} is filled in for every call

    /** Makes one call, which is timed: returning means success, throwing means failure. */
    @Override
    public void call(Call call) throws IOException {
        InetSocketAddress service = new InetSocketAddress(call.target().host(), call.target().port());
        try (SocketChannel connection = SocketChannel.open(service)) { // ends when the call is interrupted at its timeout
            call.firstOnConnection();
            connection.write(UTF_8.encode(line.of(call) + "\n"));
            String answer = new BufferedReader(Channels.newReader(connection, UTF_8)).readLine();
            if (answer == null) {
                throw new EOFException("no answer");
            }
            call.bytes(answer.length());
            if (answer.startsWith("ERROR")) {
                call.fail("error");
            }
        }
    }
}
