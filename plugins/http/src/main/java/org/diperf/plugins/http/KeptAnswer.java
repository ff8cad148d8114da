package org.diperf.plugins.http;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.diperf.core.spi.Answer;
import org.diperf.plugins.lib.netty.ShownHead;
import org.jspecify.annotations.Nullable;

/** A whole response as it came, of at most 1 MiB: kept only where something of it is wanted. Confined to one exchange. */
final class KeptAnswer implements Answer {

    private static final int MOST_BYTES = 1 << 20;

    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private @Nullable String head;
    private byte[] body = {};
    private long came;

    /** Takes the next bytes of the connection. */
    void take(byte[] next) {
        came += next.length;
        bytes.write(next, 0, Math.min(next.length, MOST_BYTES - bytes.size()));
    }

    /** Returns the status of the final response. */
    @Override
    public String status() {
        String[] words = head().split(" ", 3);
        return words.length < 2 ? "" : words[1].strip();
    }

    /** Returns the size of the body: of one in chunks, of what is kept of it. */
    @Override
    public long size() {
        head();
        return isChunked() ? withoutChunks(body).length : body.length + came - bytes.size();
    }

    private boolean isChunked() {
        return "chunked".equalsIgnoreCase(header("Transfer-Encoding"));
    }

    @Override
    public @Nullable String header(String name) {
        List<String> all = headers(name);
        return all.isEmpty() ? null : all.get(0);
    }

    @Override
    public List<String> headers(String name) {
        List<String> all = new ArrayList<>();
        for (String line : head().split("\r?\n")) {
            int colon = line.indexOf(':');
            if (colon > 0 && line.substring(0, colon).strip().equalsIgnoreCase(name)) {
                all.add(line.substring(colon + 1).strip());
            }
        }
        return all;
    }

    @Override
    public String body() {
        head();
        return new String(isChunked() ? withoutChunks(body) : body, StandardCharsets.UTF_8);
    }

    /** Finds the head of the final response. */
    @Override
    public String head() {
        String known = head;
        if (known != null) {
            return known;
        }
        byte[] all = bytes.toByteArray();
        int from = 0;
        String found;
        do {
            int end = ShownHead.end(all, from);
            found = new String(all, from, end - from, StandardCharsets.ISO_8859_1);
            from = end;
        } while (found.matches("(?s)HTTP/1\\.[01] 1[0-9][0-9] .*") && from < all.length);
        head = found;
        body = java.util.Arrays.copyOfRange(all, from, all.length);
        return found;
    }

    /** Returns a chunked body without its framing, as far as it goes. */
    static byte[] withoutChunks(byte[] chunked) {
        ByteArrayOutputStream out = new ByteArrayOutputStream(chunked.length);
        int at = 0;
        while (at < chunked.length) {
            int end = at;
            while (end < chunked.length && chunked[end] != '\n') {
                end++;
            }
            String size = new String(chunked, at, end - at, StandardCharsets.US_ASCII).split(";", 2)[0].strip();
            // The parser has read this response already: only one that was cut off can be no number.
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
