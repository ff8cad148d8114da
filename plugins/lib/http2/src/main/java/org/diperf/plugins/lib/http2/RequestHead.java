package org.diperf.plugins.lib.http2;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.diperf.core.spi.Dialogue;
import org.jspecify.annotations.Nullable;

/**
 * The header fields of a request, ready to be written. One that is the same for every call is made once and written as a few bytes;
 * where values change from call to call, {@link #with} fills them in. Immutable.
 */
public final class RequestHead {

    /** Fields that HTTP/2 does not have, because they are about one connection (RFC 9113, section 8.2.2). */
    private static final Set<String> OF_CONNECTIONS =
            Set.of("connection", "proxy-connection", "keep-alive", "transfer-encoding", "upgrade", "host");

    /** Those whose values nobody on the way should keep (RFC 7541, section 7.1.3). */
    private static final Set<String> SENSITIVE = Set.of("authorization", "proxy-authorization", "cookie");

    private static final byte[] NOTHING = {};
    private static final byte[] END = "\r\n".getBytes(StandardCharsets.US_ASCII);

    /**
     * A field; the value is {@code null} where it changes.
     *
     * @param before what stands before the value where people look at the request
     * @param after likewise
     */
    record Field(
            int id,
            byte[] name,
            byte @Nullable [] value,
            int staticName,
            int staticPair,
            boolean isSensitive,
            byte[] before,
            byte[] after) {

        /** Counts what it takes in a table (RFC 7541, section 4.1). */
        int tableBytes() {
            return name.length + (value == null ? 0 : value.length) + 32;
        }
    }

    /** What the heads of a session have in common: equal fields are one, so that connections know what their peers have in their tables. */
    public static final class Family {

        private final Map<String, Field> fields = new HashMap<>();
        private int heads;

        /** Begins a head. */
        public Builder head() {
            return new Builder(this);
        }

        private synchronized Field field(String name, @Nullable String value) {
            String key = value == null ? name : name + "=" + value;
            return fields.computeIfAbsent(
                    key,
                    any -> new Field(
                            fields.size(),
                            name.getBytes(StandardCharsets.UTF_8),
                            value == null ? null : value.getBytes(StandardCharsets.UTF_8),
                            StaticTable.ofName(name),
                            value == null ? 0 : StaticTable.of(name, value),
                            SENSITIVE.contains(name),
                            before(name),
                            after(name)));
        }

        private static byte[] before(String name) {
            return switch (name) {
                case ":method", ":path", ":scheme" -> NOTHING;
                case ":authority" -> "host: ".getBytes(StandardCharsets.US_ASCII);
                default -> (name + ": ").getBytes(StandardCharsets.UTF_8);
            };
        }

        private static byte[] after(String name) {
            return switch (name) {
                case ":method" -> " ".getBytes(StandardCharsets.US_ASCII);
                case ":path" -> " HTTP/2\r\n".getBytes(StandardCharsets.US_ASCII);
                case ":scheme" -> NOTHING;
                default -> END;
            };
        }

        private synchronized int nextHead() {
            return heads++;
        }
    }

    /** Collects the fields of a head, in their order: those with a colon come first. */
    public static final class Builder {

        private final Family family;
        private final List<Field> fields = new ArrayList<>();
        private boolean varies;

        private Builder(Family family) {
            this.family = family;
        }

        /** Returns whether HTTP/2 has such a field; those about a connection are left out. */
        public static boolean allows(String name) {
            return !OF_CONNECTIONS.contains(name.toLowerCase(Locale.ROOT));
        }

        /** Adds a field that never changes. */
        public Builder fixed(String name, String value) {
            fields.add(family.field(name.toLowerCase(Locale.ROOT), value));
            return this;
        }

        /** Adds a field whose value {@link RequestHead#with} brings. */
        public Builder varying(String name) {
            fields.add(family.field(name.toLowerCase(Locale.ROOT), null));
            varies = true;
            return this;
        }

        /** Makes the head. */
        public RequestHead build() {
            return new RequestHead(
                    family.nextHead(), fields.toArray(Field[]::new), varies, new String[0], words(fields));
        }

        /** Joins what people read of the fields that never change. */
        private static byte[][] words(List<Field> fields) {
            List<byte[]> words = new ArrayList<>();
            ByteArrayOutputStream next = new ByteArrayOutputStream();
            for (Field field : fields) {
                if (field.value() == null) {
                    words.add(next.toByteArray());
                    next.reset();
                } else if (field.before().length + field.after().length > 0) {
                    next.writeBytes(field.before());
                    next.writeBytes(field.value());
                    next.writeBytes(field.after());
                }
            }
            next.writeBytes(END);
            words.add(next.toByteArray());
            return words.toArray(byte[][]::new);
        }
    }

    private final int id;
    private final Field[] fields;
    private final boolean varies;
    private final @Nullable String[] values;
    /** What people read of fields that never change: before each of the others, and behind the last of them. */
    private final byte[][] words;

    private RequestHead(int id, Field[] fields, boolean varies, @Nullable String[] values, byte[][] words) {
        this.id = id;
        this.fields = fields;
        this.varies = varies;
        this.values = values;
        this.words = words;
    }

    /**
     * Fills in the values that change.
     *
     * @param filled one for each varying field, in their order; {@code null} leaves the field out
     */
    public RequestHead with(@Nullable String... filled) {
        return new RequestHead(id, fields, varies, filled, words);
    }

    /** Returns its number among those of its family, from 0. */
    int id() {
        return id;
    }

    boolean isConstant() {
        return !varies;
    }

    /** Writes each field with the connection's writer. */
    void write(HeaderWriter writer) {
        int next = 0;
        for (Field field : fields) {
            if (field.value() != null) {
                writer.fixed(field, field.value());
            } else {
                String value = next < values.length ? values[next] : null;
                next++;
                if (value != null) {
                    writer.varying(field, value);
                }
            }
        }
    }

    /** Tells people of it, in the words of HTTP/1.1: pseudo-fields become the request line and the host. */
    void tell(Dialogue to) {
        int next = 0;
        for (Field field : fields) {
            if (field.value() == null) {
                to.sent(words[next]);
                String value = next < values.length ? values[next] : null;
                next++;
                if (value != null) {
                    to.sent(field.before());
                    to.sent(value.getBytes(StandardCharsets.UTF_8));
                    to.sent(field.after());
                }
            }
        }
        to.sent(words[next]);
    }
}
