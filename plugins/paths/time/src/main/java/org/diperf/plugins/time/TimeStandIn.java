package org.diperf.plugins.time;

import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.util.Arrays;
import org.diperf.core.spi.StandIn;
import org.diperf.core.spi.Url;

/** Answers questions on the loopback with stamps that mean nothing, on a thread of its own. */
final class TimeStandIn implements StandIn {

    private final DatagramSocket socket = new DatagramSocket(0, InetAddress.getByAddress(new byte[] {127, 0, 0, 1}));

    TimeStandIn() throws IOException {
        Thread thread = new Thread(this::answer, "diperf-stand-in");
        thread.setDaemon(true);
        thread.start();
    }

    @Override
    public Url target() {
        return Url.of("time://127.0.0.1:" + socket.getLocalPort());
    }

    private void answer() {
        DatagramPacket packet = new DatagramPacket(new byte[TimeRequest.BYTES], TimeRequest.BYTES);
        try {
            while (true) {
                packet.setLength(TimeRequest.BYTES);
                socket.receive(packet);
                byte[] question = Arrays.copyOf(packet.getData(), TimeRequest.BYTES);
                socket.send(new DatagramPacket(
                        TimeRequest.answer(question, 1, 2), TimeRequest.BYTES, packet.getSocketAddress()));
            }
        } catch (IOException e) {
            // Closed: the rehearsal is over.
        }
    }

    @Override
    public void close() {
        socket.close();
    }
}
