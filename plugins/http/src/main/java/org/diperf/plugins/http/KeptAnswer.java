package org.diperf.plugins.http;

import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.diperf.core.spi.Answer;
import org.jspecify.annotations.Nullable;

/**
 * A response, with at most 1 MiB of its body, which is unpacked where it is packed: kept only where something of it is wanted. Confined to
 * one exchange.
 */
final class KeptAnswer implements Answer, ResponseParser.Sink {

    private final StringBuilder head = new StringBuilder();
    private final List<Field> fields = new ArrayList<>();
    private final KeptBody body;

    private record Field(String name, String value) {}

    /** @param keepsBody whether the text of its body will be read */
    KeptAnswer(boolean keepsBody) {
        this.body = new KeptBody(keepsBody);
    }

    @Override
    public void line(byte[] line, int length, boolean first) {
        if (first) {
            // What came before was an interim response.
            head.setLength(0);
            fields.clear();
        }
        String text = new String(line, 0, length, StandardCharsets.ISO_8859_1);
        head.append(text).append("\r\n");
        int colon = text.indexOf(':');
        if (!first && colon > 0) {
            fields.add(new Field(
                    text.substring(0, colon).strip(), text.substring(colon + 1).strip()));
        }
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

    KeptBody keptBody() {
        return body;
    }

    /** Returns the status of the final response. */
    @Override
    public String status() {
        String[] words = head.toString().split("[ \r\n]", 3);
        return words.length < 2 ? "" : words[1].strip();
    }

    /** Returns the size of the body, unpacked. */
    @Override
    public long size() {
        return body.bytes();
    }

    @Override
    public @Nullable String header(String name) {
        for (Field field : fields) {
            if (field.name.equalsIgnoreCase(name)) {
                return field.value;
            }
        }
        return null;
    }

    @Override
    public List<String> headers(String name) {
        List<String> all = new ArrayList<>();
        for (Field field : fields) {
            if (field.name.equalsIgnoreCase(name)) {
                all.add(field.value);
            }
        }
        return all;
    }

    @Override
    public String body() {
        return body.text();
    }

    /** Returns the head of the final response. */
    @Override
    public String head() {
        return head + "\r\n";
    }
}
