package org.diperf.plugins.lib.http2;

import java.io.IOException;
import org.diperf.core.spi.Call;
import org.diperf.core.spi.Context;
import org.diperf.core.spi.Failure;
import org.diperf.plugins.lib.netty.CallInFlight;
import org.diperf.plugins.lib.netty.Connecting;
import org.diperf.plugins.lib.netty.OwnedLoop;
import org.jspecify.annotations.Nullable;

/**
 * The calls of one asynchronous client by HTTP/2, one after another, each an exchange on a connection that clients may share. The client
 * passes on what it is asked to do. {@link #open}, {@link #make}, {@link #cancel}, {@link #close}, {@link #peer} and {@link #report} are
 * confined to the client's owner, all else to the loop of the connection; where the two are not one, they exchange messages.
 */
public abstract class Http2Call extends Http2Stream {

    private final Http2Clients clients;
    private final CallInFlight inFlight = new CallInFlight();
    /** By target. */
    private final @Nullable Http2Peer[] peers;

    /** By target. Confined to the event loop. */
    private final @Nullable Http2Link[] links;

    private int requestBytes;
    private @Nullable Failure failure;

    /**
     * @param clients of the session
     * @param targets how many there are
     */
    protected Http2Call(Http2Clients clients, int targets) {
        this.clients = clients;
        this.peers = new Http2Peer[targets];
        this.links = new Http2Link[targets];
    }

    /** Begins the client's life. */
    public final void open(Context context) {
        inFlight.open(clients.loops().of(context.loop()));
    }

    /**
     * Makes a call. What the exchange is to know of it has to be there; the exchange before has ended.
     *
     * @param headOnly whether the response has no body, whatever it says of its length
     * @throws IOException when the client's certificate cannot be read
     */
    public final void make(Call call, RequestHead head, byte[] body, boolean headOnly) throws IOException {
        int target = call.targetIndex();
        Http2Peer known = peers[target];
        Http2Peer peer = known == null ? peer(call) : known;
        peers[target] = peer;
        requestBytes = body.length;
        failure = null;
        dialogue = call.dialogue();
        inFlight.begin(call);
        OwnedLoop loop = inFlight.loop();
        // No task is made where none is needed.
        if (loop.isOne()) {
            begin(target, peer, head, body, headOnly);
        } else {
            loop.toSockets(() -> begin(target, peer, head, body, headOnly));
        }
    }

    private void begin(int target, Http2Peer peer, RequestHead head, byte[] body, boolean headOnly) {
        Http2Link link = links[target];
        if (link == null) {
            link = clients.of(inFlight.loop()).join(peer);
            links[target] = link;
        }
        link.begin(this, head, body, true, headOnly);
    }

    /** Gives up a call, which ends it; nothing happens where it has ended. */
    public final void cancel(Call call) {
        int target = call.targetIndex();
        inFlight.loop().toSockets(() -> {
            Http2Link link = links[target];
            if (link != null) {
                link.cancel(this);
            }
        });
    }

    /** Ends the client's life. */
    public final void close() {
        inFlight.close(() -> {
            for (int i = 0; i < links.length; i++) {
                Http2Link link = links[i];
                if (link != null) {
                    link.leave();
                    links[i] = null;
                }
            }
        });
    }

    @Override
    protected final void ended(@Nullable Failure why) {
        failure = why == null ? judged() : why;
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
        ending.bytes(requestBytes + bodyBytes());
        Connecting.tell(ending, connectNanos(), tlsNanos());
        Connecting.tell(ending, Http2Clients.STREAM_WAIT, waitNanos());
        if (resent() > 0) {
            ending.metric(Http2Clients.RESENT, resent());
        }
        Failure why = failure;
        report(ending, why);
        inFlight.end(ending, why);
    }

    /**
     * Returns the server of a call; asked once for each target.
     *
     * @throws IOException when the client's certificate cannot be read
     */
    protected abstract Http2Peer peer(Call call) throws IOException;

    /** Returns what is wrong with a response that has come whole; {@code null}: nothing. */
    protected abstract @Nullable Failure judged();

    /**
     * Tells of a call what only this client knows.
     *
     * @param failure with which it ends; {@code null}: it went well
     */
    protected abstract void report(Call ending, @Nullable Failure failure);
}
