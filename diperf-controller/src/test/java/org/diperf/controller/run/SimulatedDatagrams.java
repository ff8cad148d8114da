package org.diperf.controller.run;

import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.channel.socket.DatagramPacket;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.random.RandomGenerator;
import org.diperf.controller.collect.HandDrivenCollector;
import org.jspecify.annotations.Nullable;

/** The network between testers and the controller for datagrams, which it loses, doubles and reorders. */
final class SimulatedDatagrams {

    private final List<DatagramPacket> underWay = new ArrayList<>();
    private final List<SimulatedTester> testers;

    private final Predicate<SimulatedTester> isCutOff;

    /** @param isCutOff whether nothing reaches a tester, and nothing it */
    SimulatedDatagrams(List<SimulatedTester> testers, Predicate<SimulatedTester> isCutOff) {
        this.testers = testers;
        this.isCutOff = isCutOff;
    }

    private boolean isLost(DatagramPacket packet) {
        return testers.stream().filter(isCutOff).anyMatch(tester -> {
            EmbeddedChannel channel = tester.datagrams();
            return channel != null
                    && (channel.localAddress().equals(packet.recipient())
                            || channel.localAddress().equals(packet.sender()));
        });
    }

    private static @Nullable EmbeddedChannel at(
            InetSocketAddress address, List<SimulatedTester> testers, @Nullable HandDrivenCollector collector) {
        if (address.equals(HandDrivenCollector.ADDRESS)) {
            return collector == null ? null : collector.datagrams();
        }
        for (SimulatedTester tester : testers) {
            EmbeddedChannel channel = tester.datagrams();
            if (channel != null && channel.localAddress().equals(address)) {
                return channel;
            }
        }
        return null;
    }

    /** Takes what was sent. */
    void gather(@Nullable HandDrivenCollector collector) {
        if (collector != null) {
            gather(collector.datagrams());
        }
        for (SimulatedTester tester : testers) {
            EmbeddedChannel channel = tester.datagrams();
            if (channel != null) {
                channel.runPendingTasks();
                gather(channel);
            }
        }
    }

    private void gather(EmbeddedChannel channel) {
        InetSocketAddress from = (InetSocketAddress) channel.localAddress();
        for (DatagramPacket each = channel.readOutbound(); each != null; each = channel.readOutbound()) {
            underWay.add(new DatagramPacket(
                    Unpooled.wrappedBuffer(ByteBufUtil.getBytes(each.content())), each.recipient(), from));
            each.release();
        }
    }

    /** Lets something happen to one of those under way. */
    void deliver(RandomGenerator random, @Nullable HandDrivenCollector collector) {
        gather(collector);
        if (underWay.isEmpty()) {
            return;
        }
        int which = random.nextBoolean() ? 0 : random.nextInt(underWay.size());
        int what = random.nextInt(10);
        if (what == 0) {
            underWay.remove(which);
        } else {
            deliver(what == 1 ? underWay.get(which) : underWay.remove(which), collector);
        }
    }

    /** Delivers all of them, in order. */
    void deliverAll(@Nullable HandDrivenCollector collector) {
        gather(collector);
        List<DatagramPacket> now = List.copyOf(underWay);
        underWay.clear();
        now.forEach(packet -> deliver(packet, collector));
        gather(collector);
    }

    private void deliver(DatagramPacket packet, @Nullable HandDrivenCollector collector) {
        EmbeddedChannel to = isLost(packet) ? null : at(packet.recipient(), testers, collector);
        if (to != null && to.config().isAutoRead()) {
            to.writeInbound(packet.copy());
        } else if (to != null) {
            underWay.add(packet);
        }
    }
}
