package org.diperf.plugins.time;

import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetSocketAddress;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.diperf.core.spi.ClientPlugin;
import org.diperf.core.spi.Parameters;
import org.diperf.core.spi.Session;
import org.diperf.core.spi.SessionContext;
import org.diperf.core.spi.StandIn;
import org.diperf.core.spi.Url;
import org.diperf.plugins.lib.netty.TargetAddress;

/** Asks the time server at {@code time://host:port}. */
public final class TimePlugin implements ClientPlugin {

    @Override
    public String id() {
        return "time";
    }

    @Override
    public String summary() {
        return "queries a DiPerF time server over UDP";
    }

    @Override
    public String exampleTarget() {
        return "time://127.0.0.1:5123";
    }

    @Override
    public void check(Url target, Parameters with) {
        address(target);
    }

    /** Its clients connect to none. */
    @Override
    public List<InetSocketAddress> servers(Url target, Parameters with) {
        return List.of();
    }

    static TargetAddress address(Url target) {
        return TargetAddress.of(target, 0, "time://HOST:PORT of a diperf time-server");
    }

    @Override
    public void probe(Url target, Parameters with, Duration timeout) throws IOException {
        try (DatagramSocket socket = new DatagramSocket()) {
            socket.setSoTimeout((int) Math.max(1, Math.min(Integer.MAX_VALUE, timeout.toMillis())));
            socket.connect(address(target).resolve().first());
            socket.send(new DatagramPacket(TimeRequest.of(0), TimeRequest.BYTES));
            DatagramPacket answer = new DatagramPacket(new byte[TimeRequest.BYTES + 1], TimeRequest.BYTES + 1);
            socket.receive(answer);
            if (!TimeRequest.isAnswer(ByteBuffer.wrap(answer.getData()), answer.getLength())) {
                throw new IOException("expected a time server's answer, got " + answer.getLength() + " other bytes");
            }
        } catch (SocketTimeoutException e) {
            throw new IOException(
                    target.authority() + " did not answer over UDP within " + timeout.toMillis() + " ms", e);
        } catch (IOException e) {
            throw new IOException(target.authority() + " cannot be reached over UDP: " + e.getMessage(), e);
        }
    }

    @Override
    public Optional<StandIn> standIn(Parameters with) throws IOException {
        return Optional.of(new TimeStandIn());
    }

    @Override
    public Session open(SessionContext context) throws IOException {
        return new TimeSession(context);
    }
}
