package org.diperf.plugins.http;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.diperf.core.clock.NanoClock;
import org.diperf.core.spi.ClientPlugin;
import org.diperf.core.spi.Metric;
import org.diperf.core.spi.Parameter;
import org.diperf.core.spi.Parameter.Type;
import org.diperf.core.spi.Parameters;
import org.diperf.core.spi.Session;
import org.diperf.core.spi.SessionContext;
import org.diperf.core.spi.StandIn;
import org.diperf.core.spi.Text;
import org.diperf.core.spi.Url;
import org.diperf.plugins.lib.http2.Http2Clients;
import org.diperf.plugins.lib.http2.Http2StandIn;
import org.diperf.plugins.lib.netty.ClientTls;
import org.diperf.plugins.lib.netty.ConnectionReporter;
import org.diperf.plugins.lib.netty.HttpConversation;
import org.diperf.plugins.lib.netty.HttpTarget;
import org.diperf.plugins.lib.netty.LoopbackServer;

/** Makes requests of HTTP/1.1 or HTTP/2. */
public final class HttpPlugin implements ClientPlugin {

    static final Metric FIRST_BYTE =
            new Metric("first-byte", "ms", "time from writing the request's last byte to reading the response's first");

    static final Metric REDIRECTS =
            new Metric("redirects", "times", "number of redirects that a call followed, if any");
    static final Metric REDIRECT_TIME = new Metric(
            "redirect-time",
            "ms",
            "time from the start of the call to the end of the last redirect, for calls " + "that followed any");
    static final Metric WIRE_SIZE =
            new Metric("wire-size", "bytes", "size of the response body as received, if compressed is on");
    static final Metric BODY_SIZE =
            new Metric("body-size", "bytes", "size of the response body after decompression, if compressed is on");

    static final Metric CACHE_HIT =
            new Metric("cache.hit", "bytes", "size of the body of each response served from a proxy's cache (hit)");
    static final Metric CACHE_REVALIDATED = new Metric(
            "cache.revalidated",
            "bytes",
            "size of the body of each response served from a proxy's cache after revalidation");
    static final Metric CACHE_MISS =
            new Metric("cache.miss", "bytes", "size of the body of each response that a proxy fetched (miss)");

    private static final int MAX_REDIRECTS = 50;

    private static final String TOKEN = "[!#$%&'*+.^_`|~0-9A-Za-z-]+";

    @Override
    public String id() {
        return "http";
    }

    @Override
    public String summary() {
        return "HTTP/1.1 and HTTP/2 requests, with one connection per client or one shared by several";
    }

    @Override
    public Set<String> schemes() {
        return Set.of("http", "https");
    }

    @Override
    public String exampleTarget() {
        return "http://127.0.0.1:8080/";
    }

    @Override
    public List<Parameter> parameters() {
        List<Parameter> all = new ArrayList<>(List.of(
                Parameter.withDefault("method", Type.STRING, "GET", "request method"),
                Parameter.optional("path", Type.TEXT, "path and query, resolved against the target URL")
                        .suchAs("\"/items/${random:1..999}\""),
                Parameter.optional(
                                "headers",
                                Type.TEXT_MAP,
                                "header fields to send; a field is omitted until the value that it uses is captured")
                        .suchAs("{ Accept: application/json }"),
                Parameter.optional("body", Type.TEXT, "body to send, in UTF-8, or @FILE on the tester")
                        .suchAs("'{\"id\": \"${uuid}\"}'"),
                Parameter.optional("body-file", Type.STRING, "file on the tester to send as the body")
                        .suchAs("/srv/order.json"),
                Parameter.optional("form", Type.TEXT_MAP, "fields to send as a form; sets Content-Type")
                        .suchAs("{ user: \"user-${client}\" }"),
                Parameter.optional(
                                "multipart",
                                Type.TEXT_MAP,
                                "parts to upload: text, or @FILE or @FILE;type=TYPE on the tester; sets Content-Type")
                        .suchAs("{ title: \"Order ${call}\", scan: \"@scan.png\" }"),
                Parameter.withDefault(
                                "cookies",
                                Type.STRING,
                                "false",
                                "keep cookies for the client's lifetime, or per iteration")
                        .oneOf("false", "true", "per-iteration"),
                Parameter.withDefault(
                        "follow", Type.INTEGER, "0", "maximum number of redirects to follow per " + "call, up to 50"),
                Parameter.withDefault(
                        "compressed", Type.BOOLEAN, "false", "request gzip or deflate responses, and decompress them"),
                Parameter.withDefault(
                        "expect", Type.TEXTS, "200-399", "statuses or status ranges that count as success"),
                ConnectionReporter.KEEP,
                Parameter.withDefault(
                                "version",
                                Type.STRING,
                                "1.1",
                                "HTTP version; without TLS, 2 requires a server that supports it with prior "
                                        + "knowledge")
                        .oneOf("1.1", "2"),
                Http2Clients.STREAMS,
                Proxies.KEY,
                Parameter.optional(
                                "source-addresses",
                                Type.TEXTS,
                                "local addresses to connect from, assigned to clients in turn")
                        .suchAs("[127.0.0.1, 127.0.0.2]")));
        all.addAll(ClientTls.PARAMETERS);
        return all;
    }

    @Override
    public List<Metric> metrics() {
        List<Metric> all = new ArrayList<>(List.of(ConnectionReporter.CONNECT, ConnectionReporter.TLS, FIRST_BYTE));
        all.addAll(Http2Clients.METRICS);
        all.addAll(List.of(REDIRECTS, REDIRECT_TIME, WIRE_SIZE, BODY_SIZE));
        all.addAll(List.of(CACHE_HIT, CACHE_REVALIDATED, CACHE_MISS));
        return List.copyOf(all);
    }

    @Override
    public boolean sendsTraces() {
        return true;
    }

    @Override
    public String shown(boolean sent, byte[] bytes) {
        return PrintableMessage.of(bytes);
    }

    @Override
    public void check(Url target, Parameters with) {
        HttpTarget.of(target);
        proxies(with);
        new Statuses(with.texts("expect"));
        if (!with.string("method").matches(TOKEN)) {
            throw new IllegalArgumentException(
                    "method: expected a word such as GET or POST, got '" + with.string("method") + "'");
        }
        for (Map.Entry<String, Text> header : with.textMap("headers").entrySet()) {
            String value = header.getValue().toString();
            if (!header.getKey().matches(TOKEN) || value.matches("(?s).*[\\r\\n\\x00].*")) {
                // The value stays untold: it may be a secret.
                throw new IllegalArgumentException(
                        "headers: expected a name of letters, digits and hyphens, and a single-line value; got "
                                + "something else for '" + header.getKey() + "'");
            }
        }
        RequestBody.check(with);
        long follow = with.integer("follow");
        if (follow < 0 || follow > MAX_REDIRECTS) {
            throw new IllegalArgumentException("follow: expected 0 to " + MAX_REDIRECTS + " redirects, got " + follow);
        }
        ClientTls.check(with);
        checkVersion(with);
    }

    private static void checkVersion(Parameters with) {
        int streams = Http2Clients.streams(with);
        if (!isVersion2(with)) {
            if (streams > 1) {
                throw new IllegalArgumentException(
                        "streams: expected version: 2, got version: 1.1, whose connections handle one request at a "
                                + "time; add version: 2 or drop streams");
            }
        } else if (with.has("proxy")) {
            throw new IllegalArgumentException(
                    "proxy: expected version: 1.1, got version: 2, which connects directly to the target; drop one "
                            + "of them");
        } else if (streams > 1 && with.string("connection").equals("new")) {
            throw new IllegalArgumentException(
                    "connection: expected keep because clients share connections, got new with streams: " + streams
                            + "; drop one of them");
        }
    }

    /** Returns whether requests are HTTP/2. */
    static boolean isVersion2(Parameters with) {
        return with.string("version").equals("2");
    }

    /** Reads the proxies. */
    static Proxies proxies(Parameters with) {
        return Proxies.of(with);
    }

    @Override
    public boolean mixes(List<Parameters> requests) {
        return requests.stream().map(HttpPlugin::ofConnections).distinct().count() == 1;
    }

    /** Lists what decides how connections are made, which requests on one connection have to share. */
    private static List<Object> ofConnections(Parameters with) {
        return List.of(
                String.valueOf(with.asWritten().get("proxy")),
                with.texts("source-addresses").stream().map(Text::fixed).toList(),
                with.string("version"),
                with.integer("streams"),
                ClientTls.ofConnections(with));
    }

    @Override
    public List<InetSocketAddress> servers(Url target, Parameters with) {
        return !proxies(with).any()
                ? List.of(HttpTarget.of(target).server().unresolved())
                : proxies(with).each().stream()
                        .map(proxy -> proxy.server().unresolved())
                        .toList();
    }

    @Override
    public Optional<StandIn> standIn(Parameters with) throws IOException {
        // A proxy and a chosen network are part of what is measured.
        if (with.has("proxy") || with.has("source-addresses")) {
            return Optional.empty();
        }
        return Optional.of(
                isVersion2(with)
                        ? Http2StandIn.start()
                        : LoopbackServer.start(
                                "http", "/", () -> new HttpConversation("text/plain", false, any -> "hello\n")));
    }

    @Override
    public Session open(SessionContext context) throws IOException {
        return new HttpSession(context, NanoClock.SYSTEM);
    }
}
