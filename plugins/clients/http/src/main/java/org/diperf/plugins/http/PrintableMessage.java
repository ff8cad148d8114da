package org.diperf.plugins.http;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.Charset;
import java.nio.charset.IllegalCharsetNameException;
import java.nio.charset.StandardCharsets;
import java.nio.charset.UnsupportedCharsetException;
import java.util.Arrays;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.GZIPInputStream;
import java.util.zip.InflaterInputStream;
import org.diperf.core.spi.Dialogue;
import org.diperf.plugins.lib.netty.PrintableHead;

/**
 * A request or a response for people: its header, without what proves who somebody is, and its body as the text that it stands
 * for. It may be cut off.
 */
final class PrintableMessage {

    /** A body that unpacks to more is cut off. */
    private static final int MAX_BODY = 1 << 20;

    private static final Pattern CHARSET = Pattern.compile("(?i)charset=\"?([\\w.:-]+)");
    private static final Pattern INTERIM = Pattern.compile("(?s)HTTP/1\\.[01] 1\\d\\d .*");

    private PrintableMessage() {}

    /** Returns what was sent or came, as text. */
    static String of(byte[] bytes) {
        PrintableHead head = PrintableHead.of(bytes);
        if (!head.isOne()) {
            return Dialogue.text(bytes);
        }
        byte[] rest = Arrays.copyOfRange(bytes, head.bytes(), bytes.length);
        return head.text() + (INTERIM.matcher(head.raw()).matches() ? of(rest) : body(head.raw(), rest));
    }

    private static String body(String head, byte[] body) {
        byte[] whole = field(head, "transfer-encoding").endsWith("chunked") ? withoutChunks(body) : body;
        byte[] plain = unpacked(field(head, "content-encoding"), whole);
        Matcher charset = CHARSET.matcher(field(head, "content-type"));
        return Dialogue.text(charset.find() ? inUtf8(plain, charset.group(1)) : plain);
    }

    private static byte[] inUtf8(byte[] bytes, String charset) {
        try {
            return new String(bytes, Charset.forName(charset)).getBytes(StandardCharsets.UTF_8);
        } catch (IllegalCharsetNameException | UnsupportedCharsetException e) {
            return bytes;
        }
    }

    private static String field(String head, String name) {
        for (String line : head.split("\r?\n")) {
            int colon = line.indexOf(':');
            if (colon > 0 && line.substring(0, colon).strip().equalsIgnoreCase(name)) {
                return line.substring(colon + 1).strip().toLowerCase(Locale.ROOT);
            }
        }
        return "";
    }

    /** Returns what a body stands for, or what could be unpacked of one that is cut off. */
    private static byte[] unpacked(String encoding, byte[] body) {
        ByteArrayOutputStream plain = new ByteArrayOutputStream();
        try (InputStream in = stream(encoding, body)) {
            byte[] part = new byte[1 << 12];
            for (int count = in.read(part); count >= 0 && plain.size() < MAX_BODY; count = in.read(part)) {
                plain.write(part, 0, count);
            }
        } catch (IOException cutOff) {
            // What came before is shown.
        }
        return plain.size() == 0 ? body : plain.toByteArray();
    }

    private static InputStream stream(String encoding, byte[] body) throws IOException {
        InputStream packed = new ByteArrayInputStream(body);
        return switch (encoding) {
            case "gzip", "x-gzip" -> new GZIPInputStream(packed);
            case "deflate" -> new InflaterInputStream(packed);
            default -> packed;
        };
    }

    /** Returns a chunked body without its framing, as far as it goes. */
    private static byte[] withoutChunks(byte[] chunked) {
        ByteArrayOutputStream out = new ByteArrayOutputStream(chunked.length);
        int at = 0;
        while (at < chunked.length) {
            int end = at;
            while (end < chunked.length && chunked[end] != '\n') {
                end++;
            }
            String size = new String(chunked, at, end - at, StandardCharsets.US_ASCII).split(";", 2)[0].strip();
            // Only one that was cut off can be no number.
            int length = size.matches("[0-9a-fA-F]{1,7}") ? Integer.parseInt(size, 16) : 0;
            int count = Math.min(length, Math.max(0, chunked.length - end - 1));
            if (count == 0) {
                break;
            }
            out.write(chunked, end + 1, count);
            at = end + 1 + count + 2;
        }
        return out.toByteArray();
    }
}
