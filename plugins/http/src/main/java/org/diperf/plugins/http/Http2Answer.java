package org.diperf.plugins.http;

import io.netty.buffer.ByteBuf;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.diperf.core.spi.Answer;
import org.diperf.plugins.lib.http2.Fields;
import org.jspecify.annotations.Nullable;

/** A response of HTTP/2, with at most 1 MiB of its body: kept only where something of it is wanted. Confined to one exchange. */
final class Http2Answer implements Answer {

    private static final int MOST_BYTES = 1 << 20;

    private final ByteArrayOutputStream body = new ByteArrayOutputStream();
    private @Nullable Fields fields;
    private long size;

    void take(Fields head) {
        fields = head;
    }

    void take(ByteBuf in, int from, int count) {
        size += count;
        byte[] bytes = new byte[Math.min(count, MOST_BYTES - body.size())];
        in.getBytes(from, bytes);
        body.write(bytes, 0, bytes.length);
    }

    @Override
    public @Nullable String header(String name) {
        return fields == null ? null : fields.first(name);
    }

    @Override
    public List<String> headers(String name) {
        return fields == null ? List.of() : fields.all(name);
    }

    @Override
    public String status() {
        return fields == null ? "" : String.valueOf(fields.status());
    }

    @Override
    public long size() {
        return size;
    }

    @Override
    public String head() {
        return fields == null ? "" : fields.text();
    }

    @Override
    public String body() {
        return body.toString(StandardCharsets.UTF_8);
    }
}
