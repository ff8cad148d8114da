package org.diperf.plugins.grpc;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Reads messages of Protocol Buffers into JSON, for whoever looks at an answer. Immutable. */
final class MessageReader {

    private static final int DEEPEST = 100;

    private final Schema schema;

    MessageReader(Schema schema) {
        this.schema = schema;
    }

    /**
     * Returns a message as JSON.
     *
     * @throws IllegalArgumentException when the bytes are none
     */
    String json(Schema.Message message, byte[] bytes) {
        StringBuilder json = new StringBuilder();
        object(message, bytes, json, 0);
        return json.toString();
    }

    private void object(Schema.Message message, byte[] bytes, StringBuilder json, int depth) {
        if (depth > DEEPEST) {
            throw new IllegalArgumentException("a message within more than " + DEEPEST + " others");
        }
        Map<Schema.Field, List<String>> values = new LinkedHashMap<>();
        WireReader in = new WireReader(bytes);
        while (in.next()) {
            Schema.Field field = message.byNumber().get(in.field());
            if (field == null) {
                in.skip();
                continue;
            }
            List<String> of = values.computeIfAbsent(field, any -> new ArrayList<>());
            if (in.type() == WireReader.BYTES && !isLong(field)) {
                WireReader packed = new WireReader(in.bytes());
                while (!packed.isEnd()) {
                    of.add(number(field, packed));
                }
            } else if (isLong(field)) {
                if (in.type() != WireReader.BYTES) {
                    throw new IllegalArgumentException("bytes that are no message of " + message.name());
                }
                of.add(longer(field, in.bytes(), depth));
            } else {
                of.add(number(field, in));
            }
        }
        json.append('{');
        String comma = "";
        for (Map.Entry<Schema.Field, List<String>> entry : values.entrySet()) {
            json.append(comma);
            comma = ",";
            Json.quote(entry.getKey().jsonName(), json);
            json.append(':');
            append(entry.getKey(), entry.getValue(), json);
        }
        json.append('}');
    }

    private void append(Schema.Field field, List<String> of, StringBuilder json) {
        if (!field.isRepeated()) {
            json.append(of.isEmpty() ? "null" : of.get(of.size() - 1));
        } else if (field.type() == Schema.MESSAGE
                && schema.message(field.typeName()).isMapEntry()) {
            json.append('{').append(String.join(",", of)).append('}');
        } else {
            json.append('[').append(String.join(",", of)).append(']');
        }
    }

    private static boolean isLong(Schema.Field field) {
        return field.type() == Schema.STRING || field.type() == Schema.BYTES || field.type() == Schema.MESSAGE;
    }

    private String longer(Schema.Field field, byte[] bytes, int depth) {
        StringBuilder json = new StringBuilder();
        if (field.type() == Schema.STRING) {
            Json.quote(new String(bytes, StandardCharsets.UTF_8), json);
        } else if (field.type() == Schema.BYTES) {
            Json.quote(Base64.getEncoder().encodeToString(bytes), json);
        } else {
            Schema.Message message = schema.message(field.typeName());
            if (message.isMapEntry()) {
                pair(message, bytes, json, depth + 1);
            } else {
                object(message, bytes, json, depth + 1);
            }
        }
        return json.toString();
    }

    private void pair(Schema.Message entry, byte[] bytes, StringBuilder json, int depth) {
        String key = "\"\"";
        String value = "null";
        WireReader in = new WireReader(bytes);
        while (in.next()) {
            Schema.Field field = entry.byNumber().get(in.field());
            if (field == null) {
                in.skip();
            } else {
                String of = isLong(field) ? longer(field, in.bytes(), depth) : number(field, in);
                if (field.number() == 1) {
                    key = of.startsWith("\"") ? of : "\"" + of + "\"";
                } else {
                    value = of;
                }
            }
        }
        json.append(key).append(':').append(value);
    }

    private String number(Schema.Field field, WireReader in) {
        return switch (field.type()) {
            case Schema.DOUBLE -> real(Double.longBitsToDouble(in.fixed(8)));
            case Schema.FLOAT -> real(Float.intBitsToFloat((int) in.fixed(4)));
            case Schema.INT64 -> "\"" + in.varint() + "\"";
            case Schema.UINT64 -> "\"" + Long.toUnsignedString(in.varint()) + "\"";
            case Schema.INT32 -> String.valueOf((int) in.varint());
            case Schema.UINT32 -> String.valueOf(in.varint() & 0xffff_ffffL);
            case Schema.FIXED64 -> "\"" + Long.toUnsignedString(in.fixed(8)) + "\"";
            case Schema.SFIXED64 -> "\"" + in.fixed(8) + "\"";
            case Schema.FIXED32 -> String.valueOf(in.fixed(4));
            case Schema.SFIXED32 -> String.valueOf((int) in.fixed(4));
            case Schema.BOOL -> String.valueOf(in.varint() != 0);
            case Schema.SINT32, Schema.SINT64 -> {
                long zigzag = in.varint();
                long number = zigzag >>> 1 ^ -(zigzag & 1);
                yield field.type() == Schema.SINT32 ? String.valueOf(number) : "\"" + number + "\"";
            }
            case Schema.ENUM -> {
                int number = (int) in.varint();
                String name = schema.enumeration(field.typeName()).names().get(number);
                yield name == null ? String.valueOf(number) : "\"" + name + "\"";
            }
            default -> throw new IllegalArgumentException("a field that cannot be read: " + field.name());
        };
    }

    private static String real(double value) {
        if (Double.isNaN(value) || Double.isInfinite(value)) {
            return "\"" + value + "\"";
        }
        return value == Math.rint(value) && Math.abs(value) < 1e15
                ? String.valueOf((long) value)
                : String.valueOf(value);
    }
}
