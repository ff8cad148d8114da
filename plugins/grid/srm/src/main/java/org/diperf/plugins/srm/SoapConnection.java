package org.diperf.plugins.srm;

import io.netty.channel.EventLoop;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.TimeUnit;
import javax.xml.stream.XMLInputFactory;
import org.diperf.core.spi.Failure;
import org.diperf.plugins.lib.netty.HttpClientConnection;
import org.diperf.plugins.lib.netty.soap.Xml;
import org.diperf.plugins.lib.netty.soap.XmlNode.MalformedXmlException;
import org.diperf.plugins.srm.Messages.Message;

/** A way to a manager for one message after another. Confined to its event loop. */
final class SoapConnection {

    private final SrmSession session;
    private final SrmTarget target;
    private final EventLoop loop;
    private final HttpClientConnection line;
    private final Deque<Exchange> waiting = new ArrayDeque<>();
    private boolean closing;

    /** One message and its answer. */
    abstract static class Exchange {

        private final Message message;

        /** What a new connection took, -1 where one was there. */
        long connectNanos = -1;
        /** When the message went out. */
        long sentNanos;
        /** Bytes of the answer's body. */
        long bytes;

        Exchange(Message message) {
            this.message = message;
        }

        /** Takes the answer. */
        abstract void answered(SrmResponse answer);

        /** Takes why there is none, named by its operation. */
        abstract void failed(Failure why);

        String operation() {
            return message.operation();
        }
    }

    SoapConnection(SrmSession session, int index, int client, EventLoop loop) {
        this.session = session;
        this.target = session.target(index);
        this.loop = loop;
        this.line = session.line(index, client, loop);
    }

    /** Sends a message when those before it have been answered. */
    void ask(Exchange exchange) {
        waiting.add(exchange);
        next();
    }

    /** Takes nothing more; what waits may still go out for a while. */
    void closeWithin(long nanos) {
        closing = true;
        if (line.current() == null && waiting.isEmpty()) {
            close();
        } else {
            loop.schedule(this::close, nanos, TimeUnit.NANOSECONDS);
        }
    }

    /** Closes it; nobody is told. */
    void close() {
        closing = true;
        waiting.clear();
        line.close();
    }

    private void next() {
        if (line.current() != null) {
            return;
        }
        Exchange next = waiting.poll();
        if (next != null) {
            line.begin(new Running(next));
        } else if (closing) {
            close();
        }
    }

    /** An exchange under way. */
    private final class Running implements HttpClientConnection.Exchange {

        private final Exchange of;

        Running(Exchange of) {
            this.of = of;
        }

        @Override
        public byte[] request() {
            return Xml.post(
                    target.server().toString(),
                    target.endpoint(),
                    of.message.action(),
                    session.keepsConnections(),
                    of.message.body().getBytes(StandardCharsets.UTF_8));
        }

        @Override
        public void connected(long connectNanos, long tlsNanos) {
            of.connectNanos = connectNanos + Math.max(0, tlsNanos);
        }

        @Override
        public void sending(long nowNanos) {
            of.sentNanos = nowNanos;
        }

        @Override
        public void bytes(int count) {
            of.bytes += count;
        }

        @Override
        public void answered(int status, InputStream body) {
            SrmResponse answer = null;
            try {
                XMLInputFactory readers = session.readersOf(loop);
                answer = SrmResponse.read(of.operation(), status, body, readers);
            } catch (MalformedXmlException e) {
                of.failed(Failure.ofService(String.valueOf(e.getMessage())).in(of.operation()));
            }
            if (answer != null) {
                of.answered(answer);
            }
            next();
        }

        @Override
        public void failed(Failure why) {
            of.failed(why.in(of.operation()));
            next();
        }
    }
}
