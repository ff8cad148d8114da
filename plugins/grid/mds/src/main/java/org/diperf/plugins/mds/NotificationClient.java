package org.diperf.plugins.mds;

import static java.util.Objects.requireNonNull;

import io.netty.channel.EventLoop;
import java.io.IOException;
import java.io.InputStream;
import java.util.concurrent.TimeUnit;
import org.diperf.core.spi.AsyncClient;
import org.diperf.core.spi.Call;
import org.diperf.core.spi.Context;
import org.diperf.core.spi.Failure;
import org.diperf.core.spi.Metric;
import org.diperf.plugins.lib.netty.ConnectionReporter;
import org.diperf.plugins.lib.netty.HttpClientConnection;
import org.diperf.plugins.lib.netty.InFlightCall;
import org.diperf.plugins.lib.netty.Security;
import org.diperf.plugins.lib.netty.soap.NotificationListener;
import org.diperf.plugins.lib.netty.soap.SoapMessage;
import org.diperf.plugins.lib.netty.soap.XmlNode;
import org.diperf.plugins.lib.netty.soap.XmlNode.MalformedXmlException;
import org.diperf.plugins.mds.NotificationMessages.Filled;
import org.diperf.plugins.mds.Subscription.UnusableReferenceException;
import org.jspecify.annotations.Nullable;

/**
 * One user of an aggregator: subscribes to it, publishes to it, or waits for what it tells of what was published. Where calls wait, the subscription is
 * kept for the next one, until a call did not get what it waited for. The steps of a call are on the loop of its sockets; the rest on its owner's.
 */
final class NotificationClient implements AsyncClient {

    /** How long the end of a subscription may take that nobody waits for. */
    private static final long LEAVE_NANOS = 2_000_000_000L;

    private enum Step {
        NONE,
        SUBSCRIBING,
        PUBLISHING,
        WAITING,
        UNSUBSCRIBING
    }

    private final MdsSession session;
    private final Operation operation;
    private final @Nullable HttpClientConnection[] lines;
    private final @Nullable Subscription[] subscriptions;
    /** What secures them, as far as they have been asked for; by target. Confined to the owner. */
    private final @Nullable Security[] secured;

    private final Request request = new Request();
    private final InFlightCall inFlight = new InFlightCall();
    private Step step = Step.NONE;
    private int client;
    private int target;
    private Filled filled = new Filled("", "", "");
    /** Of the subscription that is being made, and then of the call's. */
    private String id = "";

    private long bytes;
    private long connectNanos;
    private long tlsNanos;
    private long subscribingNanos;
    private long subscribedNanos;
    private long publishingNanos;
    private long publishedNanos;
    private long arrivedNanos;
    private long unsubscribingNanos;
    private long unsubscribedNanos;
    /** Since the last call that ended. */
    private int strays;

    private @Nullable Failure failure;

    NotificationClient(MdsSession session) {
        this.session = session;
        this.operation = session.operation();
        this.lines = new HttpClientConnection[session.targets()];
        this.subscriptions = new Subscription[lines.length];
        this.secured = new Security[lines.length];
    }

    @Override
    public void open(Context context) {
        inFlight.open(session.loops().of(context.loop()));
        client = context.client();
    }

    @Override
    public void call(Call call) throws IOException {
        int to = call.targetIndex();
        Security known = secured[to];
        Security tls = known == null ? session.tlsOf(call) : known;
        secured[to] = tls;
        inFlight.begin(call);
        Filled says = session.notifications().fill(operation, call);
        inFlight.loop().toSockets(() -> begin(to, says));
    }

    private HttpClientConnection newLine(int to) {
        return session.line(to, client, loop(), secured[to]);
    }

    private EventLoop loop() {
        return inFlight.loop().eventLoop();
    }

    private HttpClientConnection line() {
        HttpClientConnection made = lines[target];
        if (made == null) {
            made = newLine(target);
            lines[target] = made;
        }
        return made;
    }

    private void begin(int to, Filled says) {
        target = to;
        filled = says;
        failure = null;
        bytes = 0;
        connectNanos = -1;
        tlsNanos = -1;
        subscribingNanos = 0;
        subscribedNanos = 0;
        publishingNanos = 0;
        publishedNanos = 0;
        arrivedNanos = 0;
        unsubscribingNanos = 0;
        unsubscribedNanos = 0;
        Subscription kept = subscriptions[to];
        id = kept == null ? "" : kept.id();
        if (operation.subscribes() && kept == null) {
            subscribe();
        } else {
            publish();
        }
    }

    private NotificationListener listener() {
        return session.listenerOf(loop(), target);
    }

    private void subscribe() {
        step = Step.SUBSCRIBING;
        String mine = session.nextId();
        id = mine;
        NotificationListener listener = listener();
        listener.whenReady(why -> {
            if (step != Step.SUBSCRIBING || !id.equals(mine)) {
                return; // it was cancelled meanwhile
            }
            if (why != null) {
                end(why);
                return;
            }
            listener.expect(mine, told -> told(mine, told));
            request.begin(session.notifications().subscribe(session.http(target), filled, listener.url(mine)));
        });
    }

    private void publish() {
        step = Step.PUBLISHING;
        request.begin(session.notifications().publish(session.http(target), filled));
    }

    /** Takes a notification; only that of the call's own mark counts, and only once. */
    private void told(String of, SoapMessage message) {
        boolean waits = (step == Step.PUBLISHING || step == Step.WAITING) && of.equals(id) && arrivedNanos == 0;
        if (!waits || publishingNanos == 0 || !holds(message.body(), filled.mark())) {
            strays++;
            return;
        }
        arrivedNanos = session.clock().nanoTime();
        if (step == Step.WAITING) {
            end(null);
        }
    }

    private static boolean holds(@Nullable XmlNode within, String text) {
        return within != null
                && (within.text().equals(text) || within.children().stream().anyMatch(each -> holds(each, text)));
    }

    /** Reads an answer; gives the kind of failure, {@code null} for none. */
    private @Nullable String read(int status, InputStream body) throws IOException {
        boolean well = status >= 200 && status < 300;
        if (well && step == Step.PUBLISHING && body.available() == 0) {
            return null; // a notification asks for no answer
        }
        SoapMessage answer;
        try {
            answer = SoapMessage.read(body, session.shareOf(loop()).xml());
        } catch (MalformedXmlException e) {
            return well ? e.getMessage() : "status " + status;
        }
        String fault = answer.fault();
        if (fault != null) {
            return "fault: " + fault;
        }
        if (!well) {
            return "status " + status;
        }
        if (step == Step.UNSUBSCRIBING) {
            return answer.is("UnsubscribeResponse") ? null : "no UnsubscribeResponse";
        }
        if (step == Step.SUBSCRIBING) {
            try {
                subscriptions[target] = Subscription.read(answer, id, session.http(target));
            } catch (UnusableReferenceException e) {
                return e.getMessage();
            }
        }
        return null;
    }

    /**
     * An answer came, or the connection failed.
     *
     * @param why {@code null}: it went well
     */
    private void ended(@Nullable Failure why) {
        long nowNanos = session.clock().nanoTime();
        switch (step) {
            case SUBSCRIBING -> {
                if (why != null) {
                    listener().forget(id);
                    end(why.in("subscribe"));
                    return;
                }
                subscribedNanos = nowNanos;
                if (operation == Operation.NOTIFY) {
                    publish();
                } else {
                    step = Step.UNSUBSCRIBING;
                    Subscription made = requireNonNull(subscriptions[target], "read");
                    subscriptions[target] = null;
                    listener().forget(made.id());
                    request.begin(session.notifications().unsubscribe(made.at(), made.parameters()));
                }
            }
            case PUBLISHING -> {
                if (why != null) {
                    end(why.in("publish"));
                    return;
                }
                publishedNanos = nowNanos;
                step = Step.WAITING;
                if (operation == Operation.PUBLISH || arrivedNanos > 0) {
                    end(null);
                }
            }
            case UNSUBSCRIBING -> {
                unsubscribedNanos = nowNanos;
                end(why == null ? null : why.in("unsubscribe"));
            }
            default -> {}
        }
    }

    private void end(@Nullable Failure why) {
        if (step != Step.NONE) {
            step = Step.NONE;
            failure = why;
            inFlight.loop().toOwner(this::report);
        }
    }

    private void report() {
        Call ending = inFlight.take();
        if (ending == null) {
            return;
        }
        ending.bytes(bytes);
        ConnectionReporter.tell(ending, connectNanos, tlsNanos);
        step(ending, MdsPlugin.SUBSCRIBE, subscribingNanos, subscribedNanos);
        step(ending, MdsPlugin.PUBLISH, publishingNanos, publishedNanos);
        step(ending, MdsPlugin.NOTIFICATION, publishingNanos, arrivedNanos);
        step(ending, MdsPlugin.UNSUBSCRIBE, unsubscribingNanos, unsubscribedNanos);
        if (operation == Operation.NOTIFY) {
            ending.metric(MdsPlugin.STRAYS, strays);
            strays = 0;
        }
        inFlight.end(ending, failure);
    }

    private static void step(Call call, Metric metric, long fromNanos, long toNanos) {
        if (fromNanos > 0 && toNanos > 0) {
            call.metric(metric, fromNanos, toNanos);
        }
    }

    @Override
    public void cancel(Call call) {
        inFlight.loop().toSockets(() -> {
            if (step == Step.NONE) {
                return;
            }
            Subscription kept = subscriptions[target];
            subscriptions[target] = null;
            if (operation.subscribes()) {
                listener().forget(id);
            }
            HttpClientConnection line = line();
            end(Failure.ofService("cancelled"));
            line.close();
            if (kept != null) {
                leave(newLine(target), kept);
            }
        });
    }

    /** Ends a subscription whose end nobody waits for, and then the connection. */
    private void leave(HttpClientConnection line, Subscription left) {
        listener().forget(left.id());
        line.begin(new Farewell(line, session.notifications().unsubscribe(left.at(), left.parameters())));
        loop().schedule(line::close, LEAVE_NANOS, TimeUnit.NANOSECONDS);
    }

    @Override
    public void close() {
        inFlight.close(() -> {
            for (int i = 0; i < lines.length; i++) {
                HttpClientConnection line = lines[i];
                Subscription kept = subscriptions[i];
                subscriptions[i] = null;
                if (line != null && kept != null && line.current() == null) {
                    target = i;
                    leave(line, kept);
                } else if (line != null) {
                    line.close();
                }
            }
        });
    }

    private record Farewell(HttpClientConnection line, byte[] request) implements HttpClientConnection.Exchange {

        @Override
        public void connected(long toConnectNanos, long toSecureNanos) {
            // It is no call's.
        }

        @Override
        public void sending(long nowNanos) {
            // It is no call's.
        }

        @Override
        public void bytes(int count) {
            // It is no call's.
        }

        @Override
        public void answered(int status, InputStream body) {
            line.close();
        }

        @Override
        public void failed(Failure why) {
            line.close();
        }
    }

    /** The request that is running. */
    private final class Request implements HttpClientConnection.Exchange {

        private byte[] message = {};

        private void begin(byte[] next) {
            message = next;
            line().begin(this);
        }

        @Override
        public byte[] request() {
            return message;
        }

        @Override
        public void connected(long toConnectNanos, long toSecureNanos) {
            connectNanos = Math.max(connectNanos, 0) + toConnectNanos;
            tlsNanos = toSecureNanos < 0 ? tlsNanos : Math.max(tlsNanos, 0) + toSecureNanos;
        }

        @Override
        public void sending(long nowNanos) {
            bytes += message.length;
            switch (step) {
                case SUBSCRIBING -> subscribingNanos = nowNanos;
                case PUBLISHING -> publishingNanos = nowNanos;
                case UNSUBSCRIBING -> unsubscribingNanos = nowNanos;
                default -> {}
            }
        }

        @Override
        public void bytes(int count) {
            bytes += count;
        }

        @Override
        public void answered(int status, InputStream body) {
            String kind;
            try {
                kind = read(status, body);
            } catch (IOException e) {
                throw new IllegalStateException("The body is in memory", e);
            }
            failed(kind == null ? null : Failure.ofService(kind));
        }

        @Override
        public void failed(@Nullable Failure why) {
            ended(why);
        }
    }
}
