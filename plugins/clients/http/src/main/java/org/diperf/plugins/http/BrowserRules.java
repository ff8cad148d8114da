package org.diperf.plugins.http;

import java.io.IOException;
import org.diperf.core.spi.Answer;
import org.diperf.core.spi.Call;
import org.diperf.core.spi.Failure;
import org.diperf.core.spi.Memory;
import org.diperf.plugins.lib.netty.Addresses;
import org.diperf.plugins.lib.netty.ConnectionReporter;
import org.diperf.plugins.lib.netty.HttpTarget;
import org.diperf.plugins.lib.netty.InFlightCall;
import org.diperf.plugins.lib.netty.OwnedLoop;
import org.jspecify.annotations.Nullable;

/**
 * What a browser does around the requests of one user: it sends and takes cookies and follows redirects, whatever the version of HTTP.
 * Confined to the client's owner.
 */
final class BrowserRules {

    /** Makes requests as the client's version of HTTP has them. What it throws, it throws before it has begun. */
    interface Requester {

        /**
         * Makes the next request of a call at a target.
         *
         * @param lane of the client's connections
         */
        void ask(Call call, RedirectHop hop, int lane) throws IOException;

        /**
         * Makes the next request of a call at a server that is no target.
         *
         * @param addresses of the server, or of the proxy on the way to it
         */
        void askElsewhere(Call call, RedirectHop hop, Addresses addresses) throws IOException;
    }

    private static final Failure CANCELLED = Failure.ofService("cancelled");

    private final HttpSession session;
    private final Requester requester;
    private final RedirectChain trail;
    /** The call whose next request waits for the addresses of a host. */
    private final InFlightCall searching = new InFlightCall();
    /** Counts the searches for hosts, so that one that is no longer waited for is known. */
    private int searches;

    private boolean cancelled;
    private @Nullable Failure stopped;

    BrowserRules(HttpSession session, OwnedLoop loop, Requester requester) {
        this.session = session;
        this.requester = requester;
        this.trail = new RedirectChain(session.clock(), session.memory());
        searching.open(loop);
    }

    /**
     * Begins a call.
     *
     * @param target of its first request
     * @param path of that one, with the query, before it is escaped
     * @return the client's cookies for it; {@code null}: none
     */
    @Nullable
    String begin(Call call, Exchange exchange, HttpTarget target, String path) {
        cancelled = false;
        return trail.begin(call, exchange, target, path);
    }

    /**
     * Takes an answer that came whole: its cookies, and where it leads.
     *
     * @param connectNanos what its connection took, -1 where there was one before
     * @param tlsNanos what the handshake took, -1 where there was none
     * @return whether the call goes on, and may have ended since; {@link #stopped} says why it does not where it should
     */
    boolean goesOn(Call call, Exchange made, int status, Answer came, long connectNanos, long tlsNanos) {
        stopped = null;
        if (!trail.answered(made, came, connectNanos, tlsNanos)) {
            stopped = Memory.FULL;
            return false;
        }
        boolean leads = made.follow() > 0 && RedirectChain.isRedirect(status, came);
        if (leads && follow(call, made, status, came)) {
            return true;
        }
        if (trail.hops() > 0) {
            call.metric(HttpPlugin.REDIRECTS, trail.hops());
            ConnectionReporter.tell(call, HttpPlugin.REDIRECT_TIME, trail.redirectNanos());
            ConnectionReporter.tell(call, ConnectionReporter.CONNECT, trail.connectNanos());
            ConnectionReporter.tell(call, ConnectionReporter.TLS, trail.tlsNanos());
        }
        return false;
    }

    /** Says why the last redirect was not followed; {@code null}: it was, or there was none. */
    @Nullable
    Failure stopped() {
        return stopped;
    }

    private boolean follow(Call call, Exchange made, int status, Answer redirect) {
        HttpTarget to = trail.next(redirect);
        if (cancelled) {
            stopped = CANCELLED;
            return false;
        }
        if (trail.hops() >= made.follow()) {
            stopped =
                    Failure.ofService("more than " + made.follow() + (made.follow() == 1 ? " redirect" : " redirects"));
            return false;
        }
        if (to == null) {
            stopped = Failure.ofService("redirect to no usable location");
            return false;
        }
        RedirectHop hop = trail.follow(made, status, to);
        try {
            ask(call, hop);
            return true;
        } catch (IOException | IllegalArgumentException e) {
            stopped = Failure.of(e);
            return false;
        }
    }

    private void ask(Call call, RedirectHop hop) throws IOException {
        int lane = session.laneTo(call, hop.to());
        Addresses addresses = lane < 0 ? session.addressesOf(call, hop.to()) : null;
        if (lane >= 0) {
            requester.ask(call, hop, lane);
        } else if (addresses != null) {
            requester.askElsewhere(call, hop, addresses);
        } else {
            search(call, hop);
        }
    }

    /** Finds the addresses of a host before its request can be made. */
    private void search(Call call, RedirectHop hop) {
        OwnedLoop loop = searching.loop();
        searching.begin(call);
        int mine = ++searches;
        session.redirectHosts()
                .find(
                        hop.to(),
                        (addresses, failure) -> loop.eventLoop()
                                .execute(() -> loop.toOwner(() -> {
                                    if (mine == searches) {
                                        found(hop, addresses, failure);
                                    }
                                })));
    }

    private void found(RedirectHop hop, @Nullable Addresses addresses, @Nullable Failure failure) {
        if (addresses == null) {
            end(failure);
            return;
        }
        Call call = searching.take();
        if (call == null) {
            return;
        }
        try {
            requester.askElsewhere(call, hop, addresses);
        } catch (IOException | IllegalArgumentException e) {
            searching.end(call, Failure.of(e));
        }
    }

    /**
     * Gives up the call under way.
     *
     * @return whether none of its requests was, so that it has ended
     */
    boolean cancel() {
        cancelled = true;
        return end(CANCELLED);
    }

    /** Ends the call that is between two of its requests, if one is. */
    private boolean end(@Nullable Failure why) {
        Call ending = searching.take();
        if (ending == null) {
            return false;
        }
        searching.end(ending, why);
        return true;
    }

    /** Ends the client's life. */
    void close() {
        searching.take();
        trail.close();
    }
}
