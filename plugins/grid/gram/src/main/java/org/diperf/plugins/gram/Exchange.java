package org.diperf.plugins.gram;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.Unpooled;
import io.netty.channel.EventLoop;
import io.netty.handler.codec.http.HttpObject;
import io.netty.handler.codec.http.HttpResponseDecoder;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.concurrent.ScheduledFuture;
import java.io.IOException;
import java.security.cert.X509Certificate;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLEngine;
import org.diperf.core.spi.Failure;
import org.diperf.plugins.lib.gsi.GsiCredentials;
import org.diperf.plugins.lib.gsi.GsiFailures;
import org.diperf.plugins.lib.netty.ClientChannel;
import org.diperf.plugins.lib.netty.Dialer;
import org.diperf.plugins.lib.netty.HttpResponseReader;
import org.diperf.plugins.lib.netty.Security;
import org.jspecify.annotations.Nullable;

/**
 * One request and its reply, on a connection of its own, because gatekeeper and job manager close theirs behind each reply.
 * Ends once. Confined to its event loop; the few milliseconds of a handshake's arithmetic are spent there.
 */
final class Exchange implements ClientChannel.Owner, Security {

    private static final int MAX_REPLY_BYTES = 64 << 10;
    private static final int MAX_HEAD_BYTES = 8 << 10;
    private static final int MAX_REQUEST_BYTES = 16 << 10;

    /** Takes the end. */
    interface Owner {

        /** The reply is there, or why there is none; see {@link Exchange#failure}. */
        void ended(Exchange exchange);
    }

    /** Whom a connection is to, and what comes before the request. */
    enum Peer {
        /** The gatekeeper, which gets a proxy. */
        GATEKEEPER_WITH_PROXY,
        /** The gatekeeper, which gets none. */
        GATEKEEPER,
        /** A job manager, which acts for the user. */
        JOB_MANAGER
    }

    private enum Step {
        CONNECT,
        AUTHENTICATE,
        DELEGATE,
        REQUEST,
        OVER
    }

    private static final int DER_SEQUENCE = 0x30;
    private static final int MAX_ASKED_BYTES = 16 << 10;

    private final CallerIdentity caller;
    private final Gatekeeper gatekeeper;
    private final EventLoop loop;
    private final Peer peer;
    private final int port;
    private final byte[] request;
    private final String name;
    private final Owner owner;
    private final ClientChannel channel;
    private final HttpResponseReader reply = new HttpResponseReader(MAX_REPLY_BYTES, MAX_REPLY_BYTES);

    private Step step = Step.CONNECT;
    private long stepNanos;
    private @Nullable ScheduledFuture<?> limit;
    private @Nullable SSLEngine engine;
    private byte[] asked = {};
    private @Nullable Failure failure;
    private long connectNanos = -1;
    private long authenticateNanos = -1;
    private long delegateNanos = -1;
    private long requestNanos = -1;
    private boolean requested;
    private int status;
    private String body = "";

    /**
     * @param port of the gatekeeper's host
     * @param name of the request, for failures: {@code submit}
     */
    Exchange(
            CallerIdentity caller,
            Gatekeeper gatekeeper,
            EventLoop loop,
            Peer peer,
            int port,
            byte[] request,
            String name,
            Owner owner) {
        this.caller = caller;
        this.gatekeeper = gatekeeper;
        this.loop = loop;
        this.peer = peer;
        this.port = port;
        this.request = request;
        this.name = name;
        this.owner = owner;
        Dialer dialer = new Dialer(
                loop,
                gatekeeper.addresses().withPort(port),
                0,
                caller.stepNanos(),
                caller.clock(),
                caller.sampler(loop),
                null);
        this.channel = new ClientChannel(dialer, this, true, caller.clock(), this);
    }

    /** Returns why there is no reply; {@code null} where there is one. */
    @Nullable
    Failure failure() {
        return failure;
    }

    /** Returns the status of the reply in HTTP. */
    int status() {
        return status;
    }

    /** Returns the reply's body, empty where it has none. */
    String body() {
        return body;
    }

    /** Says what connecting took, -1 where that did not end well; so with the others. */
    long connectNanos() {
        return connectNanos;
    }

    long authenticateNanos() {
        return authenticateNanos;
    }

    long delegateNanos() {
        return delegateNanos;
    }

    long requestNanos() {
        return requestNanos;
    }

    void begin() {
        enter(Step.CONNECT);
        channel.connect();
    }

    @Override
    public SslHandler handler(ByteBufAllocator alloc) throws IOException {
        connectNanos = channel.connectNanos();
        enter(Step.AUTHENTICATE);
        boolean byName = peer == Peer.JOB_MANAGER || gatekeeper.contact().subject() != null;
        SSLEngine made = caller.credentials()
                .connection(byName ? null : gatekeeper.contact().server().host(), port);
        engine = made;
        SslHandler tls = new SslHandler(made);
        tls.setHandshakeTimeoutMillis(0);
        // Neither side of GRAM waits for the other's good-bye.
        tls.setCloseNotifyFlushTimeoutMillis(0);
        return tls;
    }

    @Override
    public Failure handshakeFailure(Throwable cause) {
        return GsiFailures.handshake(cause);
    }

    @Override
    public void opened() {
        authenticateNanos = caller.clock().nanoTime() - stepNanos;
        try {
            requirePeer();
        } catch (IOException | RuntimeException e) {
            end(GsiFailures.of(e));
            return;
        }
        if (step == Step.OVER) {
            return;
        }
        if (peer == Peer.GATEKEEPER_WITH_PROXY) {
            enter(Step.DELEGATE);
            write(new byte[] {'D'});
        } else {
            if (peer == Peer.GATEKEEPER) {
                write(new byte[] {'0'});
            }
            send();
        }
    }

    private void requirePeer() throws IOException {
        String subject = gatekeeper.contact().subject();
        SSLEngine authenticated = engine;
        if (authenticated == null || (peer != Peer.JOB_MANAGER && subject == null)) {
            return;
        }
        X509Certificate[] certificates = Arrays.stream(
                        authenticated.getSession().getPeerCertificates())
                .map(X509Certificate.class::cast)
                .toArray(X509Certificate[]::new);
        boolean isRight = peer == Peer.JOB_MANAGER
                ? caller.credentials().isSelf(certificates)
                : subject != null && GsiCredentials.isNamed(certificates, subject);
        if (!isRight) {
            end(Failure.ofService("GSI: authenticated as a different identity"));
        }
    }

    @Override
    public void received(Object message) {
        if (step == Step.DELEGATE) {
            delegate((ByteBuf) message);
        } else if (step == Step.REQUEST) {
            switch (reply.take((HttpObject) message, null)) {
                case MALFORMED -> end(GramReply.refused(name, GramError.HTTP_UNFRAME_FAILED));
                case TOO_LARGE -> end(Failure.ofService(name + ": answer too large"));
                case WHOLE -> replied();
                case MORE_TO_COME -> {}
            }
        }
    }

    private void replied() {
        requestNanos = caller.clock().nanoTime() - stepNanos;
        status = reply.status();
        body = reply.text();
        int error = GramError.ofHttp(status);
        end(
                status == 200
                        ? null
                        : Failure.ofService(name + ": "
                                + (error == GramError.HTTP_UNFRAME_FAILED
                                        ? "status " + status
                                        : GramError.named(error))));
    }

    /** Takes a piece of the request for a proxy. */
    private void delegate(ByteBuf piece) {
        int before = asked.length;
        asked = Arrays.copyOf(asked, before + piece.readableBytes());
        piece.readBytes(asked, before, asked.length - before);
        byte[] proxy = null;
        try {
            int length = asked[0] != DER_SEQUENCE || asked.length > MAX_ASKED_BYTES ? -1 : derLength();
            if (length == 0 || length > asked.length) {
                return;
            }
            proxy = length < 0
                    ? null
                    : caller.credentials().delegate(Arrays.copyOf(asked, length), caller.delegatesLimited());
        } catch (IOException | RuntimeException e) {
            // said below
        }
        if (proxy == null) {
            end(Failure.ofService("delegate: no proxy request"));
            return;
        }
        write(proxy);
        delegateNanos = caller.clock().nanoTime() - stepNanos;
        send();
    }

    /** Returns how long the element is as a whole, 0 where that is not known yet, -1 where it is too long. */
    private int derLength() {
        if (asked.length < 4) {
            return 0;
        }
        int first = asked[1] & 0xff;
        return switch (first) {
            case 0x81 -> 3 + (asked[2] & 0xff);
            case 0x82 -> 4 + ((asked[2] & 0xff) << 8 | asked[3] & 0xff);
            default -> first < 0x80 ? 2 + first : -1;
        };
    }

    private void send() {
        enter(Step.REQUEST);
        channel.decodeBy(new HttpResponseDecoder(MAX_HEAD_BYTES, MAX_HEAD_BYTES, MAX_REPLY_BYTES));
        requested = true;
        write(request);
    }

    /** Writes in records as large as the other side reads at once. */
    private void write(byte[] bytes) {
        for (int from = 0; from < bytes.length; from += MAX_REQUEST_BYTES) {
            channel.write(Unpooled.wrappedBuffer(bytes, from, Math.min(MAX_REQUEST_BYTES, bytes.length - from)));
        }
        channel.flush();
    }

    private void enter(Step next) {
        step = next;
        stepNanos = caller.clock().nanoTime();
        if (limit != null) {
            limit.cancel(false);
        }
        limit = loop.schedule(
                () -> end(Failure.ofService(named(next) + ": no answer")), caller.stepNanos(), TimeUnit.NANOSECONDS);
    }

    private String named(Step of) {
        return switch (of) {
            case CONNECT -> peer == Peer.JOB_MANAGER ? name : "connect";
            case AUTHENTICATE -> peer == Peer.JOB_MANAGER ? name : "authenticate";
            case DELEGATE -> "delegate";
            default -> name;
        };
    }

    /** Returns whether the request was sent, so that it may have had its effect. */
    boolean isAsked() {
        return requested;
    }

    /** Gives up; the owner is told. Nothing happens where it has ended. */
    void abandon() {
        end(Failure.ofService("cancelled"));
    }

    @Override
    public void lost(@Nullable Failure why) {
        if (why == null) {
            end(Failure.ofService(named(step) + ": closed before the answer"));
        } else {
            boolean told = step == Step.AUTHENTICATE || (step == Step.CONNECT && peer != Peer.JOB_MANAGER);
            end(told ? why : why.in(named(step)));
        }
    }

    private void end(@Nullable Failure why) {
        if (step == Step.OVER) {
            return;
        }
        step = Step.OVER;
        failure = why;
        if (limit != null) {
            limit.cancel(false);
        }
        channel.close();
        reply.forget();
        owner.ended(this);
    }
}
