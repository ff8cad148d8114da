package org.diperf.plugins.grpc;

import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.DynamicMessage;
import com.google.protobuf.Message;
import java.math.BigDecimal;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Types that have a form of their own in JSON: instants, durations and wrapped values (protobuf's JSON mapping). */
final class WellKnown {

    private static final String TIMESTAMP = "google.protobuf.Timestamp";
    private static final String DURATION = "google.protobuf.Duration";
    private static final Set<String> WRAPPERS = Set.of(
            "google.protobuf.DoubleValue",
            "google.protobuf.FloatValue",
            "google.protobuf.Int64Value",
            "google.protobuf.UInt64Value",
            "google.protobuf.Int32Value",
            "google.protobuf.UInt32Value",
            "google.protobuf.BoolValue",
            "google.protobuf.StringValue",
            "google.protobuf.BytesValue");

    private static final int NANO_DIGITS = 9;

    private WellKnown() {}

    /** Returns whether a value of a type can be a text, number or boolean in JSON. */
    static boolean isText(Descriptor type) {
        String name = type.getFullName();
        return name.equals(TIMESTAMP) || name.equals(DURATION) || WRAPPERS.contains(name);
    }

    /** Returns the field whose value stands for a message of a type; {@code null}: none does. */
    static @Nullable FieldDescriptor wrapped(Descriptor type) {
        return WRAPPERS.contains(type.getFullName()) ? type.findFieldByNumber(1) : null;
    }

    /**
     * Makes a message from the form of its own.
     *
     * @return {@code null}: its type has none, or the value names its fields
     * @throws IllegalArgumentException when it is none
     */
    static @Nullable DynamicMessage message(Descriptor type, @Nullable Object value, String path) {
        if (!isText(type) || value instanceof Map) {
            return null;
        }
        FieldDescriptor wrapped = wrapped(type);
        if (wrapped != null) {
            return DynamicMessage.newBuilder(type)
                    .setField(wrapped, MessageWriter.one(wrapped, value, path))
                    .build();
        }
        boolean isInstant = type.getFullName().equals(TIMESTAMP);
        String text = String.valueOf(value);
        try {
            if (isInstant) {
                Instant at = OffsetDateTime.parse(text).toInstant();
                return made(type, at.getEpochSecond(), at.getNano());
            }
            if (text.endsWith("s")) {
                BigDecimal seconds = new BigDecimal(text.substring(0, text.length() - 1));
                long whole = seconds.toBigInteger().longValueExact();
                BigDecimal rest = seconds.subtract(BigDecimal.valueOf(whole));
                return made(type, whole, rest.movePointRight(NANO_DIGITS).intValueExact());
            }
        } catch (DateTimeException | ArithmeticException | NumberFormatException unusable) {
            // said below
        }
        throw MessageWriter.expected(
                path, isInstant ? "an instant such as 2026-01-31T10:00:00Z" : "seconds such as 1.5s", value);
    }

    private static DynamicMessage made(Descriptor type, long seconds, int nanos) {
        return DynamicMessage.newBuilder(type)
                .setField(type.findFieldByNumber(1), seconds)
                .setField(type.findFieldByNumber(2), nanos)
                .build();
    }

    /** Returns the text that stands for a message; {@code null}: its fields do. */
    static @Nullable String text(Message message) {
        Descriptor type = message.getDescriptorForType();
        boolean isInstant = type.getFullName().equals(TIMESTAMP);
        if (!isInstant && !type.getFullName().equals(DURATION)) {
            return null;
        }
        long seconds = (long) message.getField(type.findFieldByNumber(1));
        int nanos = (int) message.getField(type.findFieldByNumber(2));
        if (isInstant) {
            try {
                return Instant.ofEpochSecond(seconds, nanos).toString();
            } catch (DateTimeException beyond) {
                return null;
            }
        }
        BigDecimal span = BigDecimal.valueOf(seconds).add(BigDecimal.valueOf(nanos, NANO_DIGITS));
        return span.stripTrailingZeros().toPlainString() + "s";
    }
}
