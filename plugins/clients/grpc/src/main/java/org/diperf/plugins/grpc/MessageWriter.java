package org.diperf.plugins.grpc;

import com.google.protobuf.ByteString;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.EnumDescriptor;
import com.google.protobuf.Descriptors.EnumValueDescriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.DynamicMessage;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Makes messages of Protocol Buffers from values of JSON, by the mapping of its version 3. */
final class MessageWriter {

    private MessageWriter() {}

    /**
     * Makes a message.
     *
     * @param path where it stands, for errors
     * @throws IllegalArgumentException when a field is not the message's, or its value not the field's
     */
    static DynamicMessage message(Descriptor type, Map<?, ?> values, String path) {
        DynamicMessage.Builder message = DynamicMessage.newBuilder(type);
        for (Map.Entry<?, ?> entry : values.entrySet()) {
            String name = String.valueOf(entry.getKey());
            FieldDescriptor field = field(type, name);
            if (field == null) {
                throw new IllegalArgumentException(path + ": expected fields of " + type.getFullName() + " "
                        + type.getFields().stream()
                                .map(FieldDescriptor::getName)
                                .sorted()
                                .toList()
                        + ", got '" + name + "'");
            }
            Object value = entry.getValue();
            if (value != null && field.isRepeated()) {
                addAll(message, field, value, path + "." + name);
            } else if (value != null) {
                message.setField(field, one(field, value, path + "." + name));
            }
        }
        return message.buildPartial();
    }

    /** Finds a field by its name or by the one that it has in JSON; {@code null}: none. */
    static @Nullable FieldDescriptor field(Descriptor type, String name) {
        FieldDescriptor known = type.findFieldByName(name);
        return known != null
                ? known
                : type.getFields().stream()
                        .filter(each -> each.getJsonName().equals(name))
                        .findFirst()
                        .orElse(null);
    }

    private static void addAll(DynamicMessage.Builder message, FieldDescriptor field, Object value, String path) {
        if (field.isMapField() && value instanceof Map<?, ?> map) {
            Descriptor entry = field.getMessageType();
            FieldDescriptor ofKey = entry.findFieldByNumber(1);
            FieldDescriptor ofValue = entry.findFieldByNumber(2);
            map.forEach((key, each) -> {
                DynamicMessage.Builder pair = DynamicMessage.newBuilder(entry);
                pair.setField(ofKey, one(ofKey, String.valueOf(key), path));
                if (each != null) {
                    pair.setField(ofValue, one(ofValue, each, path + "." + key));
                }
                message.addRepeatedField(field, pair.build());
            });
        } else if (value instanceof List<?> list) {
            list.forEach(each -> message.addRepeatedField(field, one(field, each, path)));
        } else {
            throw expected(path, "a list", value);
        }
    }

    /** Makes the value of a field that is not repeated. */
    static Object one(FieldDescriptor field, @Nullable Object value, String path) {
        boolean signed = Stream.of("UINT", "FIXED").noneMatch(field.getType().name()::startsWith);
        return switch (field.getJavaType()) {
            case INT -> (int) whole(value, 32, signed, path);
            case LONG -> whole(value, 64, signed, path);
            case FLOAT -> (float) real(value, path);
            case DOUBLE -> real(value, path);
            case BOOLEAN -> truth(value, path);
            case STRING -> text(value, path);
            case BYTE_STRING -> binary(value, path);
            case ENUM -> constant(field.getEnumType(), value, path);
            case MESSAGE -> {
                DynamicMessage known = WellKnown.message(field.getMessageType(), value, path);
                if (known != null) {
                    yield known;
                }
                if (!(value instanceof Map<?, ?> map)) {
                    throw expected(
                            path,
                            "an object with fields of " + field.getMessageType().getFullName(),
                            value);
                }
                yield message(field.getMessageType(), map, path);
            }
        };
    }

    private static EnumValueDescriptor constant(EnumDescriptor type, @Nullable Object value, String path) {
        EnumValueDescriptor known = type.findValueByName(String.valueOf(value));
        if (known != null) {
            return known;
        }
        if (String.valueOf(value).matches("-?[0-9]+")) {
            return type.findValueByNumberCreatingIfUnknown((int) whole(value, 32, true, path));
        }
        throw expected(
                path,
                "one of "
                        + type.getValues().stream()
                                .map(EnumValueDescriptor::getName)
                                .toList(),
                value);
    }

    private static long whole(@Nullable Object value, int bits, boolean signed, String path) {
        try {
            BigInteger number = new BigDecimal(String.valueOf(value)).toBigIntegerExact();
            if (signed ? number.bitLength() < bits : number.signum() >= 0 && number.bitLength() <= bits) {
                return number.longValue();
            }
        } catch (ArithmeticException | NumberFormatException notWhole) {
            // said below
        }
        throw expected(path, "a whole number of " + bits + " bits" + (signed ? "" : " that is not negative"), value);
    }

    private static double real(@Nullable Object value, String path) {
        try {
            return Double.parseDouble(String.valueOf(value));
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
            throw expected(path, "a string", value);
        }
        return String.valueOf(value);
    }

    private static ByteString binary(@Nullable Object value, String path) {
        String text = text(value, path).replace('-', '+').replace('_', '/');
        try {
            return ByteString.copyFrom(Base64.getDecoder().decode(text));
        } catch (IllegalArgumentException notBase64) {
            throw expected(path, "bytes in base64", value);
        }
    }

    static IllegalArgumentException expected(String path, String what, @Nullable Object got) {
        return new IllegalArgumentException(path + ": expected " + what + ", got '" + got + "'");
    }
}
