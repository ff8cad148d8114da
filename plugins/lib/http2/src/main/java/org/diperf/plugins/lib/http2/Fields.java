package org.diperf.plugins.lib.http2;

import io.netty.handler.codec.http2.Http2Headers;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The header fields or the trailers of a response. Immutable; one that comes again may be the same object. */
public final class Fields {

    /** Stands for a number that is not there. */
    public static final int NONE = -1;

    private static final int NOT_A_STATUS = -2;

    private final Http2Headers fields;
    private final int status;
    private final long contentLength;
    private final boolean usable;
    /** Made when somebody asks, on the connection's event loop. */
    private byte @Nullable [] shown;

    Fields(Http2Headers fields) {
        this.fields = fields;
        this.status = status(fields.getAll(":status"));
        List<CharSequence> lengths = fields.getAll("content-length");
        long length = lengths.isEmpty() ? NONE : number(lengths.get(0));
        this.contentLength = length;
        this.usable =
                status != NOT_A_STATUS && length >= NONE && lengths.stream().allMatch(other -> number(other) == length);
    }

    private static int status(List<CharSequence> values) {
        if (values.isEmpty()) {
            return NONE;
        }
        CharSequence text = values.get(0);
        boolean right = values.size() == 1 && text.length() == 3 && text.charAt(0) != '0';
        return right ? (int) number(text) : NOT_A_STATUS;
    }

    /** Reads up to 18 digits. Without a pattern, as every response has some. */
    private static long number(CharSequence text) {
        int length = text.length();
        long number = length >= 1 && length <= 18 ? 0 : NOT_A_STATUS;
        for (int i = 0; i < length && number >= 0; i++) {
            int digit = text.charAt(i) - '0';
            number = digit >= 0 && digit <= 9 ? 10 * number + digit : NOT_A_STATUS;
        }
        return number;
    }

    /** Returns whether status and length are what they have to be where they are there. */
    boolean isUsable() {
        return usable;
    }

    /** Returns the status, {@link #NONE} where there is none, as in trailers. */
    public int status() {
        return status;
    }

    /** Returns what {@code content-length} says, {@link #NONE} where it is not there. */
    public long contentLength() {
        return contentLength;
    }

    /** Returns the first value of a field, {@code null} if there is none. */
    public @Nullable String first(String name) {
        CharSequence value = fields.get(name.toLowerCase(Locale.ROOT));
        return value == null ? null : value.toString();
    }

    /** Returns all values of a field. */
    public List<String> all(String name) {
        return fields.getAll(name.toLowerCase(Locale.ROOT)).stream()
                .map(CharSequence::toString)
                .toList();
    }

    /** Returns the fields, one a line, for people. */
    public String text() {
        StringBuilder text = new StringBuilder();
        for (Map.Entry<CharSequence, CharSequence> field : fields) {
            text.append(field.getKey()).append(": ").append(field.getValue()).append("\r\n");
        }
        return text.toString();
    }

    /** Returns them as HTTP/1.1 would have them, for people; the same bytes each time. On the event loop of the connection. */
    byte[] shown() {
        byte[] made = shown;
        if (made == null) {
            StringBuilder text = new StringBuilder();
            if (status != NONE) {
                text.append("HTTP/2 ").append(status).append("\r\n");
            }
            for (Map.Entry<CharSequence, CharSequence> field : fields) {
                if (field.getKey().charAt(0) != ':') {
                    text.append(field.getKey())
                            .append(": ")
                            .append(field.getValue())
                            .append("\r\n");
                }
            }
            made = text.append(status == NONE ? "" : "\r\n").toString().getBytes(StandardCharsets.UTF_8);
            shown = made;
        }
        return made;
    }
}
