package org.diperf.controller.relay;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.embedded.EmbeddedChannel;
import org.diperf.core.clock.NanoClock;
import org.diperf.core.security.Role;
import org.diperf.core.wire.Frame;
import org.diperf.tester.transport.FrameDecoder;

/** A relay without its thread and sockets: what it does with frames, and the handlers of its connections. */
public final class HandDrivenRelay {

    private final NanoClock clock;
    private final FrameForwarder forwarding;

    /** @param token of the run */
    public HandDrivenRelay(String token, NanoClock clock) {
        this.clock = clock;
        this.forwarding = new FrameForwarder(token, false, clock, (frame, from) -> frame);
    }

    /** Returns its end of a new connection towards the controller. */
    public EmbeddedChannel connected() {
        EmbeddedChannel channel = new EmbeddedChannel(FrameDecoder.cutting(Frame.MAX_LENGTH), new Upstream());
        forwarding.connected(channel);
        return channel;
    }

    /** Returns its end of a connection of this holder of a certificate. */
    public EmbeddedChannel accept(Role.Holder holder) {
        EmbeddedChannel channel = new EmbeddedChannel();
        FrameDecoder cutter = FrameDecoder.cutting(Frame.MAX_LENGTH_BEFORE_WELCOME);
        Downstream tester = new Downstream(forwarding, channel, null, cutter, clock.nanoTime());
        if (forwarding.opened(tester)) {
            channel.pipeline().addLast(cutter, tester.handler());
            tester.identified(holder);
        } else {
            channel.close();
        }
        return channel;
    }

    private final class Upstream extends ChannelInboundHandlerAdapter {

        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
            forwarding.came(context.channel(), message);
        }

        @Override
        public void channelWritabilityChanged(ChannelHandlerContext context) {
            forwarding.writable(context.channel());
        }

        @Override
        public void channelInactive(ChannelHandlerContext context) {
            forwarding.controllerGone(context.channel());
        }
    }
}
