package org.diperf.controller.page;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.handler.codec.http.DefaultHttpContent;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Who looks at a feed. Each event is encoded once, and its bytes are shared. A viewer that does not read is passed over, gets the
 * whole anew when it reads again, and is dropped after half a minute. Confined to the server's event loop.
 */
final class Viewers {

    static final int MOST = 64;
    private static final long PATIENCE_NANOS = 30_000_000_000L;
    /** A new viewer gets the whole as it was, if that is no longer ago. */
    private static final long FRESH_NANOS = 500_000_000L;

    private static final class Viewer {
        private final Channel channel;
        private boolean behind;
        private long stalledNanos;

        Viewer(Channel channel) {
            this.channel = channel;
        }
    }

    private final EventStream feed;
    private final List<Viewer> viewers = new ArrayList<>();
    private @Nullable ByteBuf whole;
    private long wholeNanos;
    private long skipped;

    Viewers(EventStream feed) {
        this.feed = feed;
    }

    int count() {
        return viewers.size();
    }

    /** Counts the events that were kept from viewers who did not read. */
    long skipped() {
        return skipped;
    }

    /** Adds somebody whose answer has begun; false: there are too many. */
    boolean add(Channel channel, long nowNanos) {
        if (viewers.size() >= MOST) {
            return false;
        }
        viewers.add(new Viewer(channel));
        send(channel, whole(nowNanos));
        channel.closeFuture().addListener(closed -> viewers.removeIf(viewer -> viewer.channel == channel));
        return true;
    }

    private ByteBuf whole(long nowNanos) {
        ByteBuf known = whole;
        if (known == null || nowNanos - wholeNanos > FRESH_NANOS) {
            forget();
            known = encode(feed.whole());
            whole = known;
            wholeNanos = nowNanos;
        }
        return known;
    }

    private void forget() {
        ByteBuf known = whole;
        if (known != null) {
            known.release();
            whole = null;
        }
    }

    /** Tells everybody what is new; nothing is done where nobody looks. */
    void tick(long nowNanos) {
        if (viewers.isEmpty()) {
            forget();
            return;
        }
        String text = feed.change();
        if (text == null) {
            return;
        }
        // Whoever comes next must not miss it.
        forget();
        ByteBuf change = encode(text);
        try {
            for (Viewer viewer : List.copyOf(viewers)) {
                tell(viewer, change, nowNanos);
            }
        } finally {
            change.release();
        }
    }

    private void tell(Viewer viewer, ByteBuf change, long nowNanos) {
        if (!viewer.channel.isWritable()) {
            skipped++;
            if (!viewer.behind) {
                viewer.behind = true;
                viewer.stalledNanos = nowNanos;
            } else if (nowNanos - viewer.stalledNanos > PATIENCE_NANOS) {
                viewer.channel.close();
            }
        } else if (viewer.behind) {
            viewer.behind = false;
            send(viewer.channel, whole(nowNanos));
        } else {
            send(viewer.channel, change);
        }
    }

    private static ByteBuf encode(String event) {
        return Unpooled.wrappedBuffer(event.getBytes(StandardCharsets.UTF_8)).asReadOnly();
    }

    private static void send(Channel channel, ByteBuf event) {
        channel.writeAndFlush(new DefaultHttpContent(event.retainedDuplicate()), channel.voidPromise());
    }

    /** Ends all streams. */
    void close() {
        forget();
        List.copyOf(viewers).forEach(viewer -> viewer.channel.close());
    }
}
