package org.diperf.plugins.http;

import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
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
     * @param direct the same bytes where a socket can write them from; only of requests that are constant
     */
    @SuppressWarnings("ArrayRecordComponent")
    record Encoded(byte[] bytes, int bodyBytes, @Nullable ByteBuf direct) {}

    private final String method;
    private final @Nullable Text path;
    private final Map<String, Text> headers;
    /** Those of the headers that change from call to call. */
    private final Map<String, Text> varying = new LinkedHashMap<>();
    /** What of the head never changes but for the request line, by target. */
    private final List<String> fixedHeads = new ArrayList<>();

    private final boolean tellsLength;
    private final boolean carriesTrace;
    private final @Nullable Text body;
    private final byte @Nullable [] file;
    private final boolean keep;
    private final boolean absolute;
    private final List<HttpTarget> targets;
    private final List<Encoded> constant = new ArrayList<>();

    /**
     * @param with the plugin's parameters
     * @param targets of the experiment
     * @param file what {@code body-file} holds
     */
    Requests(Parameters with, List<HttpTarget> targets, byte @Nullable [] file) {
        this.method = with.string("method");
        this.path = with.has("path") ? with.text("path") : null;
        this.headers = with.textMap("headers");
        this.body = with.has("body") ? with.text("body") : null;
        this.file = file;
        this.keep = with.string("connection").equals("keep");
        this.absolute = with.has("proxy");
        this.targets = targets;
        this.tellsLength = isFree("Content-Length");
        this.carriesTrace = isFree("traceparent");
        headers.forEach((name, text) -> {
            if (!text.isConstant()) {
                varying.put(name, text);
            }
        });
        targets.forEach(target -> fixedHeads.add(fixedHead(target)));
        boolean same = (path == null || path.isConstant()) && (body == null || body.isConstant()) && varying.isEmpty();
        if (same) {
            for (int target = 0; target < targets.size(); target++) {
                Encoded request = encode(target, Text::fixed);
                ByteBuf direct = LoopMemory.of(request.bytes().length).setBytes(0, request.bytes());
                constant.add(new Encoded(request.bytes(), request.bodyBytes(), direct));
            }
        }
    }

    private interface Filled {
        String in(Text text);

        /** Returns whether all that a text names is there. */
        default boolean knows(Text text) {
            return true;
        }
    }

    private record OfCall(Call call) implements Filled {
        @Override
        public String in(Text text) {
            return text.of(call);
        }

        @Override
        public boolean knows(Text text) {
            return text.isKnown(call);
        }
    }

    /** Returns the request of a call; always the same object where requests are constant and carry no trace. */
    Encoded of(Call call) {
        int target = call.targetIndex();
        Encoded request = constant.isEmpty() ? encode(target, new OfCall(call)) : constant.get(target);
        String trace = carriesTrace ? call.traceparent() : "";
        return trace.isEmpty() ? request : traced(request, trace);
    }

    /** Puts the field of a trace behind the others of a header. */
    private static Encoded traced(Encoded request, String trace) {
        byte[] field = ("traceparent: " + trace + "\r\n").getBytes(StandardCharsets.ISO_8859_1);
        byte[] plain = request.bytes();
        // The empty line is the last of the header.
        int end = plain.length - request.bodyBytes() - 2;
        byte[] bytes = new byte[plain.length + field.length];
        System.arraycopy(plain, 0, bytes, 0, end);
        System.arraycopy(field, 0, bytes, end, field.length);
        System.arraycopy(plain, end, bytes, end + field.length, plain.length - end);
        return new Encoded(bytes, request.bodyBytes(), null);
    }

    private Encoded encode(int place, Filled filled) {
        HttpTarget target = targets.get(place);
        byte[] content = file != null
                ? file
                : body == null ? new byte[0] : filled.in(body).getBytes(StandardCharsets.UTF_8);
        StringBuilder head = new StringBuilder(256);
        head.append(method).append(' ');
        if (absolute && !target.tls()) {
            head.append("http://").append(target.authority());
        }
        escape(target.resolve(path == null ? null : filled.in(path)), head);
        head.append(fixedHeads.get(place));
        if (tellsLength && (content.length > 0 || WITH_BODY.contains(method))) {
            head.append("Content-Length: ").append(content.length).append("\r\n");
        }
        for (Map.Entry<String, Text> field : varying.entrySet()) {
            // Such as the credential that a log-in is to bring: an empty one would go with the log-in itself.
            if (filled.knows(field.getValue())) {
                add(field.getKey(), filled.in(field.getValue()), head);
            }
        }
        head.append("\r\n");
        byte[] start = head.toString().getBytes(StandardCharsets.UTF_8);
        byte[] all = content.length == 0 ? start : java.util.Arrays.copyOf(start, start.length + content.length);
        System.arraycopy(content, 0, all, start.length, content.length);
        return new Encoded(all, content.length, null);
    }

    private String fixedHead(HttpTarget target) {
        StringBuilder head = new StringBuilder(" HTTP/1.1\r\n");
        Map<String, String> own = new LinkedHashMap<>();
        own.put("Host", target.authority());
        own.put("User-Agent", "diperf");
        own.put("Accept", "*/*");
        if (!keep) {
            own.put("Connection", "close");
        }
        own.forEach((name, value) -> {
            if (isFree(name)) {
                add(name, value, head);
            }
        });
        headers.forEach((name, text) -> {
            if (text.isConstant()) {
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
