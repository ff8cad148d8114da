package org.diperf.plugins.http;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.diperf.core.spi.Call;
import org.diperf.core.spi.Parameters;
import org.diperf.core.spi.Text;
import org.diperf.plugins.lib.http2.RequestHead;
import org.jspecify.annotations.Nullable;

/** How the experiment's requests are made as HTTP/2, and judged. Immutable, and shared by all clients. */
final class Http2Requests {

    private static final String TRACE = "traceparent";

    /** One of the experiment's requests. */
    final class Of {
        private final Statuses expected;
        private final boolean headOnly;
        private final @Nullable Text path;
        private final RequestBody body;
        private final boolean compressed;
        private final boolean tellsLength;
        /** The header fields that change from call to call, in their order. */
        private final List<Text> varying = new ArrayList<>();
        /** By target. */
        private final List<RequestHead> heads = new ArrayList<>();
        /** The same with the id of a trace, which a call brings; empty where the file has one of its own. */
        private final List<RequestHead> traced = new ArrayList<>();

        private Of(Parameters with) throws IOException {
            String method = with.string("method");
            expected = new Statuses(with.texts("expect"));
            headOnly = method.equals("HEAD");
            path = with.has("path") ? with.text("path") : null;
            body = RequestBody.of(with);
            compressed = with.bool("compressed");
            Map<String, Text> headers = with.textMap("headers");
            tellsLength = !names(headers, "content-length")
                    && (!body.isConstant() || body.of(Text::fixed).length > 0 || Requests.WITH_BODY.contains(method));
            headers.forEach((name, value) -> {
                if (RequestHead.Builder.allows(name) && !value.isConstant()) {
                    varying.add(value);
                }
            });
            targets.forEach(target -> heads.add(head(method, headers, target).build()));
            if (!names(headers, TRACE)) {
                targets.forEach(target ->
                        traced.add(head(method, headers, target).varying(TRACE).build()));
            }
        }

        private RequestHead.Builder head(String method, Map<String, Text> headers, HttpTarget target) {
            RequestHead.Builder head =
                    family.head().fixed(":method", method).fixed(":scheme", target.tls() ? "https" : "http");
            if (path == null || path.isConstant()) {
                head.fixed(":path", path(target, path == null ? null : path.fixed()));
            } else {
                head.varying(":path");
            }
            head.fixed(":authority", authority(headers, target));
            if (!names(headers, "user-agent")) {
                head.fixed("user-agent", "diperf");
            }
            if (!names(headers, "accept")) {
                head.fixed("accept", "*/*");
            }
            if (compressed && !names(headers, "accept-encoding")) {
                head.fixed("accept-encoding", "gzip, deflate");
            }
            String type = body.contentType();
            if (type != null && !names(headers, "content-type")) {
                head.fixed("content-type", type);
            }
            if (tellsLength && body.isConstant()) {
                head.fixed("content-length", String.valueOf(body.of(Text::fixed).length));
            } else if (tellsLength) {
                head.varying("content-length");
            }
            headers.forEach((name, value) -> {
                if (!RequestHead.Builder.allows(name)) {
                    return;
                }
                if (value.isConstant()) {
                    head.fixed(name, line(name, value.fixed()));
                } else {
                    head.varying(name);
                }
            });
            return head;
        }

        Statuses expected() {
            return expected;
        }

        boolean isHeadOnly() {
            return headOnly;
        }

        /** Returns whether an answer's body is unpacked though nobody reads it. */
        boolean isCompressed() {
            return compressed;
        }

        /** Returns the body of a call; always the same object where it is constant. */
        byte[] body(Call call) {
            return body.isConstant() ? body.of(Text::fixed) : body.of(text -> text.of(call));
        }

        /** Returns the head of a call; always the same object where it is constant and carries no trace. */
        RequestHead head(Call call, byte[] content) {
            String trace = traced.isEmpty() ? "" : call.traceparent();
            RequestHead head = (trace.isEmpty() ? heads : traced).get(call.targetIndex());
            boolean variesPath = path != null && !path.isConstant();
            boolean variesLength = tellsLength && !body.isConstant();
            if (!variesPath && !variesLength && varying.isEmpty() && trace.isEmpty()) {
                return head;
            }
            List<@Nullable String> values = new ArrayList<>(varying.size() + 3);
            if (path != null && variesPath) {
                values.add(path(targets.get(call.targetIndex()), path.of(call)));
            }
            if (variesLength) {
                values.add(String.valueOf(content.length));
            }
            for (Text value : varying) {
                values.add(value.isKnown(call) ? line("of a call", value.of(call)) : null);
            }
            if (!trace.isEmpty()) {
                values.add(trace);
            }
            return head.with(values.toArray(new String[0]));
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

    private static boolean names(Map<String, Text> headers, String name) {
        return headers.keySet().stream().anyMatch(name::equalsIgnoreCase);
    }

    /** Returns what stands in for a Host field, which HTTP/2 has under another name. */
    private static String authority(Map<String, Text> headers, HttpTarget target) {
        for (Map.Entry<String, Text> header : headers.entrySet()) {
            if (header.getKey().equalsIgnoreCase("host") && header.getValue().isConstant()) {
                return header.getValue().fixed();
            }
        }
        return target.authority();
    }

    private static String path(HttpTarget target, @Nullable String relative) {
        StringBuilder path = new StringBuilder();
        Requests.escape(target.resolve(relative), path);
        return path.toString();
    }

    private static String line(String name, String value) {
        if (value.indexOf('\n') >= 0 || value.indexOf('\r') >= 0) {
            throw new IllegalArgumentException("header '" + name + "': a line break in its value");
        }
        return value;
    }
}
