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
import org.diperf.plugins.lib.netty.LoopMemory;
import org.jspecify.annotations.Nullable;

/** Writes requests. Those that are the same for every call are made once. Immutable, and shared by all clients. */
final class Requests {

    static final Set<String> WITH_BODY = Set.of("POST", "PUT", "PATCH");

    /**
     * A request as bytes.
     *
     * @param bytes header and body
     * @param bodyBytes how many of them are the body
     * @param path of its target, with the query
     * @param direct the same bytes where a socket can write them from; only of requests that are constant
     */
    @SuppressWarnings("ArrayRecordComponent")
    record Encoded(
            byte[] bytes,
            int bodyBytes,
            String path,
            @Nullable ByteBuf direct) {}

    private static final String COOKIE = "Cookie";

    /** What a server that is not the one that was called must not see. */
    private static final Set<String> OF_ORIGIN = Set.of("authorization", "proxy-authorization", "cookie");

    private final String method;
    private final @Nullable Text path;
    private final Map<String, Text> headers;
    /** Those of the headers that change from call to call. */
    private final Map<String, Text> varying = new LinkedHashMap<>();
    /** What of the head never changes but for the request line, by target. */
    private final List<String> fixedHeads = new ArrayList<>();

    private final boolean tellsLength;
    private final boolean carriesTrace;
    private final boolean compressed;
    /** Cookies that the experiment itself sends, where there are others too. */
    private final @Nullable Text ownCookies;

    private final RequestBody body;
    private final boolean keep;
    private final boolean absolute;
    private final List<HttpTarget> targets;
    private final List<Encoded> constant = new ArrayList<>();

    /**
     * @param with the plugin's parameters
     * @param targets of the experiment
     */
    Requests(Parameters with, List<HttpTarget> targets, RequestBody body) {
        this.method = with.string("method");
        this.path = with.has("path") ? with.text("path") : null;
        this.headers = new LinkedHashMap<>(with.textMap("headers"));
        this.ownCookies = Exchange.Cookies.of(with) == Exchange.Cookies.NONE ? null : takeCookies();
        this.body = body;
        this.keep = with.string("connection").equals("keep");
        this.absolute = with.has("proxy");
        this.compressed = with.bool("compressed");
        this.targets = targets;
        this.tellsLength = isFree("Content-Length");
        this.carriesTrace = isFree("traceparent");
        headers.forEach((name, text) -> {
            if (!text.isConstant()) {
                varying.put(name, text);
            }
        });
        targets.forEach(target -> fixedHeads.add(fixedHead(target, true, false)));
        boolean same = (path == null || path.isConstant()) && body.isConstant() && varying.isEmpty();
        if (same) {
            for (int target = 0; target < targets.size(); target++) {
                Encoded request = encode(target, Text::fixed);
                ByteBuf direct = LoopMemory.of(request.bytes().length).setBytes(0, request.bytes());
                constant.add(new Encoded(request.bytes(), request.bodyBytes(), request.path(), direct));
            }
        }
    }

    private @Nullable Text takeCookies() {
        for (String name : List.copyOf(headers.keySet())) {
            if (name.equalsIgnoreCase(COOKIE)) {
                return headers.remove(name);
            }
        }
        return null;
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

    String method() {
        return method;
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
        Text own = ownCookies;
        String given = own == null || crossed || !own.isKnown(call) ? "" : own.of(call);
        String all = jar == null ? given : given.isEmpty() ? jar : jar + "; " + given;
        return all.isEmpty() ? request : with(request, COOKIE, all);
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
        return write(target, method, resolved, fixedHeads.get(place), body.of(filled), true, false, filled);
    }

    /**
     * Writes the request to which a redirect leads.
     *
     * @param to where it leads, with the path
     * @param by its method
     * @param withBody whether it still carries the body
     * @param crossed whether its server is another than the one that was called, which must not see credentials
     */
    Encoded redirected(Call call, HttpTarget to, String by, boolean withBody, boolean crossed) {
        Filled filled = new OfCall(call);
        byte[] content = withBody ? body.of(filled) : new byte[0];
        Encoded request =
                write(to, by, to.path(), fixedHead(to, withBody, crossed), content, withBody, crossed, filled);
        String trace = carriesTrace ? call.traceparent() : "";
        return trace.isEmpty() ? request : with(request, "traceparent", trace);
    }

    private Encoded write(
            HttpTarget target,
            String by,
            String resolved,
            String fixedHead,
            byte[] content,
            boolean withBody,
            boolean crossed,
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
        for (Map.Entry<String, Text> field : varying.entrySet()) {
            // Such as the credential that a log-in is to bring: an empty one would go with the log-in itself.
            if (goes(field.getKey(), withBody, crossed) && filled.knows(field.getValue())) {
                add(field.getKey(), filled.apply(field.getValue()), head);
            }
        }
        head.append("\r\n");
        byte[] start = head.toString().getBytes(StandardCharsets.UTF_8);
        byte[] all = content.length == 0 ? start : java.util.Arrays.copyOf(start, start.length + content.length);
        System.arraycopy(content, 0, all, start.length, content.length);
        return new Encoded(all, content.length, resolved, null);
    }

    /** Returns whether a field of the experiment goes with a request. */
    private static boolean goes(String name, boolean withBody, boolean crossed) {
        String lower = name.toLowerCase(Locale.ROOT);
        return (withBody || !lower.startsWith("content-"))
                && !(crossed && (OF_ORIGIN.contains(lower) || lower.equals("host")));
    }

    private String fixedHead(HttpTarget target, boolean withBody, boolean crossed) {
        StringBuilder head = new StringBuilder(" HTTP/1.1\r\n");
        Map<String, String> own = new LinkedHashMap<>();
        own.put("Host", target.authority());
        own.put("User-Agent", "diperf");
        own.put("Accept", "*/*");
        if (compressed) {
            own.put("Accept-Encoding", "gzip, deflate");
        }
        String type = body.contentType();
        if (withBody && type != null) {
            own.put("Content-Type", type);
        }
        if (!keep) {
            own.put("Connection", "close");
        }
        own.forEach((name, value) -> {
            if (isFree(name) || crossed && name.equals("Host")) {
                add(name, value, head);
            }
        });
        headers.forEach((name, text) -> {
            if (text.isConstant() && goes(name, withBody, crossed)) {
                add(name, text.fixed(), head);
            }
        });
        return head.toString();
    }

    private boolean isFree(String name) {
        return headers.keySet().stream().noneMatch(name::equalsIgnoreCase);
    }

    private static void add(String name, String value, StringBuilder head) {
        if (value.indexOf('\n') >= 0 || value.indexOf('\r') >= 0) {
            throw new IllegalArgumentException("header '" + name + "': a line break in its value");
        }
        head.append(name).append(": ").append(value).append("\r\n");
    }

    /** Writes a path with everything that a request line cannot hold as percent-escapes of its UTF-8 bytes. */
    static void escape(String path, StringBuilder into) {
        for (byte octet : path.getBytes(StandardCharsets.UTF_8)) {
            if (octet > ' ' && octet < 0x7f) {
                into.append((char) octet);
            } else {
                into.append(String.format(Locale.ROOT, "%%%02X", octet & 0xff));
            }
        }
    }
}
