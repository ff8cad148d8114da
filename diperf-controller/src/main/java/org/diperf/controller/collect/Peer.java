package org.diperf.controller.collect;

import io.netty.buffer.ByteBuf;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The other end of one way to the collector: a tester's, or that of a relay with many testers behind it. Confined to the
 * collector's event loop.
 */
abstract class Peer implements UnauthenticatedPeers.PendingPeer {

    /** Who leaves so much unread, or unacknowledged, is cut off: what is sent to a tester is short. */
    static final long MAX_UNSENT_BYTES = 8 << 20;

    private final long openedNanos;
    private boolean authenticated;
    private boolean spoke;
    /** Most peers are one tester. */
    private @Nullable Session only;

    private @Nullable Set<Session> more;

    /** @param openedNanos when it came, on the controller's clock */
    Peer(long openedNanos) {
        this.openedNanos = openedNanos;
    }

    @Override
    public long openedNanos() {
        return openedNanos;
    }

    boolean isAuthenticated() {
        return authenticated;
    }

    /** Lets frames of full length in from now on. */
    void authenticated() {
        authenticated = true;
    }

    /** Takes note of a frame from it; says whether it is the first one. */
    final boolean speaks() {
        boolean first = !spoke;
        spoke = true;
        return first;
    }

    /** Returns whether it may speak for this tester. */
    abstract boolean maySpeakFor(int tester);

    /** Returns whether others are behind it, who must not suffer for one. */
    abstract boolean isRelay();

    /** Names its address, without the port. */
    @Override
    public abstract String address();

    abstract boolean isActive();

    /** Sends a frame, which is consumed. */
    abstract void send(ByteBuf frame);

    /** Stops or continues to read from it. */
    abstract void pause(boolean wanted);

    /** Ends it, after what was sent. */
    @Override
    public abstract void close();

    /** Takes note that a tester is reached by this way. */
    final void attach(Session session) {
        if (only == null && more == null) {
            only = session;
        } else if (only != session) {
            if (more == null) {
                more = new HashSet<>();
            }
            if (only != null) {
                more.add(only);
                only = null;
            }
            more.add(session);
        }
    }

    final void detach(Session session) {
        if (only == session) {
            only = null;
        } else if (more != null) {
            more.remove(session);
        }
    }

    /** Says of all that are reached by it why it is to be closed at once. */
    final void tellUnread() {
        for (Session session : sessions()) {
            session.tell("left more than " + (MAX_UNSENT_BYTES >> 20) + " MiB unread; its connection is closed");
        }
    }

    /** Lists the testers that are reached by this way. */
    final List<Session> sessions() {
        return only != null ? List.of(only) : more == null ? List.of() : List.copyOf(more);
    }
}
