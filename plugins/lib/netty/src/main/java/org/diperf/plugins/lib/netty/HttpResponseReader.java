package org.diperf.plugins.lib.netty;

import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpObject;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpStatusClass;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.LastHttpContent;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** Puts the pieces of one HTTP response after another together, each in memory as a whole. Confined to its connection's event loop. */
public final class HttpResponseReader {

    private static final int OK = 200;

    /** What is known of a response after a piece of it. */
    public enum Progress {
        MORE_TO_COME,
        WHOLE,
        MALFORMED,
        TOO_LARGE
    }

    private final int maxBytes;
    private final int maxFaultBytes;
    private @Nullable HttpResponse head;
    private @Nullable ByteBuf body;

    /**
     * @param maxBytes of a body
     * @param maxFaultBytes of the body of any status but 200, which says why and is no result
     */
    public HttpResponseReader(int maxBytes, int maxFaultBytes) {
        this.maxBytes = maxBytes;
        this.maxFaultBytes = maxFaultBytes;
    }

    /**
     * Takes the next piece, of an {@link io.netty.handler.codec.http.HttpResponseDecoder}.
     *
     * @param exchange hears of the bytes of the body; {@code null}: nobody does
     */
    public Progress take(HttpObject piece, HttpClientConnection.@Nullable Exchange exchange) {
        if (piece.decoderResult().isFailure()) {
            return Progress.MALFORMED;
        }
        if (piece instanceof HttpResponse response) {
            head = response.status().codeClass() == HttpStatusClass.INFORMATIONAL ? null : response;
        }
        HttpResponse response = head;
        if (!(piece instanceof HttpContent part) || response == null) {
            return Progress.MORE_TO_COME;
        }
        int count = part.content().readableBytes();
        if (count > 0) {
            if (exchange != null) {
                exchange.bytes(count);
            }
            ByteBuf whole = body == null ? part.content().alloc().heapBuffer(count) : body;
            body = whole;
            if (whole.readableBytes() + (long) count > (status() == OK ? maxBytes : maxFaultBytes)) {
                return Progress.TOO_LARGE;
            }
            whole.writeBytes(part.content());
        }
        return piece instanceof LastHttpContent ? Progress.WHOLE : Progress.MORE_TO_COME;
    }

    /** Returns whether a response has begun and was not forgotten. */
    public boolean isBegun() {
        return head != null;
    }

    /** Returns the status, 0 before the head. */
    public int status() {
        return head == null ? 0 : head.status().code();
    }

    /** Returns whether the server keeps the connection. */
    public boolean isKeepAlive() {
        return head != null && HttpUtil.isKeepAlive(head);
    }

    /** Hands the body over to its caller, who releases it; {@code null}: there is none. */
    public @Nullable ByteBuf takeBody() {
        ByteBuf taken = body;
        body = null;
        return taken;
    }

    /** Returns the body as text. */
    public String text() {
        return body == null ? "" : body.toString(StandardCharsets.UTF_8);
    }

    /** Forgets the response, for the next one. */
    public void forget() {
        head = null;
        if (body != null) {
            body.release();
            body = null;
        }
    }
}
