package org.diperf.plugins.grpc;

import io.netty.buffer.ByteBuf;
import java.io.IOException;
import org.diperf.core.spi.AsyncClient;
import org.diperf.core.spi.Call;
import org.diperf.core.spi.Context;
import org.diperf.core.spi.FailedCallException;
import org.diperf.core.spi.Failure;
import org.diperf.core.spi.Memory;
import org.diperf.plugins.lib.http2.Fields;
import org.diperf.plugins.lib.http2.Http2Call;
import org.diperf.plugins.lib.http2.Http2Peer;
import org.diperf.plugins.lib.http2.RequestHead;
import org.diperf.plugins.lib.netty.ConnectionReporter;
import org.jspecify.annotations.Nullable;

/** One simulated user of a service of gRPC. Confined to its owner's loop, its exchange to that of its connection. */
final class GrpcClient implements AsyncClient {

    private final GrpcSession session;
    private final Exchange exchange;

    GrpcClient(GrpcSession session, int targets) {
        this.session = session;
        this.exchange = new Exchange(targets);
    }

    @Override
    public boolean sharesConnection() {
        return session.http2().share();
    }

    @Override
    public void open(Context context) {
        exchange.open(context);
    }

    @Override
    public void call(Call call) throws IOException {
        GrpcRequest request = session.requestOf(call);
        byte[] body;
        RequestHead head;
        try {
            body = request.body(call);
            head = request.head(call);
        } catch (IllegalArgumentException e) {
            // Nothing is sent: its texts make no request.
            throw new FailedCallException(Failure.ofExperiment(String.valueOf(e.getMessage())), e);
        }
        exchange.is(request, call.wantsAnswer());
        exchange.make(call, head, body, false);
    }

    @Override
    public void connect(Call call) throws IOException {
        exchange.connect(call);
    }

    @Override
    public void cancel(Call call) {
        exchange.cancel();
    }

    @Override
    public void close() {
        exchange.close();
    }

    /** The client's exchange. */
    private final class Exchange extends Http2Call {

        private final MessageCounter messages = new MessageCounter(session.memory());
        private @Nullable GrpcRequest request;
        private @Nullable Fields metadata;
        private @Nullable Fields trailers;
        /** The fields that were read last, and what they said. */
        private @Nullable Fields statusOf;

        private @Nullable String status;
        private boolean keeps;
        private long firstNanos;
        private long stallNanos;
        private long lastNanos;

        Exchange(int targets) {
            super(session.http2(), targets);
        }

        private void is(GrpcRequest of, boolean keepsMessages) {
            request = of;
            keeps = keepsMessages;
            forget();
        }

        private void forget() {
            metadata = null;
            trailers = null;
            firstNanos = -1;
            stallNanos = -1;
            messages.reset(keeps);
        }

        private GrpcResponse answer() {
            StringBuilder body = new StringBuilder();
            for (byte[] message : messages.kept()) {
                body.append(body.isEmpty() ? "" : "\n").append(json(message));
            }
            return new GrpcResponse(metadata, trailers, body.toString());
        }

        private String json(byte[] message) {
            try {
                return request == null ? "{}" : request.json(message);
            } catch (IllegalArgumentException e) {
                return "(" + e.getMessage() + ")";
            }
        }

        @Override
        protected Http2Peer peer(Call call, int target) throws IOException {
            return session.peer(call, target);
        }

        @Override
        protected void restarts() {
            forget();
        }

        @Override
        protected void head(Fields fields) {
            metadata = fields;
        }

        @Override
        protected void data(ByteBuf in, int from, int count) {
            boolean first = messages.messages() == 0;
            int ended = messages.take(in, from, count);
            if (ended == 0) {
                return;
            }
            long now = cameNanos();
            if (first) {
                firstNanos = sinceWrittenNanos();
            } else {
                stallNanos = Math.max(stallNanos, now - lastNanos);
            }
            if (ended > 1) {
                stallNanos = Math.max(stallNanos, 0);
            }
            lastNanos = now;
            for (int i = 0; i < ended && request != null && request.isStream(); i++) {
                event(0, 1);
            }
        }

        @Override
        protected void trailers(Fields fields) {
            trailers = fields;
        }

        @Override
        protected @Nullable Failure judged() {
            Fields before = metadata;
            Fields last = trailers == null ? before : trailers;
            if (before == null || last == null || request == null) {
                return Failure.ofService("bad response: nothing");
            }
            if (before.status() != 200) {
                return Failure.ofService("status " + before.status());
            }
            String status = status(last);
            if (status == null) {
                return Failure.ofService("bad response: no grpc-status");
            }
            if (!request.expected().contains(status)) {
                return Statuses.failure(status);
            }
            if (messages.isCompressed() || messages.isWithin()) {
                return Failure.ofService(
                        "bad response: " + (messages.isWithin() ? "a cut message" : "a compressed message"));
            }
            if (status.equals("OK") && !request.isStream() && messages.messages() != 1) {
                return Failure.ofService("bad response: not one message");
            }
            return messages.isFull() ? Memory.FULL : null;
        }

        /** Reads the status; of what is the same as before once. */
        private @Nullable String status(Fields of) {
            if (statusOf != of) {
                status = Statuses.name(of.first("grpc-status"));
                statusOf = of;
            }
            return status;
        }

        @Override
        protected void report(Call ending, @Nullable Failure failure) {
            ConnectionReporter.tell(ending, GrpcPlugin.FIRST_MESSAGE, writtenNanos(), firstNanos);
            ConnectionReporter.tell(ending, GrpcPlugin.STALL, stallNanos);
            if (request != null && request.isStream()) {
                ending.metric(GrpcPlugin.MESSAGES, messages.messages());
            }
            if (keeps && (failure == null || ending.wantsFailedAnswer())) {
                ending.answer(answer());
            }
            messages.reset(false);
            end(ending, failure);
        }
    }
}
