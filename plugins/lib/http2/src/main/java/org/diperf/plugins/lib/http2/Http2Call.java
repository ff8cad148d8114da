package org.diperf.plugins.lib.http2;

import java.io.IOException;
import org.diperf.core.spi.Call;
import org.diperf.core.spi.Context;
import org.diperf.core.spi.Failure;
import org.diperf.plugins.lib.netty.ConnectionReporter;
import org.diperf.plugins.lib.netty.InFlightCall;
import org.diperf.plugins.lib.netty.OwnedLoop;
import org.jspecify.annotations.Nullable;

/**
 * The calls of one asynchronous client by HTTP/2, one after another, each an exchange on a connection that clients may share, or several
 * where an answer leads on to the next. The client passes on what it is asked to do. {@link #open}, {@link #make}, {@link #makeNext},
 * {@link #seat}, {@link #cancel}, {@link #leave}, {@link #close}, {@link #peer} and {@link #report} are confined to the client's owner, all
 * else to the loop of the connection; where the two are not one, they exchange messages.
 */
public abstract class Http2Call extends Http2Stream {

    private final Http2Clients clients;
    private final InFlightCall inFlight = new InFlightCall();
    /** By target. */
    private final @Nullable Http2ClientSlot[] seats;

    /** Where the call under way is. */
    private @Nullable Http2ClientSlot current;

    private int requestBytes;
    /** Of all requests of the call, -1 where none waited. */
    private long waitedNanos;

    private int resentTimes;
    /** Whether the call under way only connects. */
    private boolean connects;

    private @Nullable Failure failure;

    /**
     * @param clients of the session
     * @param targets how many there are
     */
    protected Http2Call(Http2Clients clients, int targets) {
        this.clients = clients;
        this.seats = new Http2ClientSlot[targets];
    }

    /** Begins the client's life. */
    public final void open(Context context) {
        inFlight.open(clients.loops().of(context.loop()));
    }

    /** Returns the loops of the client, once it is open. */
    public final OwnedLoop loop() {
        return inFlight.loop();
    }

    /**
     * Makes a call. What the exchange is to know of it has to be there; the exchange before has ended.
     *
     * @param headOnly whether the response has no body, whatever it says of its length
     * @throws IOException when the client's certificate cannot be read
     */
    public final void make(Call call, RequestHead head, byte[] body, boolean headOnly) throws IOException {
        Http2ClientSlot at = seat(call, call.targetIndex());
        waitedNanos = -1;
        resentTimes = 0;
        makeNext(call, at, head, body, headOnly);
    }

    /**
     * Connects for a call, which ends then; the exchange before has ended.
     *
     * @throws IOException when the client's certificate cannot be read
     */
    public final void connect(Call call) throws IOException {
        Http2ClientSlot at = seat(call, call.targetIndex());
        current = at;
        dialogue = null;
        connects = true;
        inFlight.begin(call);
        inFlight.loop().toSockets(() -> at.connect(clients, this));
    }

    /**
     * Makes the next request of a call, whose one before has been {@link #report reported}.
     *
     * @param at where
     * @param headOnly whether the response has no body, whatever it says of its length
     */
    public final void makeNext(Call call, Http2ClientSlot at, RequestHead head, byte[] body, boolean headOnly) {
        current = at;
        requestBytes = body.length;
        failure = null;
        dialogue = call.dialogue();
        inFlight.begin(call);
        OwnedLoop loop = inFlight.loop();
        // No task is made where none is needed.
        if (loop.isOne()) {
            at.begin(clients, this, head, body, headOnly);
        } else {
            loop.toSockets(() -> at.begin(clients, this, head, body, headOnly));
        }
    }

    /**
     * Returns the client's seat at a target.
     *
     * @param call one of the client's
     * @throws IOException when the client's certificate cannot be read
     */
    public final Http2ClientSlot seat(Call call, int target) throws IOException {
        Http2ClientSlot known = seats[target];
        if (known != null) {
            return known;
        }
        Http2ClientSlot made = new Http2ClientSlot(peer(call, target), call.client());
        seats[target] = made;
        return made;
    }

    /** Gives up the call under way, which ends it; nothing happens where it has ended. */
    public final void cancel() {
        Http2ClientSlot at = current;
        if (at != null) {
            inFlight.loop().toSockets(() -> at.cancel(this));
        }
    }

    /** Gives up a seat; no exchange may be under way there. */
    public final void leave(Http2ClientSlot seat) {
        inFlight.close(seat::leave);
    }

    /** Ends the client's life. */
    public final void close() {
        for (Http2ClientSlot seat : seats) {
            if (seat != null) {
                leave(seat);
            }
        }
    }

    @Override
    protected final void ended(@Nullable Failure why) {
        failure = why == null && !connects ? judged() : why;
        OwnedLoop loop = inFlight.loop();
        if (loop.isOne()) {
            report();
        } else {
            loop.toOwner(this::report);
        }
    }

    private void report() {
        Call ending = inFlight.take();
        if (ending == null) {
            return;
        }
        if (connects) {
            connects = false;
            end(ending, failure);
            return;
        }
        ending.bytes(requestBytes + bodyBytes());
        ConnectionReporter.tell(ending, connectNanos(), tlsNanos());
        if (waitNanos() >= 0) {
            waitedNanos = Math.max(0, waitedNanos) + waitNanos();
            ConnectionReporter.tell(ending, Http2Clients.STREAM_WAIT, waitedNanos);
        }
        if (resent() > 0) {
            resentTimes += resent();
            ending.metric(Http2Clients.RESENT, resentTimes);
        }
        report(ending, failure);
    }

    /**
     * Ends a call that is being reported; the last thing to do, because the next one may begin within it.
     *
     * @param why {@code null} when it went well
     */
    protected final void end(Call ending, @Nullable Failure why) {
        inFlight.end(ending, why);
    }

    /** Reports a part of the response that has come: see {@link Call#event}. */
    protected final void event(int kind, int count) {
        inFlight.event(kind, count);
    }

    /**
     * Returns a target as the client connects to it; asked once for each.
     *
     * @param call one of the client's
     * @param target its place, from 0
     * @throws IOException when the client's certificate cannot be read
     */
    protected abstract Http2Peer peer(Call call, int target) throws IOException;

    /** Returns what is wrong with a response that has come whole; {@code null}: nothing. */
    protected abstract @Nullable Failure judged();

    /**
     * Tells of a call what only this client knows, and {@link #end ends} it or {@link #makeNext makes its next request}.
     *
     * @param failure of the exchange; {@code null}: it went well
     */
    protected abstract void report(Call ending, @Nullable Failure failure);
}
