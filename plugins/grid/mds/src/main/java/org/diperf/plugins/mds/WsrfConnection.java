package org.diperf.plugins.mds;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufInputStream;
import io.netty.channel.EventLoop;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpObject;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseDecoder;
import io.netty.handler.codec.http.HttpStatusClass;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.handler.ssl.SslContext;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import org.diperf.core.spi.Dialogue;
import org.diperf.core.spi.Failure;
import org.jspecify.annotations.Nullable;

/** One client's connection to a WSRF service, by HTTP/1.1; it takes one query at a time. */
final class WsrfConnection implements Connection {

    /** The body of an answer is read as a whole, each client's for itself. */
    static final int MAX_BODY_BYTES = 16 << 20;

    /** The body of any other status says why, and is no result. */
    static final int MAX_FAULT_BYTES = 1 << 20;

    private static final int OK = 200;

    private final MdsSession session;
    private final int target;
    private final EventLoop loop;
    private final @Nullable SslContext secured;
    private final LoopResources share;

    private @Nullable ServerChannel line;
    private @Nullable Query asked;
    private @Nullable HttpResponse head;
    private @Nullable ByteBuf body;

    /** @param secured what {@link MdsSession#tlsOf} says */
    WsrfConnection(MdsSession session, int target, EventLoop loop, @Nullable SslContext secured) {
        this.session = session;
        this.target = target;
        this.loop = loop;
        this.secured = secured;
        this.share = session.shareOf(loop);
    }

    @Override
    public void ask(Query query) {
        asked = query;
        ServerChannel open = line;
        if (open != null && open.isOpen()) {
            send(open, query);
            return;
        }
        Opening owner = new Opening();
        ServerChannel made = new ServerChannel(session, target, loop, secured, owner);
        owner.mine = made;
        line = made;
        made.connect();
    }

    private void send(ServerChannel open, Query query) {
        ByteBuf out = open.buffer(query.request.length).writeBytes(query.request);
        query.sent(session.clock().nanoTime());
        open.write(out);
        open.flush();
    }

    private void end(@Nullable Failure why) {
        Query ending = asked;
        asked = null;
        head = null;
        if (body != null) {
            body.release();
            body = null;
        }
        if (ending != null) {
            ending.end(why);
        }
    }

    private void lose(String kind) {
        lose(Failure.ofService(kind));
    }

    private void lose(Failure why) {
        ServerChannel closing = line;
        line = null;
        if (closing != null) {
            closing.close();
        }
        end(why);
    }

    @Override
    public void cancel(Query query) {
        if (asked == query) {
            lose("cancelled");
        }
    }

    @Override
    public void close() {
        lose("cancelled");
    }

    private final class Opening implements ServerChannel.Owner {

        private @Nullable ServerChannel mine;

        @Override
        public void opened() {
            Query first = asked;
            ServerChannel open = line;
            if (first == null || open == null) {
                return;
            }
            first.connectNanos = open.connectNanos();
            first.tlsNanos = open.tlsNanos();
            open.decodeBy(new HttpResponseDecoder());
            send(open, first);
        }

        @Override
        public void received(Object message) {
            Query query = asked;
            if (line == null || line != mine) {
                return;
            }
            if (query == null) {
                lose("bytes that nobody asked for");
                return;
            }
            query.answered(session.clock());
            if (((HttpObject) message).decoderResult().isFailure()) {
                lose("malformed response");
                return;
            }
            Dialogue telling = query.dialogue;
            if (telling != null && message instanceof HttpResponse response) {
                telling.received(head(response).getBytes(StandardCharsets.ISO_8859_1));
            }
            if (telling != null && message instanceof HttpContent part) {
                query.came(part.content());
            }
            if (message instanceof HttpResponse response) {
                head = response.status().codeClass() == HttpStatusClass.INFORMATIONAL ? null : response;
            }
            HttpResponse response = head;
            if (message instanceof HttpContent part && response != null) {
                take(part.content(), query);
                if (asked != null && message instanceof LastHttpContent) {
                    answered(response, query);
                }
            }
        }

        private String head(HttpResponse response) {
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
            return text.append("\r\n").toString();
        }

        private void take(ByteBuf part, Query query) {
            int count = part.readableBytes();
            query.bytes += count;
            if (count == 0) {
                return;
            }
            ByteBuf whole = body;
            if (whole == null) {
                whole = part.alloc().heapBuffer(count);
                body = whole;
            }
            int most = head != null && head.status().code() != OK ? MAX_FAULT_BYTES : MAX_BODY_BYTES;
            if (whole.readableBytes() + (long) count > most) {
                lose("response too large");
            } else {
                whole.writeBytes(part);
            }
        }

        private void answered(HttpResponse response, Query query) {
            ByteBuf whole = body;
            String kind = query.read(
                    response.status().code(),
                    whole == null ? InputStream.nullInputStream() : new ByteBufInputStream(whole),
                    share.xml());
            if (!session.keepsConnections() || !HttpUtil.isKeepAlive(response)) {
                ServerChannel closing = line;
                line = null;
                if (closing != null) {
                    closing.close();
                }
            }
            end(kind == null ? null : Failure.ofService(kind));
        }

        @Override
        public void lost(@Nullable Failure why) {
            if (line == mine) {
                boolean begun = head != null;
                lose(
                        why != null
                                ? why
                                : Failure.ofService(
                                        begun ? "closed within the response" : "closed before the response"));
            }
        }
    }
}
