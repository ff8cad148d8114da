package org.diperf.plugins.http;

import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.diperf.core.spi.Answer;
import org.diperf.core.spi.Memory;
import org.jspecify.annotations.Nullable;

/**
 * A response, with at most 1 MiB of its body, which is unpacked where it is packed: kept only where something of it is wanted. Its head is
 * kept as it came, and looked through by whoever asks. Confined to one exchange.
 */
final class BufferedResponse implements Answer, ResponseParser.Sink {

    private static final int NONE = -1;
    private static final int USUAL_HEAD_BYTES = 256;

    /** Lines, each with its end. */
    private byte[] head = new byte[USUAL_HEAD_BYTES];

    private int headBytes;
    private final BufferedBody body;

    /**
     * @param keepsBody whether the text of its body will be read
     * @param memory counts what it takes
     */
    BufferedResponse(boolean keepsBody, Memory memory) {
        this.body = new BufferedBody(keepsBody, memory);
    }

    @Override
    public void line(byte[] line, int length, boolean first) {
        if (first) {
            // What came before was an interim response.
            headBytes = 0;
        }
        int end = headBytes + length;
        if (end + 2 > head.length) {
            int wider = 2 * (end + 2);
            if (!body.grows(wider - head.length)) {
                return;
            }
            head = Arrays.copyOf(head, wider);
        }
        System.arraycopy(line, 0, head, headBytes, length);
        head[end] = '\r';
        head[end + 1] = '\n';
        headBytes = end + 2;
    }

    @Override
    public void bodyBegins() {
        body.encoding(header("Content-Encoding"));
    }

    @Override
    public void body(ByteBuf in, int count) {
        body.take(in, in.readerIndex(), count);
    }

    /** Takes the end of the response. */
    void end() {
        body.end();
    }

    /** Lets go of what it holds, of a response that will not end. */
    void release() {
        body.close();
    }

    BufferedBody keptBody() {
        return body;
    }

    /** Returns the status of the final response. */
    @Override
    public String status() {
        int from = 0;
        while (from < headBytes && head[from] > ' ') {
            from++;
        }
        int to = from + 1;
        while (to < headBytes && head[to] > ' ') {
            to++;
        }
        return to < headBytes ? text(from + 1, to) : "";
    }

    private String text(int from, int to) {
        return new String(head, from, to - from, StandardCharsets.ISO_8859_1);
    }

    /** Returns the size of the body, unpacked. */
    @Override
    public long size() {
        return body.bytes();
    }

    @Override
    public @Nullable String header(String name) {
        int line = next(0, name);
        return line == NONE ? null : value(line);
    }

    @Override
    public List<String> headers(String name) {
        List<String> all = new ArrayList<>();
        for (int line = next(0, name); line != NONE; line = next(line, name)) {
            all.add(value(line));
        }
        return all;
    }

    /** Returns where the next line begins that is a field of that name, behind a line. */
    private int next(int behind, String name) {
        for (int line = end(behind) + 1; line < headBytes; line = end(line) + 1) {
            if (isNamed(line, name)) {
                return line;
            }
        }
        return NONE;
    }

    /** Returns where a line ends. */
    private int end(int line) {
        int at = line;
        while (at < headBytes && head[at] != '\n') {
            at++;
        }
        return at;
    }

    private boolean isNamed(int line, String name) {
        int behind = line + name.length();
        if (behind >= headBytes) {
            return false;
        }
        for (int i = 0; i < name.length(); i++) {
            if (Character.toLowerCase(head[line + i]) != Character.toLowerCase(name.charAt(i))) {
                return false;
            }
        }
        while (behind < headBytes && (head[behind] == ' ' || head[behind] == '\t')) {
            behind++;
        }
        return behind < headBytes && head[behind] == ':';
    }

    private String value(int line) {
        int colon = line;
        while (head[colon] != ':') {
            colon++;
        }
        return text(colon + 1, end(line)).strip();
    }

    @Override
    public String body() {
        return body.text();
    }

    /** Returns the head of the final response. */
    @Override
    public String head() {
        return text(0, headBytes) + "\r\n";
    }
}
