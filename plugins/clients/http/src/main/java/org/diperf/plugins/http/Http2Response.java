package org.diperf.plugins.http;

import io.netty.buffer.ByteBuf;
import java.util.List;
import org.diperf.core.spi.Answer;
import org.diperf.core.spi.Memory;
import org.diperf.plugins.lib.http2.Fields;
import org.jspecify.annotations.Nullable;

/** A response of HTTP/2, with at most 1 MiB of its body, which is unpacked where it is packed: kept only where something of it is wanted. Confined to one exchange. */
final class Http2Response implements Answer {

    private final BufferedBody body;
    private @Nullable Fields fields;

    /**
     * @param keepsBody whether the text of its body will be read
     * @param memory counts what it takes
     */
    Http2Response(boolean keepsBody, Memory memory) {
        body = new BufferedBody(keepsBody, memory);
    }

    void take(Fields head) {
        fields = head;
        body.encoding(head.first("content-encoding"));
    }

    void take(ByteBuf in, int from, int count) {
        body.take(in, from, count);
    }

    BufferedBody keptBody() {
        return body;
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
        return body.bytes();
    }

    @Override
    public String head() {
        return fields == null ? "" : fields.text();
    }

    @Override
    public String body() {
        return body.text();
    }
}
