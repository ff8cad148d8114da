package org.diperf.controller.page;

import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.DefaultFileRegion;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.DefaultHttpResponse;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.handler.codec.http.QueryStringDecoder;
import io.netty.handler.codec.http.cookie.Cookie;
import io.netty.handler.codec.http.cookie.ServerCookieDecoder;
import io.netty.handler.timeout.IdleStateEvent;
import io.netty.handler.timeout.IdleStateHandler;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.RejectedExecutionException;
import org.diperf.core.folder.PlainFile;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Answers the requests of one connection, one after another. Confined to the event loop, but for what a site reads. */
final class RequestHandler extends SimpleChannelInboundHandler<FullHttpRequest> {

    private static final Logger LOG = LoggerFactory.getLogger(RequestHandler.class);
    private static final String LOOK = "look";

    private final PageServer server;
    private boolean streams;
    private boolean pending;

    RequestHandler(PageServer server) {
        this.server = server;
    }

    @Override
    protected void channelRead0(ChannelHandlerContext context, FullHttpRequest request) {
        if (streams) {
            // What follows on a stream's connection can have no answer.
            context.close();
            return;
        }
        boolean keep = HttpUtil.isKeepAlive(request);
        if (request.decoderResult().isFailure()) {
            answer(context, PageResponse.plain(400, "Malformed request."), false);
            return;
        }
        QueryStringDecoder query;
        Map<String, String> parameters = new HashMap<>();
        try {
            query = new QueryStringDecoder(request.uri());
            query.parameters().forEach((name, values) -> parameters.put(name, values.get(0)));
        } catch (IllegalArgumentException e) {
            answer(context, PageResponse.plain(400, "Malformed address."), false);
            return;
        }
        HttpHeaders headers = request.headers();
        String given = parameters.get(LOOK);
        AccessControl.Refusal refusal = server.gate()
                .refuse(new AccessControl.Asked(
                        request.method().name(),
                        headers.get(HttpHeaderNames.HOST),
                        headers.get(HttpHeaderNames.ORIGIN),
                        headers.get("sec-fetch-site"),
                        headers.get("sec-fetch-mode"),
                        headers.get("x-diperf-token"),
                        given != null ? given : cookie(headers)));
        String path = query.path();
        if (refusal != null) {
            answer(context, PageResponse.plain(refusal.status(), refusal.reason()), false);
        } else if (given != null && server.gate().guardsLooking()) {
            // The browser keeps what is behind the #.
            answer(
                    context,
                    PageResponse.seeOther(path)
                            .with(
                                    "set-cookie",
                                    server.gate().cookie() + "=" + given + "; HttpOnly; SameSite=Strict; Path=/"),
                    keep);
        } else if (request.method().name().equals("POST")) {
            String who = context.channel().remoteAddress() instanceof InetSocketAddress peer
                    ? peer.getAddress().getHostAddress()
                    : "?";
            site(context, keep, () -> server.site().post(path, who));
        } else {
            Viewers viewers = server.viewers(path);
            if (viewers == null) {
                String accept = headers.get(HttpHeaderNames.ACCEPT, "");
                site(context, keep, () -> server.site().get(path, parameters, accept));
            } else {
                stream(context, viewers);
            }
        }
    }

    private @Nullable String cookie(HttpHeaders headers) {
        String all = headers.get(HttpHeaderNames.COOKIE);
        if (all == null) {
            return null;
        }
        for (Cookie cookie : ServerCookieDecoder.STRICT.decode(all)) {
            if (cookie.name().equals(server.gate().cookie())) {
                return cookie.value();
            }
        }
        return null;
    }

    private interface Work {
        PageResponse answer();
    }

    /** Lets the site answer on another thread; the connection is not read meanwhile. */
    private void site(ChannelHandlerContext context, boolean keep, Work work) {
        context.channel().config().setAutoRead(false);
        pending = true;
        try {
            server.read(() -> {
                PageResponse answer;
                try {
                    answer = work.answer();
                } catch (RuntimeException e) {
                    LOG.warn("a page could not be created", e);
                    answer = PageResponse.plain(500, "This page could not be created: " + e.getMessage());
                }
                PageResponse made = answer;
                context.executor().execute(() -> {
                    pending = false;
                    answer(context, made, keep);
                    context.channel().config().setAutoRead(true);
                });
            });
        } catch (RejectedExecutionException e) {
            pending = false;
            context.channel().config().setAutoRead(true);
            answer(
                    context,
                    PageResponse.plain(503, "Too many concurrent requests for this page.")
                            .with("retry-after", "2"),
                    false);
        }
    }

    private void stream(ChannelHandlerContext context, Viewers viewers) {
        if (viewers.count() >= Viewers.MOST) {
            answer(
                    context,
                    PageResponse.plain(503, "Too many viewers have this page open.")
                            .with("retry-after", "5"),
                    false);
            return;
        }
        DefaultHttpResponse head = new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK);
        always(head.headers())
                .set(HttpHeaderNames.CONTENT_TYPE, "text/event-stream")
                .set("content-security-policy", PageResponse.OWN_POLICY);
        HttpUtil.setTransferEncodingChunked(head, true);
        streams = true;
        context.pipeline().remove(IdleStateHandler.class);
        context.write(head);
        viewers.add(context.channel(), server.clock().nanoTime());
    }

    private static HttpHeaders always(HttpHeaders headers) {
        return headers.set("x-content-type-options", "nosniff")
                .set("referrer-policy", "no-referrer")
                .set("cache-control", "no-store")
                .set("cross-origin-resource-policy", "same-origin")
                .set("cross-origin-opener-policy", "same-origin");
    }

    private static void answer(ChannelHandlerContext context, PageResponse answer, boolean keep) {
        Path file = answer.file();
        if (file != null) {
            answer(context, answer, file, keep);
            return;
        }
        DefaultFullHttpResponse response = new DefaultFullHttpResponse(
                HttpVersion.HTTP_1_1,
                HttpResponseStatus.valueOf(answer.status()),
                Unpooled.wrappedBuffer(answer.body()));
        answer.headers().forEach(always(response.headers())::set);
        response.headers().setInt(HttpHeaderNames.CONTENT_LENGTH, answer.body().length);
        HttpUtil.setKeepAlive(response, keep);
        end(context.writeAndFlush(response), answer, keep);
    }

    private static void answer(ChannelHandlerContext context, PageResponse answer, Path file, boolean keep) {
        FileChannel opened;
        long length;
        try {
            opened = PlainFile.open(file);
            length = opened.size();
        } catch (IOException e) {
            answer(context, PageResponse.plain(404, "There is no such file.").whenLeft(answer.left()), keep);
            return;
        }
        DefaultHttpResponse head =
                new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.valueOf(answer.status()));
        answer.headers().forEach(always(head.headers())::set);
        HttpUtil.setContentLength(head, length);
        HttpUtil.setKeepAlive(head, keep);
        context.write(head);
        context.write(new DefaultFileRegion(opened, 0, length));
        end(context.writeAndFlush(LastHttpContent.EMPTY_LAST_CONTENT), answer, keep);
    }

    private static void end(ChannelFuture written, PageResponse answer, boolean keep) {
        written.addListener(left -> answer.left().run());
        if (!keep) {
            written.addListener(ChannelFutureListener.CLOSE);
        }
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext context, Object event) {
        // An answer may take longer to make than anybody may take to ask.
        if (event instanceof IdleStateEvent && !pending) {
            context.close();
        }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        context.close();
    }
}
