package org.diperf.plugins.grpc;

import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Descriptors.FieldDescriptor.JavaType;
import com.google.protobuf.Descriptors.MethodDescriptor;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.diperf.core.spi.Call;
import org.diperf.core.spi.Parameters;
import org.diperf.core.spi.Text;
import org.diperf.plugins.lib.http2.RequestHead;
import org.jspecify.annotations.Nullable;

/** How one of the experiment's requests is made and judged. Immutable, and shared by all clients. */
final class GrpcRequest {

    private static final long MAX_MILLIS = 99_999_999;
    private static final String TRACE = "traceparent";

    private final Map<String, Text> fields;
    private final int times;
    private final Statuses expected;
    private final @Nullable MethodDescriptor method;
    private final byte @Nullable [] constant;
    /** Metadata that changes from call to call, in the order in which it stands in the heads. */
    private final Map<String, Text> varying = new LinkedHashMap<>();
    /** By target. */
    private final List<RequestHead> heads = new ArrayList<>();
    /** The same with the id of a trace, which a call brings; empty where the file has one of its own. */
    private final List<RequestHead> traced = new ArrayList<>();

    /**
     * @param schema {@code null}: nobody described the method, and its messages are empty
     * @throws IllegalArgumentException when there is no such method, or its message has no such fields
     */
    GrpcRequest(
            Parameters with,
            @Nullable Schema schema,
            List<GrpcTarget> targets,
            RequestHead.Family family,
            Duration timeout) {
        this.fields = with.textMap("message");
        this.expected = new Statuses(with.texts("expect"));
        this.method = schema == null ? null : schema.method(with.string("method"));
        this.times = (int) with.integer("messages");
        if (method != null && times != 1 && !method.isClientStreaming()) {
            throw new IllegalArgumentException(
                    "messages: expected 1, because " + method.getName() + " accepts only one message, got " + times);
        }
        boolean same = fields.values().stream().allMatch(Text::isConstant);
        this.constant = same ? encode(null) : null;
        Map<String, Text> metadata = with.textMap("metadata");
        metadata.forEach((name, value) -> {
            if (!value.isConstant()) {
                varying.put(name, value);
            }
        });
        boolean carriesTrace = metadata.keySet().stream().noneMatch(TRACE::equalsIgnoreCase);
        for (GrpcTarget target : targets) {
            heads.add(head(with, target, metadata, family, timeout).build());
            if (carriesTrace) {
                traced.add(head(with, target, metadata, family, timeout)
                        .varying(TRACE)
                        .build());
            }
        }
    }

    private static RequestHead.Builder head(
            Parameters with,
            GrpcTarget target,
            Map<String, Text> metadata,
            RequestHead.Family family,
            Duration timeout) {
        RequestHead.Builder head = family.head()
                .fixed(":method", "POST")
                .fixed(":scheme", target.scheme())
                .fixed(":path", "/" + with.string("method"))
                .fixed(":authority", target.authority())
                .fixed("te", "trailers")
                .fixed("content-type", "application/grpc")
                .fixed("user-agent", "diperf")
                .fixed("grpc-timeout", deadline(timeout));
        metadata.forEach((name, value) -> {
            if (value.isConstant()) {
                head.fixed(name, value.fixed());
            } else {
                head.varying(name);
            }
        });
        return head;
    }

    /** Writes a time limit as gRPC does, in at most eight digits. */
    static String deadline(Duration timeout) {
        return timeout.toMillis() <= MAX_MILLIS
                ? Math.max(1, timeout.toMillis()) + "m"
                : Math.min(MAX_MILLIS, timeout.toSeconds()) + "S";
    }

    private byte[] encode(@Nullable Call call) {
        if (method == null) {
            return Frame.of(new byte[0], times);
        }
        Map<String, @Nullable Object> values = new LinkedHashMap<>();
        fields.forEach((name, text) -> values.put(
                name,
                value(
                        name,
                        MessageWriter.field(method.getInputType(), name),
                        call == null ? text.fixed() : text.of(call))));
        return Frame.of(
                MessageWriter.message(method.getInputType(), values, "message").toByteArray(), times);
    }

    /** Returns what a text means: itself, but for fields that hold others, where it is JSON. */
    private static @Nullable Object value(String name, @Nullable FieldDescriptor field, String text) {
        if (field == null || !field.isRepeated() && field.getJavaType() != JavaType.MESSAGE) {
            return text;
        }
        if (!field.isRepeated() && WellKnown.isText(field.getMessageType()) && !text.startsWith("{")) {
            return text;
        }
        try {
            return Json.read(text);
        } catch (IllegalArgumentException e) {
            String form = field.isMapField()
                    ? "{\"KEY\": VALUE}"
                    : field.isRepeated() ? "[VALUE, VALUE]" : "{\"FIELD\": VALUE}";
            throw new IllegalArgumentException(
                    "message." + name + ": expected a mapping or list in YAML, or JSON such as '" + form + "', got '"
                            + text + "': " + e.getMessage(),
                    e);
        }
    }

    Statuses expected() {
        return expected;
    }

    /** Returns whether a call's answer may be any number of messages. */
    boolean isStream() {
        return method == null || method.isServerStreaming();
    }

    /**
     * Returns the messages of a call as they are sent; always the same object where they are constant.
     *
     * @throws IllegalArgumentException when a text is none that its field can have
     */
    byte[] body(Call call) {
        return constant == null ? encode(call) : constant;
    }

    /**
     * Returns the head of a call; always the same object where it is constant and carries no trace.
     *
     * @throws IllegalArgumentException when metadata is more than a line
     */
    RequestHead head(Call call) {
        String trace = traced.isEmpty() ? "" : call.traceparent();
        RequestHead head = (trace.isEmpty() ? heads : traced).get(call.targetIndex());
        if (varying.isEmpty() && trace.isEmpty()) {
            return head;
        }
        List<@Nullable String> values = new ArrayList<>(varying.size() + 1);
        varying.forEach((name, value) -> values.add(value.isKnown(call) ? line(name, value.of(call)) : null));
        if (!trace.isEmpty()) {
            values.add(trace);
        }
        return head.with(values.toArray(new String[0]));
    }

    private static String line(String name, String value) {
        if (value.indexOf('\n') >= 0 || value.indexOf('\r') >= 0) {
            throw new IllegalArgumentException("metadata '" + name + "': the value has a line break");
        }
        return value;
    }

    /** Returns a message of an answer as JSON. */
    String json(byte[] message) {
        return method == null ? "{}" : MessageReader.json(method.getOutputType(), message);
    }
}
