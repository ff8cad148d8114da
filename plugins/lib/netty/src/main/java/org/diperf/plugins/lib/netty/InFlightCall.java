package org.diperf.plugins.lib.netty;

import org.diperf.core.spi.Call;
import org.diperf.core.spi.Failure;
import org.jspecify.annotations.Nullable;

/**
 * The one call that an asynchronous client has under way, between the loop that owns the client and the event loop that holds
 * its sockets. Confined to the owner, but for {@link #loop}. Nothing is allocated for a call.
 */
public final class InFlightCall {

    private @Nullable OwnedLoop loop;
    private @Nullable Call call;
    private long ticket;

    /** Says where the client's sockets are; to be called when the client is opened. */
    public void open(OwnedLoop on) {
        loop = on;
    }

    /**
     * Returns the loops of the client.
     *
     * @throws IllegalStateException when it was not opened
     */
    public OwnedLoop loop() {
        OwnedLoop opened = loop;
        if (opened == null) {
            throw new IllegalStateException("open was not called");
        }
        return opened;
    }

    /** Runs a task where the sockets are, to close them; does nothing for a client that could not be opened. */
    public void close(Runnable task) {
        if (loop != null) {
            loop.toSockets(task);
        }
    }

    /** Takes the call that begins. */
    public void begin(Call begun) {
        call = begun;
        ticket = begun.ticket();
    }

    /** Reports, where the client is, an event that has come where the sockets are: see {@link Call#event}. */
    public void event(int kind, int count) {
        if (loop().isOne()) {
            report(kind, count);
        } else {
            loop().toOwner(() -> report(kind, count));
        }
    }

    private void report(int kind, int count) {
        if (call != null) {
            var unused = call.event(kind, count);
        }
    }

    /**
     * Lets go of the call that has ended, so that what is known of it can be reported before {@link #end}.
     *
     * @return {@code null} when none is under way, because its end was reported before
     */
    public @Nullable Call take() {
        Call ended = call;
        call = null;
        return ended;
    }

    /**
     * Ends the call that was taken; the last thing to do, because the next one may begin within it.
     *
     * @param failure {@code null} when it went well
     */
    public void end(Call taken, @Nullable Failure failure) {
        if (failure == null) {
            taken.ok(ticket);
        } else {
            taken.fail(ticket, failure);
        }
    }
}
