package org.diperf.plugins.lib.netty;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufInputStream;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpObject;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseDecoder;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import org.diperf.core.clock.NanoClock;
import org.diperf.core.spi.Dialogue;
import org.diperf.core.spi.Failure;
import org.diperf.core.spi.Memory;
import org.jspecify.annotations.Nullable;

/**
 * A client's way to one server by HTTP/1.1, for one exchange after another whose responses are read as a whole: opened when a request must go out,
 * opened again when it was lost. Confined to its event loop.
 */
public final class HttpClientConnection {

    /** The body of a response is read as a whole, each client's for itself. */
    public static final int MAX_BODY_BYTES = 16 << 20;

    /** The body of any status but 200 says why, and is no result. */
    public static final int MAX_FAULT_BYTES = 1 << 20;

    /** One request and its response. */
    public interface Exchange {

        /** Returns the request as it is sent. */
        byte[] request();

        /** Returns what takes what is said; {@code null}: nobody will look. */
        default @Nullable Dialogue dialogue() {
            return null;
        }

        /**
         * A connection was made for it.
         *
         * @param tlsNanos -1 where it is not secured
         */
        void connected(long connectNanos, long tlsNanos);

        /** The request is about to be sent. */
        void sending(long nowNanos);

        /** Something of the response has come; called each time. */
        default void came() {}

        /** So many bytes of the response's body have come. */
        void bytes(int count);

        /**
         * Takes the response, at the end of the exchange.
         *
         * @param body valid during the call only
         */
        void answered(int status, InputStream body);

        /** Takes why there is none, at the end of the exchange. */
        void failed(Failure why);
    }

    private final Dialer dialer;
    private final @Nullable Security security;
    private final boolean keeps;
    private final byte @Nullable [] prelude;
    private final NanoClock clock;
    private final Memory memory;

    private @Nullable Opening line;
    private @Nullable Exchange current;

    /**
     * @param security {@code null}: none
     * @param keeps whether the connection is kept for the next exchange
     * @param prelude sent before the first request of a connection; {@code null}: nothing
     * @param memory counts what responses take
     */
    public HttpClientConnection(
            Dialer dialer,
            @Nullable Security security,
            boolean keeps,
            byte @Nullable [] prelude,
            NanoClock clock,
            Memory memory) {
        this.memory = memory;
        this.dialer = dialer;
        this.security = security;
        this.keeps = keeps;
        this.prelude = prelude;
        this.clock = clock;
    }

    /** Begins an exchange; none may be running. */
    public void begin(Exchange exchange) {
        current = exchange;
        Opening open = line;
        if (open != null && open.channel.isOpen()) {
            open.send(exchange);
        } else {
            drop();
            line = new Opening();
            line.channel.connect();
        }
    }

    /** Returns the exchange that is running; {@code null}: none. */
    public @Nullable Exchange current() {
        return current;
    }

    /** Gives up the exchange that is running, which ends it, and the connection with it. */
    public void cancel() {
        lose(Failure.ofService("cancelled"));
    }

    /** Closes the connection; the exchange that is running, if any, is told nothing. */
    public void close() {
        current = null;
        drop();
    }

    private void drop() {
        Opening dropped = line;
        line = null;
        if (dropped != null) {
            dropped.close();
        }
    }

    private void lose(Failure why) {
        drop();
        Exchange ending = current;
        current = null;
        if (ending != null) {
            ending.failed(why);
        }
    }

    /** One connection. */
    private final class Opening implements ClientChannel.Owner {

        private final ClientChannel channel = new ClientChannel(dialer, security, security != null, clock, this);
        private final HttpResponseReader response = new HttpResponseReader(MAX_BODY_BYTES, MAX_FAULT_BYTES);
        private long counted;

        private void close() {
            channel.close();
            forget();
        }

        private void forget() {
            response.forget();
            memory.resize(counted, 0);
            counted = 0;
        }

        @Override
        public void opened() {
            Exchange first = current;
            if (first == null) {
                return;
            }
            if (prelude != null) {
                channel.write(channel.buffer(prelude.length).writeBytes(prelude));
                channel.flush();
            }
            channel.decodeBy(new HttpResponseDecoder());
            first.connected(channel.connectNanos(), channel.tlsNanos());
            send(first);
        }

        private void send(Exchange exchange) {
            byte[] request = exchange.request();
            ByteBuf out = channel.buffer(request.length).writeBytes(request);
            Dialogue telling = exchange.dialogue();
            exchange.sending(clock.nanoTime());
            if (telling != null) {
                telling.sent(request);
            }
            channel.write(out);
            channel.flush();
        }

        @Override
        public void received(Object message) {
            Exchange exchange = current;
            if (exchange == null) {
                drop(); // bytes that nobody asked for
                return;
            }
            exchange.came();
            tell(exchange.dialogue(), message);
            if (message instanceof HttpContent part) {
                long more = part.content().readableBytes();
                if (!memory.resize(counted, counted + more)) {
                    lose(Memory.FULL);
                    return;
                }
                counted += more;
            }
            switch (response.take((HttpObject) message, exchange)) {
                case MALFORMED -> lose(Failure.ofService("malformed response"));
                case TOO_LARGE -> lose(Failure.ofService("response too large"));
                case WHOLE -> answered(exchange);
                case MORE_TO_COME -> {}
            }
        }

        private static void tell(@Nullable Dialogue telling, Object message) {
            if (telling == null) {
                return;
            }
            if (message instanceof HttpResponse response) {
                StringBuilder text = new StringBuilder(256);
                text.append(response.protocolVersion())
                        .append(' ')
                        .append(response.status())
                        .append("\r\n");
                response.headers()
                        .forEach(field -> text.append(field.getKey())
                                .append(": ")
                                .append(field.getValue())
                                .append("\r\n"));
                telling.received(text.append("\r\n").toString().getBytes(StandardCharsets.ISO_8859_1));
            }
            if (message instanceof HttpContent part && part.content().isReadable()) {
                telling.received(part.content().nioBuffer());
            }
        }

        private void answered(Exchange exchange) {
            int status = response.status();
            ByteBuf body = response.takeBody();
            current = null;
            if (!keeps || !response.isKeepAlive()) {
                drop();
            }
            forget();
            try {
                exchange.answered(status, body == null ? InputStream.nullInputStream() : new ByteBufInputStream(body));
            } finally {
                if (body != null) {
                    body.release();
                }
            }
        }

        @Override
        public void lost(@Nullable Failure why) {
            if (line == this) {
                boolean begun = response.isBegun();
                lose(
                        why != null
                                ? why
                                : Failure.ofService(
                                        begun ? "closed within the response" : "closed before the response"));
            }
        }
    }
}
