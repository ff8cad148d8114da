package org.diperf.plugins.grpc;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Writes messages of Protocol Buffers from values of JSON, by the mapping of its version 3. Immutable. */
final class MessageWriter {

    private static final BigInteger TWO_64 = BigInteger.ONE.shiftLeft(64);

    private final Schema schema;

    MessageWriter(Schema schema) {
        this.schema = schema;
    }

    /**
     * Writes a message.
     *
     * @param path where it stands, for errors
     * @throws IllegalArgumentException when a field is not the message's, or its value not the field's
     */
    byte[] write(Schema.Message message, Map<?, ?> values, String path) {
        WireWriter out = new WireWriter();
        for (Map.Entry<?, ?> entry : values.entrySet()) {
            String name = String.valueOf(entry.getKey());
            Schema.Field field = message.byName().get(name);
            if (field == null) {
                throw new IllegalArgumentException(path + ": expected fields of " + message.name() + " "
                        + message.byNumber().values().stream()
                                .map(Schema.Field::name)
                                .sorted()
                                .toList() + ", got '" + name + "'");
            }
            if (entry.getValue() != null) {
                field(out, field, entry.getValue(), path + "." + name);
            }
        }
        return out.toBytes();
    }

    private void field(WireWriter out, Schema.Field field, Object value, String path) {
        if (!field.isRepeated()) {
            one(out, field, value, path);
            return;
        }
        if (value instanceof Map<?, ?> map && field.type() == Schema.MESSAGE) {
            Schema.Message entry = schema.message(field.typeName());
            if (entry.isMapEntry()) {
                Map<String, Schema.Field> parts = entry.byName();
                map.forEach((key, of) -> {
                    WireWriter pair = new WireWriter();
                    one(pair, part(parts, "key"), String.valueOf(key), path);
                    if (of != null) {
                        one(pair, part(parts, "value"), of, path + "." + key);
                    }
                    out.tag(field.number(), WireReader.BYTES).bytes(pair.toBytes());
                });
                return;
            }
        }
        if (!(value instanceof List<?> list)) {
            throw expected(path, "a list", value);
        }
        if (wireType(field) == WireReader.BYTES) {
            for (Object each : list) {
                one(out, field, each, path);
            }
        } else {
            WireWriter packed = new WireWriter();
            for (Object each : list) {
                scalar(packed, field, each, path);
            }
            out.tag(field.number(), WireReader.BYTES).bytes(packed.toBytes());
        }
    }

    private static Schema.Field part(Map<String, Schema.Field> parts, String name) {
        Schema.Field part = parts.get(name);
        if (part == null) {
            throw new IllegalArgumentException("descriptors: a map without a " + name);
        }
        return part;
    }

    private void one(WireWriter out, Schema.Field field, @Nullable Object value, String path) {
        out.tag(field.number(), wireType(field));
        scalar(out, field, value, path);
    }

    private static int wireType(Schema.Field field) {
        return switch (field.type()) {
            case Schema.DOUBLE, Schema.FIXED64, Schema.SFIXED64 -> WireReader.FIXED64;
            case Schema.FLOAT, Schema.FIXED32, Schema.SFIXED32 -> WireReader.FIXED32;
            case Schema.STRING, Schema.BYTES, Schema.MESSAGE -> WireReader.BYTES;
            case Schema.GROUP -> throw new IllegalArgumentException(field.name() + ": groups cannot be written");
            default -> WireReader.VARINT;
        };
    }

    private void scalar(WireWriter out, Schema.Field field, @Nullable Object value, String path) {
        switch (field.type()) {
            case Schema.DOUBLE -> out.fixed(Double.doubleToLongBits(real(value, path)), 8);
            case Schema.FLOAT -> out.fixed(Float.floatToIntBits((float) real(value, path)), 4);
            case Schema.INT32, Schema.ENUM ->
                out.varint(field.type() == Schema.ENUM ? constant(field, value, path) : whole(value, 32, true, path));
            case Schema.INT64 -> out.varint(whole(value, 64, true, path));
            case Schema.UINT32 -> out.varint(whole(value, 32, false, path));
            case Schema.UINT64 -> out.varint(whole(value, 64, false, path));
            case Schema.SINT32, Schema.SINT64 -> {
                long number = whole(value, field.type() == Schema.SINT32 ? 32 : 64, true, path);
                out.varint(number << 1 ^ number >> 63);
            }
            case Schema.FIXED32 -> out.fixed(whole(value, 32, false, path), 4);
            case Schema.SFIXED32 -> out.fixed(whole(value, 32, true, path), 4);
            case Schema.FIXED64 -> out.fixed(whole(value, 64, false, path), 8);
            case Schema.SFIXED64 -> out.fixed(whole(value, 64, true, path), 8);
            case Schema.BOOL -> out.varint(truth(value, path) ? 1 : 0);
            case Schema.STRING -> out.text(text(value, path));
            case Schema.BYTES -> out.bytes(binary(value, path));
            case Schema.MESSAGE -> {
                if (!(value instanceof Map<?, ?> map)) {
                    throw expected(path, "an object with fields of " + field.typeName(), value);
                }
                out.bytes(write(schema.message(field.typeName()), map, path));
            }
            default -> throw new IllegalArgumentException(path + ": a type that is not known here: " + field.type());
        }
    }

    private int constant(Schema.Field field, @Nullable Object value, String path) {
        Schema.Enumeration enumeration = schema.enumeration(field.typeName());
        Integer number = enumeration.numbers().get(String.valueOf(value));
        if (number != null) {
            return number;
        }
        if (String.valueOf(value).matches("-?[0-9]+")) {
            return (int) whole(value, 32, true, path);
        }
        throw expected(path, "one of " + enumeration.numbers().keySet(), value);
    }

    private static long whole(@Nullable Object value, int bits, boolean signed, String path) {
        try {
            BigInteger number = new BigDecimal(String.valueOf(value)).toBigIntegerExact();
            BigInteger least = signed ? BigInteger.ONE.shiftLeft(bits - 1).negate() : BigInteger.ZERO;
            BigInteger above = BigInteger.ONE.shiftLeft(signed ? bits - 1 : bits);
            if (number.compareTo(least) >= 0 && number.compareTo(above) < 0) {
                return number.mod(TWO_64).longValue();
            }
        } catch (ArithmeticException | NumberFormatException notWhole) {
            // said below
        }
        throw expected(path, "a whole number of " + bits + " bits" + (signed ? "" : ", not negative"), value);
    }

    private static double real(@Nullable Object value, String path) {
        String text = String.valueOf(value);
        try {
            return Double.parseDouble(text);
        } catch (NumberFormatException notANumber) {
            throw expected(path, "a number", value);
        }
    }

    private static boolean truth(@Nullable Object value, String path) {
        String text = String.valueOf(value);
        if (!text.equals("true") && !text.equals("false")) {
            throw expected(path, "true or false", value);
        }
        return text.equals("true");
    }

    private static String text(@Nullable Object value, String path) {
        if (value instanceof Map || value instanceof List || value == null) {
            throw expected(path, "a text", value);
        }
        return String.valueOf(value);
    }

    private static byte[] binary(@Nullable Object value, String path) {
        String text = text(value, path).replace('-', '+').replace('_', '/');
        try {
            return Base64.getDecoder().decode(text);
        } catch (IllegalArgumentException notBase64) {
            throw expected(path, "bytes in base 64", value);
        }
    }

    private static IllegalArgumentException expected(String path, String what, @Nullable Object found) {
        return new IllegalArgumentException(path + ": expected " + what + ", got '" + found + "'");
    }
}
