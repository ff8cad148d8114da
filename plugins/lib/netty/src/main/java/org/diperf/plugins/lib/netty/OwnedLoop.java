package org.diperf.plugins.lib.netty;

import io.netty.channel.EventLoop;
import org.diperf.core.spi.Loop;

/**
 * The event loop that holds a client's sockets, and the way between it and the loop that owns the client. Where they are
 * one, tasks run at once and cost nothing.
 */
public final class OwnedLoop {

    private final Loop owner;
    private final EventLoop eventLoop;
    private final boolean one;

    OwnedLoop(Loop owner, EventLoop eventLoop) {
        this.owner = owner;
        this.eventLoop = eventLoop;
        this.one = eventLoop.inEventLoop();
    }

    /** Returns the loop of the sockets. */
    public EventLoop eventLoop() {
        return eventLoop;
    }

    /** Returns whether the client's owner is the event loop. */
    public boolean isOne() {
        return one;
    }

    /** Runs a task of the owner where the sockets are. */
    public void toSockets(Runnable task) {
        if (one) {
            task.run();
        } else {
            eventLoop.execute(task);
        }
    }

    /** Runs a task of the sockets, once calls that are due now have begun where sockets and client are on one loop; else soon. */
    public void afterCalls(Runnable task) {
        if (one) {
            owner.afterCalls(task);
        } else {
            eventLoop.execute(task);
        }
    }

    /** Runs a task of the sockets where the client is. */
    public void toOwner(Runnable task) {
        if (one) {
            task.run();
        } else {
            owner.execute(task);
        }
    }
}
