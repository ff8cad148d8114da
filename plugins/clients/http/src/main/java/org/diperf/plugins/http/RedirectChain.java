package org.diperf.plugins.http;

import org.diperf.core.clock.NanoClock;
import org.diperf.core.spi.Answer;
import org.diperf.core.spi.Call;
import org.diperf.core.spi.Memory;
import org.diperf.core.spi.Url;
import org.diperf.plugins.lib.netty.HttpTarget;
import org.jspecify.annotations.Nullable;

/**
 * Where a client's call has been and where it goes next, by the rules of redirects (RFC 9110, section 15.4), with the client's cookies
 * (RFC 6265). Confined to the client's owner.
 */
final class RedirectChain {

    private static final long NONE = -1;

    private final NanoClock clock;
    private final CookieJar jar;
    private long iteration = NONE;

    /** Of the call under way: where its last request went, and by which method. */
    private @Nullable HttpTarget at;

    private String method = "";
    private boolean withBody;
    private boolean crossed;
    private int hops;
    private long begunNanos;
    private long redirectedNanos;
    private long connectNanos;
    private long tlsNanos;

    /** @param memory counts what cookies take */
    RedirectChain(NanoClock clock, Memory memory) {
        this.clock = clock;
        this.jar = new CookieJar(clock, memory);
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
        if (exchange.cookies() == Exchange.Cookies.ITERATION && call.iteration() != iteration) {
            jar.clear();
        }
        iteration = call.iteration();
        HttpTarget first = target.at(RequestWriter.escaped(path));
        at = first;
        method = exchange.method();
        withBody = true;
        crossed = false;
        hops = 0;
        begunNanos = clock.nanoTime();
        connectNanos = NONE;
        tlsNanos = NONE;
        return cookies(exchange, first);
    }

    private @Nullable String cookies(Exchange exchange, HttpTarget to) {
        return exchange.cookies() == Exchange.Cookies.NONE ? null : jar.of(to, to.path());
    }

    /**
     * Takes an answer: its cookies, and what its connection took.
     *
     * @return whether there was memory for the cookies
     */
    boolean answered(Exchange exchange, Answer answer, long itsConnectNanos, long itsTlsNanos) {
        HttpTarget from = at;
        connectNanos = sum(connectNanos, itsConnectNanos);
        tlsNanos = sum(tlsNanos, itsTlsNanos);
        return exchange.cookies() == Exchange.Cookies.NONE
                || from == null
                || jar.take(from, from.path(), answer.headers("Set-Cookie"));
    }

    private static long sum(long before, long more) {
        return more < 0 ? before : Math.max(0, before) + more;
    }

    /** Returns whether an answer leads to another request. */
    static boolean isRedirect(int status, Answer answer) {
        boolean leads = status == 301 || status == 302 || status == 303 || status == 307 || status == 308;
        return leads && answer.header("Location") != null;
    }

    /**
     * Finds where a redirect leads.
     *
     * @return {@code null}: nowhere that can be asked
     */
    @Nullable
    HttpTarget next(Answer answer) {
        String location = answer.header("Location");
        return at == null || location == null ? null : resolved(at, location);
    }

    /**
     * Goes on to where a redirect leads.
     *
     * @param status of the redirect
     * @return the request
     */
    RedirectHop follow(Exchange exchange, int status, HttpTarget to) {
        boolean becomesGet = status == 303 ? !method.equals("HEAD") : status <= 302 && method.equals("POST");
        if (becomesGet) {
            method = "GET";
            withBody = false;
        }
        crossed |= at == null || !at.isSameOrigin(to);
        at = to;
        hops++;
        redirectedNanos = clock.nanoTime();
        return new RedirectHop(to, method, withBody, crossed, cookies(exchange, to));
    }

    /** @param location as octets, of which nobody knows the encoding */
    private static @Nullable HttpTarget resolved(HttpTarget from, String location) {
        StringBuilder reference = new StringBuilder();
        location.strip()
                .replaceFirst("#.*", "")
                .chars()
                .forEach(c -> reference.append(c < 0x80 ? String.valueOf((char) c) : String.format("%%%02X", c)));
        String given = reference.toString();
        if (given.isEmpty() || given.startsWith("?")) {
            // The path stays as the experiment has it.
            return from.at(from.resolve(given));
        }
        try {
            return HttpTarget.of(Url.of(from.url()).resolve(given)).authorizedAs(from);
        } catch (IllegalArgumentException unusable) {
            return null;
        }
    }

    /** Ends the client's life. */
    void close() {
        jar.clear();
    }

    /** Counts the redirects that the call has followed. */
    int hops() {
        return hops;
    }

    /** Returns the time from the call's begin to the last redirect's end. */
    long redirectNanos() {
        return redirectedNanos - begunNanos;
    }

    /** Returns the time of all connections that the call made, or -1 where it made none. */
    long connectNanos() {
        return connectNanos;
    }

    /** Returns the time of all TLS handshakes of the call, or -1 where there was none. */
    long tlsNanos() {
        return tlsNanos;
    }
}
