package org.diperf.plugins.http;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.diperf.core.spi.Call;
import org.diperf.core.spi.Parameters;
import org.diperf.core.spi.Text;
import org.diperf.plugins.lib.http2.RequestHead;
import org.diperf.plugins.lib.netty.HttpTarget;
import org.jspecify.annotations.Nullable;

/** How the experiment's requests are made as HTTP/2, and judged. Immutable, and shared by all clients. */
final class Http2Requests {

    private static final String TRACE = "traceparent";
    private static final String AUTHORIZATION = "authorization";
    private static final byte[] NOTHING = {};

    // What decides on the fields of a request to which a redirect leads.
    private static final int OVER_TLS = 1;
    private static final int WITH_BODY = 2;
    private static final int CROSSED = 4;
    private static final int HOPS = 8;

    /** One of the experiment's requests. */
    final class Of {
        private final Exchange exchange;
        private final @Nullable Text path;
        private final RequestHeaders fields;
        private final RequestBody body;
        private final boolean tellsLength;
        /** With the query, by target; none where the path changes from call to call. */
        private final List<String> paths = new ArrayList<>();
        /** By target. */
        private final List<Http2Head> heads = new ArrayList<>();
        /** The same with the id of a trace, which a call brings; empty where the file has one of its own. */
        private final List<Http2Head> traced = new ArrayList<>();
        /** Of requests to which redirects lead, by what decides on their fields. */
        private final List<Http2Head> ofHops = new ArrayList<>();

        private Of(Parameters with) throws IOException {
            exchange = Exchange.of(with);
            path = with.has("path") ? with.text("path") : null;
            fields = new RequestHeaders(with, exchange.cookies());
            body = RequestBody.of(with);
            tellsLength = fields.isFree("content-length")
                    && (!body.isConstant()
                            || body.of(Text::fixed).length > 0
                            || RequestWriter.WITH_BODY.contains(exchange.method()));
            Text same = path;
            if (same == null || same.isConstant()) {
                targets.forEach(target -> paths.add(target.resolve(same == null ? null : same.fixed())));
            }
            for (int i = 0; i < targets.size(); i++) {
                heads.add(head(i).build());
                if (fields.isFree(TRACE)) {
                    traced.add(trace(head(i)).build());
                }
            }
            if (exchange.follow() > 0) {
                addHeadsOfHops();
            }
        }

        private Http2Head.Builder head(int place) {
            HttpTarget target = targets.get(place);
            Http2Head.Builder head = begun(exchange.method(), target.tls());
            if (paths.isEmpty()) {
                head.varying(":path", given -> RequestWriter.escaped(given.path()));
            } else {
                head.fixed(":path", RequestWriter.escaped(paths.get(place)));
            }
            head.fixed(":authority", authority(target, false));
            if (!target.authorization().isEmpty() && fields.isFree(AUTHORIZATION)) {
                head.fixed(AUTHORIZATION, target.authorization());
            }
            addFields(head, true, false);
            return head;
        }

        /** Makes what redirects may lead to: few heads, as connections remember each of them, however many places there are. */
        private void addHeadsOfHops() {
            for (int key = 0; key < HOPS; key++) {
                boolean tls = (key & OVER_TLS) != 0;
                boolean withBody = (key & WITH_BODY) != 0;
                Http2Head.Builder head = begun(withBody ? exchange.method() : "GET", tls)
                        .varying(":path", given -> RequestWriter.escaped(given.path()))
                        .varying(":authority", Http2Head.Given::authority);
                if (fields.isFree(AUTHORIZATION)) {
                    head.varying(AUTHORIZATION, Http2Head.Given::authorization);
                }
                addFields(head, withBody, (key & CROSSED) != 0);
                ofHops.add(fields.isFree(TRACE) ? trace(head).build() : head.build());
            }
        }

        private Http2Head.Builder begun(String method, boolean tls) {
            return new Http2Head.Builder(family).fixed(":method", method).fixed(":scheme", tls ? "https" : "http");
        }

        private static Http2Head.Builder trace(Http2Head.Builder head) {
            return head.varying(TRACE, given -> {
                String trace = given.call().traceparent();
                return trace.isEmpty() ? null : trace;
            });
        }

        /** Adds all but what says where the request goes. */
        private void addFields(Http2Head.Builder head, boolean withBody, boolean crossed) {
            if (fields.isFree("user-agent")) {
                head.fixed("user-agent", "diperf");
            }
            if (fields.isFree("accept")) {
                head.fixed("accept", "*/*");
            }
            if (exchange.compressed() && fields.isFree("accept-encoding")) {
                head.fixed("accept-encoding", "gzip, deflate");
            }
            String type = body.contentType();
            if (withBody && type != null && fields.isFree("content-type")) {
                head.fixed("content-type", type);
            }
            if (withBody && tellsLength && body.isConstant()) {
                head.fixed("content-length", String.valueOf(body.of(Text::fixed).length));
            } else if (withBody && tellsLength) {
                head.varying("content-length", given -> String.valueOf(given.bodyBytes()));
            }
            fields.tell(withBody, crossed, head::own);
            if (exchange.cookies() != Exchange.Cookies.NONE) {
                // One field: in several, as RFC 9113 allows (section 8.2.3), they would be no smaller, as no table
                // holds them.
                head.varying("cookie", given -> fields.cookies(utf8(given.jar()), given.call(), crossed));
            }
        }

        /** Returns what stands in for a Host field, which HTTP/2 has under another name. */
        private String authority(HttpTarget target, boolean crossed) {
            Text host = crossed ? null : fields.of("host");
            return host != null && host.isConstant() ? host.fixed() : target.authority();
        }

        /** Returns what the request is to be, and how its answer is judged. */
        Exchange exchange() {
            return exchange;
        }

        /** Returns the body of a call; always the same object where it is constant. */
        byte[] body(Call call) {
            return body.isConstant() ? body.of(Text::fixed) : body.of(text -> text.of(call));
        }

        /** Returns the body of a request to which a redirect leads. */
        byte[] body(Call call, RedirectHop hop) {
            return hop.withBody() ? body(call) : NOTHING;
        }

        /** Returns the path of a call with the query, before it is escaped. */
        String path(Call call) {
            int place = call.targetIndex();
            return paths.isEmpty() ? targets.get(place).resolve(path == null ? null : path.of(call)) : paths.get(place);
        }

        /**
         * Returns the head of a call; always the same object where it is constant and carries no trace.
         *
         * @param jar the client's cookies for its server; {@code null}: none
         */
        RequestHead head(Call call, byte[] content, @Nullable String jar) {
            boolean traces = !traced.isEmpty() && !call.traceparent().isEmpty();
            Http2Head head = (traces ? traced : heads).get(call.targetIndex());
            RequestHead same = head.same();
            return same != null ? same : head.of(new Http2Head.Given(call, path(call), "", content.length, null, jar));
        }

        /** Returns the head of a request to which a redirect leads. */
        RequestHead head(Call call, byte[] content, RedirectHop hop) {
            HttpTarget to = hop.to();
            int key = (to.tls() ? OVER_TLS : 0) | (hop.withBody() ? WITH_BODY : 0) | (hop.crossed() ? CROSSED : 0);
            String authority = authority(to, hop.crossed());
            return ofHops.get(key)
                    .of(new Http2Head.Given(
                            call,
                            to.path(),
                            authority,
                            content.length,
                            to.authorization().isEmpty() ? null : to.authorization(),
                            hop.cookies()));
        }
    }

    private final List<HttpTarget> targets;
    private final RequestHead.Family family = new RequestHead.Family();
    private final List<Of> requests = new ArrayList<>();

    /**
     * @param requests parameters of each
     * @param targets of the experiment
     * @throws IOException when a body's file cannot be read
     */
    Http2Requests(List<Parameters> requests, List<HttpTarget> targets) throws IOException {
        this.targets = List.copyOf(targets);
        for (Parameters with : requests) {
            this.requests.add(new Of(with));
        }
    }

    /** Returns how a call is made. */
    Of of(Call call) {
        return requests.get(requests.size() == 1 ? 0 : call.request());
    }

    /** Returns a text that is sent as the octets that came: they were read as one character each, and are written in UTF-8. */
    private static @Nullable String utf8(@Nullable String octets) {
        return octets == null ? null : new String(octets.getBytes(StandardCharsets.ISO_8859_1), StandardCharsets.UTF_8);
    }
}
