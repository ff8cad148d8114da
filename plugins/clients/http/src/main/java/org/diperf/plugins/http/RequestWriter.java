package org.diperf.plugins.http;

import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.diperf.core.spi.Call;
import org.diperf.core.spi.Parameters;
import org.diperf.core.spi.Text;
import org.diperf.plugins.lib.netty.HttpTarget;
import org.diperf.plugins.lib.netty.LoopBuffers;
import org.jspecify.annotations.Nullable;

/** Writes requests. Those that are the same for every call are made once. Immutable, and shared by all clients. */
final class RequestWriter {

    static final Set<String> WITH_BODY = Set.of("POST", "PUT", "PATCH");

    /**
     * A request as bytes.
     *
     * @param bytes header and body
     * @param bodyBytes how many of them are the body
     * @param path of its target, with the query, before it is escaped
     * @param direct the same bytes where a socket can write them from; only of requests that are constant
     */
    @SuppressWarnings("ArrayRecordComponent")
    record Encoded(
            byte[] bytes,
            int bodyBytes,
            String path,
            @Nullable ByteBuf direct) {}

    private final Exchange exchange;
    private final @Nullable Text path;
    private final RequestHeaders fields;
    /** Those that change from call to call, where no redirect led elsewhere. */
    private final Map<String, Text> varying;
    /** What of the head never changes but for the request line, by target. */
    private final List<String> fixedHeads = new ArrayList<>();

    private final boolean tellsLength;
    private final boolean carriesTrace;
    private final RequestBody body;
    private final boolean absolute;
    /** Empty: none. */
    private final String proxyAuthorization;

    private final List<HttpTarget> targets;
    private final List<Encoded> constant = new ArrayList<>();

    /**
     * @param with the plugin's parameters
     * @param targets of the experiment
     */
    RequestWriter(Parameters with, List<HttpTarget> targets, RequestBody body) {
        this.exchange = Exchange.of(with);
        this.path = with.has("path") ? with.text("path") : null;
        this.fields = new RequestHeaders(with, exchange.cookies());
        this.varying = varying(true, false);
        this.body = body;
        this.absolute = with.has("proxy");
        this.proxyAuthorization = Proxies.of(with).authorization();
        this.targets = targets;
        this.tellsLength = fields.isFree("Content-Length");
        this.carriesTrace = fields.isFree("traceparent");
        targets.forEach(target -> fixedHeads.add(fixedHead(target, true, false)));
        boolean same = (path == null || path.isConstant()) && body.isConstant() && varying.isEmpty();
        if (same) {
            for (int target = 0; target < targets.size(); target++) {
                Encoded request = encode(target, Text::fixed);
                ByteBuf direct = LoopBuffers.of(request.bytes().length).setBytes(0, request.bytes());
                constant.add(new Encoded(request.bytes(), request.bodyBytes(), request.path(), direct));
            }
        }
    }

    private interface Filled extends Function<Text, String> {

        /** Returns whether all that a text names is there. */
        default boolean knows(Text text) {
            return true;
        }
    }

    private record OfCall(Call call) implements Filled {
        @Override
        public String apply(Text text) {
            return text.of(call);
        }

        @Override
        public boolean knows(Text text) {
            return text.isKnown(call);
        }
    }

    /** Returns what they are to be, and how their answers are judged. */
    Exchange exchange() {
        return exchange;
    }

    /** Returns the request of a call; always the same object where requests are constant and carry no trace. */
    Encoded of(Call call) {
        int target = call.targetIndex();
        Encoded request = constant.isEmpty() ? encode(target, new OfCall(call)) : constant.get(target);
        String trace = carriesTrace ? call.traceparent() : "";
        return trace.isEmpty() ? request : with(request, "traceparent", trace);
    }

    /**
     * Returns a request with cookies.
     *
     * @param jar those of the client that are for its server; {@code null}: none
     * @param crossed whether its server is another than the one that was called
     */
    Encoded withCookies(Encoded request, Call call, @Nullable String jar, boolean crossed) {
        String all = fields.cookies(jar, call, crossed);
        return all == null ? request : with(request, "Cookie", all);
    }

    /** Puts a field behind the others of a header. */
    private static Encoded with(Encoded request, String name, String value) {
        StringBuilder line = new StringBuilder();
        add(name, value, line);
        byte[] field = line.toString().getBytes(StandardCharsets.ISO_8859_1);
        byte[] plain = request.bytes();
        // The empty line is the last of the header.
        int end = plain.length - request.bodyBytes() - 2;
        byte[] bytes = new byte[plain.length + field.length];
        System.arraycopy(plain, 0, bytes, 0, end);
        System.arraycopy(field, 0, bytes, end, field.length);
        System.arraycopy(plain, end, bytes, end + field.length, plain.length - end);
        return new Encoded(bytes, request.bodyBytes(), request.path(), null);
    }

    private Encoded encode(int place, Filled filled) {
        HttpTarget target = targets.get(place);
        String resolved = target.resolve(path == null ? null : filled.apply(path));
        return write(target, exchange.method(), resolved, fixedHeads.get(place), body.of(filled), varying, filled);
    }

    /** Writes the request to which a redirect leads. */
    Encoded redirected(Call call, RedirectHop hop) {
        Filled filled = new OfCall(call);
        byte[] content = hop.withBody() ? body.of(filled) : new byte[0];
        String head = fixedHead(hop.to(), hop.withBody(), hop.crossed());
        Map<String, Text> going = varying(hop.withBody(), hop.crossed());
        Encoded request = write(hop.to(), hop.method(), hop.to().path(), head, content, going, filled);
        String trace = carriesTrace ? call.traceparent() : "";
        Encoded traced = trace.isEmpty() ? request : with(request, "traceparent", trace);
        return withCookies(traced, call, hop.cookies(), hop.crossed());
    }

    private Encoded write(
            HttpTarget target,
            String by,
            String resolved,
            String fixedHead,
            byte[] content,
            Map<String, Text> changing,
            Filled filled) {
        StringBuilder head = new StringBuilder(256);
        head.append(by).append(' ');
        if (absolute && !target.tls()) {
            head.append("http://").append(target.authority());
        }
        escape(resolved, head);
        head.append(fixedHead);
        if (tellsLength && (content.length > 0 || WITH_BODY.contains(by))) {
            head.append("Content-Length: ").append(content.length).append("\r\n");
        }
        for (Map.Entry<String, Text> field : changing.entrySet()) {
            // Such as the credential that a log-in is to bring: an empty one would go with the log-in itself.
            if (filled.knows(field.getValue())) {
                add(field.getKey(), filled.apply(field.getValue()), head);
            }
        }
        head.append("\r\n");
        byte[] start = head.toString().getBytes(StandardCharsets.UTF_8);
        byte[] all = content.length == 0 ? start : java.util.Arrays.copyOf(start, start.length + content.length);
        System.arraycopy(content, 0, all, start.length, content.length);
        return new Encoded(all, content.length, resolved, null);
    }

    private Map<String, Text> varying(boolean withBody, boolean crossed) {
        Map<String, Text> changing = new LinkedHashMap<>();
        fields.tell(withBody, crossed, (name, text) -> {
            if (!text.isConstant()) {
                changing.put(name, text);
            }
        });
        return changing;
    }

    private String fixedHead(HttpTarget target, boolean withBody, boolean crossed) {
        StringBuilder head = new StringBuilder(" HTTP/1.1\r\n");
        Map<String, String> own = new LinkedHashMap<>();
        own.put("Host", target.authority());
        if (!target.authorization().isEmpty()) {
            own.put("Authorization", target.authorization());
        }
        if (absolute && !target.tls() && !proxyAuthorization.isEmpty()) {
            own.put("Proxy-Authorization", proxyAuthorization);
        }
        own.put("User-Agent", "diperf");
        own.put("Accept", "*/*");
        if (exchange.compressed()) {
            own.put("Accept-Encoding", "gzip, deflate");
        }
        String type = body.contentType();
        if (withBody && type != null) {
            own.put("Content-Type", type);
        }
        if (!exchange.keep()) {
            own.put("Connection", "close");
        }
        own.forEach((name, value) -> {
            if (fields.isFree(name) || crossed && name.equals("Host")) {
                add(name, value, head);
            }
        });
        fields.tell(withBody, crossed, (name, text) -> {
            if (text.isConstant()) {
                add(name, text.fixed(), head);
            }
        });
        return head.toString();
    }

    private static void add(String name, String value, StringBuilder head) {
        head.append(name).append(": ").append(RequestHeaders.line(name, value)).append("\r\n");
    }

    /** Returns a path as {@link #escape} writes it: the same object where a request line can hold it. */
    static String escaped(String path) {
        for (int i = 0; i < path.length(); i++) {
            if (!stands(path.charAt(i))) {
                StringBuilder escaped = new StringBuilder();
                escape(path, escaped);
                return escaped.toString();
            }
        }
        return path;
    }

    private static boolean stands(int character) {
        return character > ' ' && character < 0x7f;
    }

    /** Writes a path with everything that a request line cannot hold as percent-escapes of its UTF-8 bytes. */
    private static void escape(String path, StringBuilder into) {
        for (byte octet : path.getBytes(StandardCharsets.UTF_8)) {
            if (stands(octet)) {
                into.append((char) octet);
            } else {
                into.append(String.format(Locale.ROOT, "%%%02X", octet & 0xff));
            }
        }
    }
}
