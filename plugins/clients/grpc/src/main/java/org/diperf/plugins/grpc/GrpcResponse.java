package org.diperf.plugins.grpc;

import java.util.List;
import org.diperf.core.spi.Answer;
import org.diperf.plugins.lib.http2.Fields;
import org.jspecify.annotations.Nullable;

/**
 * A response, for whoever looks at it: metadata, and messages as JSON, one a line.
 *
 * @param metadata before the messages
 * @param trailers after them
 */
record GrpcResponse(@Nullable Fields metadata, @Nullable Fields trailers, String body) implements Answer {

    @Override
    public @Nullable String header(String name) {
        List<String> all = headers(name);
        return all.isEmpty() ? null : all.get(0);
    }

    @Override
    public List<String> headers(String name) {
        List<String> before = metadata == null ? List.of() : metadata.all(name);
        return before.isEmpty() && trailers != null ? trailers.all(name) : before;
    }

    /** Returns the code of gRPC, such as {@code 0}. */
    @Override
    public String status() {
        String code = header("grpc-status");
        return code == null ? "" : code;
    }

    @Override
    public String head() {
        return (metadata == null ? "" : metadata.text()) + (trailers == null ? "" : trailers.text());
    }
}
