package org.diperf.plugins.gram.ws;

import static java.util.Objects.requireNonNull;

import io.netty.channel.EventLoop;
import java.io.IOException;
import java.io.InputStream;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.diperf.core.spi.AsyncClient;
import org.diperf.core.spi.Call;
import org.diperf.core.spi.Context;
import org.diperf.core.spi.Failure;
import org.diperf.core.spi.Url;
import org.diperf.plugins.lib.netty.HttpClientConnection;
import org.diperf.plugins.lib.netty.HttpTarget;
import org.diperf.plugins.lib.netty.InFlightCall;
import org.diperf.plugins.lib.netty.OwnedLoop;
import org.diperf.plugins.lib.netty.Security;
import org.diperf.plugins.lib.netty.soap.NotificationListener;
import org.diperf.plugins.lib.netty.soap.SoapMessage;
import org.diperf.plugins.lib.netty.soap.XmlNode.MalformedXmlException;
import org.jspecify.annotations.Nullable;

/**
 * One user of WS-GRAM: a call is a job, which is created with a subscription to its states, followed by notifications and destroyed.
 * The steps of a call are on the loop of its sockets; the rest on its owner's.
 */
final class WsGramClient implements AsyncClient {

    private static final double NANOS_PER_MILLI = 1e6;
    /** What a cancelled call has to destroy its job: clients must let go of it within a second. */
    private static final long LET_GO_MILLIS = 800;

    private static final Map<String, Boolean> STATES = Map.of(
            "Unsubmitted",
            false,
            "StageIn",
            false,
            "Pending",
            false,
            "Active",
            false,
            "Suspended",
            false,
            "StageOut",
            false,
            "CleanUp",
            false,
            "Done",
            true,
            "Failed",
            true);

    /** How far a call is. */
    private enum Step {
        NONE,
        CREATING,
        FOLLOWING,
        DESTROYING
    }

    private final WsGramSession session;
    private final @Nullable HttpClientConnection[] lines;
    /** What secures them, as far as they have been asked for; by target. Confined to the owner. */
    private final @Nullable Security[] secured;

    private final Request request = new Request();
    private final InFlightCall inFlight = new InFlightCall();
    private Step step = Step.NONE;
    private String id = "";
    private int target;
    private String path = "";
    private String key = "";
    /** The last state that was told, and since when, in nanoseconds. */
    private String state = "";

    private long stateNanos;
    private boolean ended;
    private boolean cancelled;
    private @Nullable Failure jobFailure;
    private long bytes;
    private long beginNanos;
    private long connectNanos;
    private long createdNanos;
    private long doneNanos;
    private long destroyedNanos;
    private long pendingNanos;
    private long activeNanos;
    private @Nullable Failure failure;

    WsGramClient(WsGramSession session) {
        this.session = session;
        this.lines = new HttpClientConnection[session.targets()];
        this.secured = new Security[lines.length];
    }

    @Override
    public void open(Context context) {
        inFlight.open(session.loops().of(context.loop()));
    }

    @Override
    public void call(Call call) throws IOException {
        int to = call.targetIndex();
        Security known = secured[to];
        Security tls = known == null ? session.tlsOf(call) : known;
        secured[to] = tls;
        inFlight.begin(call);
        OwnedLoop on = inFlight.loop();
        on.toSockets(() -> {
            if (lines[to] == null) {
                lines[to] = session.line(to, call.client(), on.eventLoop(), tls);
            }
            begin(call, to);
        });
    }

    private void begin(Call call, int to) {
        target = to;
        id = session.nextId();
        path = "";
        key = "";
        state = "";
        ended = false;
        cancelled = false;
        jobFailure = null;
        failure = null;
        bytes = 0;
        connectNanos = -1;
        createdNanos = 0;
        doneNanos = 0;
        destroyedNanos = 0;
        pendingNanos = 0;
        activeNanos = 0;
        step = Step.CREATING;
        String mine = id;
        EventLoop loop = inFlight.loop().eventLoop();
        if (!session.follows()) {
            create(call, "");
            return;
        }
        NotificationListener listener = session.listenerOf(loop, target);
        listener.whenReady(why -> {
            if (step != Step.CREATING || !id.equals(mine)) {
                return; // it was cancelled meanwhile
            }
            if (why != null) {
                end(why);
                return;
            }
            listener.expect(mine, told -> told(mine, SoapMessage.text(told.body(), "state")));
            create(call, listener.url(mine));
        });
    }

    private void create(Call call, String consumer) {
        byte[] message = session.messages().create(session.server(target), call, id, consumer);
        beginNanos = session.clock().nanoTime();
        request.begin(message);
    }

    private @Nullable String read(int status, InputStream body) {
        WsGramResponse answer;
        try {
            answer = WsGramResponse.read(body, session.readersOf(inFlight.loop().eventLoop()));
        } catch (MalformedXmlException e) {
            return status == 200 ? "malformed XML" : "status " + status;
        }
        if (answer.fault() != null) {
            return "fault: " + answer.fault();
        }
        if (status != 200) {
            return "status " + status;
        }
        String expected = step == Step.CREATING ? "createManagedJobResponse" : "DestroyResponse";
        if (!answer.name().equals(expected)) {
            return "no " + expected;
        }
        if (step != Step.CREATING) {
            return null;
        }
        return answer.namespace().equals(WsGramMessages.JOB) ? endpoint(answer) : "another version of WS-GRAM";
    }

    /** Takes the job's name; it must be where the factory is, because a service must not choose whom the tester talks to. */
    private @Nullable String endpoint(WsGramResponse answer) {
        if (answer.key().isEmpty() || answer.address().isEmpty()) {
            return "no managedJobEndpoint";
        }
        try {
            HttpTarget of = HttpTarget.of(Url.of(answer.address()));
            if (!of.isSameOrigin(session.server(target))) {
                return "managedJobEndpoint on another host";
            }
            path = of.path();
            key = answer.key();
            return path.matches("[!-~]+") ? null : "managedJobEndpoint: not a URL";
        } catch (IllegalArgumentException e) {
            return "managedJobEndpoint: not a URL";
        }
    }

    /**
     * An answer came, or the connection failed.
     *
     * @param why {@code null}: it went well
     */
    private void ended(@Nullable Failure why) {
        long nowNanos = session.clock().nanoTime();
        if (step == Step.CREATING) {
            if (why != null) {
                end(why.in("create"));
                return;
            }
            createdNanos = nowNanos;
            step = Step.FOLLOWING;
            if (!session.follows()) {
                end(null);
            } else if (ended) {
                destroy(); // its end was told before the answer came, or it is cancelled
            }
        } else if (step == Step.DESTROYING) {
            destroyedNanos = nowNanos;
            end(jobFailure != null ? jobFailure : why == null ? null : why.in("destroy"));
        }
    }

    /** Takes a state; those of other calls are dropped. */
    private void told(String of, String told) {
        String name = told.substring(told.indexOf(':') + 1);
        if (told.isEmpty() || !of.equals(id) || ended || (step != Step.CREATING && step != Step.FOLLOWING)) {
            return;
        }
        long nowNanos = session.clock().nanoTime();
        Boolean isEnd = STATES.get(name);
        leave(nowNanos);
        state = name;
        if (isEnd == null || isEnd) {
            ended = true;
            doneNanos = nowNanos;
            if (isEnd == null) {
                jobFailure = Failure.ofService("job: a state that WS-GRAM does not define");
            } else if (name.equals("Failed")) {
                jobFailure = Failure.ofService("job: Failed");
            }
            if (step == Step.FOLLOWING) {
                destroy();
            }
        }
    }

    private void leave(long nowNanos) {
        if (state.equals("Pending")) {
            pendingNanos += nowNanos - stateNanos;
        } else if (state.equals("Active")) {
            activeNanos += nowNanos - stateNanos;
        }
        stateNanos = nowNanos;
    }

    private void destroy() {
        step = Step.DESTROYING;
        request.begin(session.messages().destroy(session.server(target), path, key));
    }

    private void end(@Nullable Failure why) {
        if (step == Step.NONE) {
            return;
        }
        step = Step.NONE;
        if (session.follows()) {
            session.listenerOf(inFlight.loop().eventLoop(), target).forget(id);
        }
        failure = cancelled ? Failure.ofService("cancelled") : why;
        inFlight.loop().toOwner(this::report);
    }

    private void report() {
        Call ending = inFlight.take();
        if (ending == null) {
            return;
        }
        ending.bytes(bytes);
        if (connectNanos >= 0) {
            ending.firstOnConnection();
            ending.metric(WsGramPlugin.CONNECT, connectNanos / NANOS_PER_MILLI);
        }
        if (createdNanos > 0) {
            ending.metric(WsGramPlugin.CREATE, beginNanos, createdNanos);
        }
        if (doneNanos > 0) {
            ending.metric(WsGramPlugin.PENDING, pendingNanos / NANOS_PER_MILLI);
            ending.metric(WsGramPlugin.ACTIVE, activeNanos / NANOS_PER_MILLI);
            ending.metric(WsGramPlugin.DONE, beginNanos, doneNanos);
        }
        if (destroyedNanos > 0) {
            ending.metric(WsGramPlugin.DESTROY, Math.max(doneNanos, createdNanos), destroyedNanos);
        }
        inFlight.end(ending, failure);
    }

    /** Its job is destroyed as soon as its name is known, if that is soon; the call ends when that is answered. */
    @Override
    public void cancel(Call call) {
        OwnedLoop on = inFlight.loop();
        on.toSockets(() -> {
            cancelled = true;
            ended = true;
            String mine = id;
            if (step == Step.FOLLOWING) {
                destroy();
            } else if (step == Step.CREATING && !(session.follows() && request.isSent())) {
                letGo(mine);
            }
            if (step != Step.NONE) {
                on.eventLoop().schedule(() -> letGo(mine), LET_GO_MILLIS, TimeUnit.MILLISECONDS);
            }
        });
    }

    /** Ends a cancelled call, with its connection where it waits there, unless it has ended. */
    private void letGo(String mine) {
        if (step == Step.NONE || !id.equals(mine)) {
            return;
        }
        HttpClientConnection line = requireNonNull(lines[target], "set by call()");
        if (line.current() != null) {
            line.cancel();
        } else {
            end(null);
        }
    }

    @Override
    public void close() {
        inFlight.close(() -> {
            for (HttpClientConnection line : lines) {
                if (line != null) {
                    line.cancel();
                }
            }
        });
    }

    /** The request that is running. */
    private final class Request implements HttpClientConnection.Exchange {

        private byte[] message = {};
        private boolean sent;

        private void begin(byte[] next) {
            message = next;
            sent = false;
            requireNonNull(lines[target], "set by call()").begin(this);
        }

        /** Returns whether it was sent and has not ended, so that its answer may come. */
        private boolean isSent() {
            return sent;
        }

        @Override
        public byte[] request() {
            return message;
        }

        @Override
        public void connected(long toConnectNanos, long tlsNanos) {
            connectNanos = Math.max(connectNanos, 0) + toConnectNanos;
        }

        @Override
        public void sending(long nowNanos) {
            bytes += message.length;
            sent = true;
        }

        @Override
        public void bytes(int count) {
            bytes += count;
        }

        @Override
        public void answered(int status, InputStream body) {
            String kind = read(status, body);
            failed(kind == null ? null : Failure.ofService(kind));
        }

        @Override
        public void failed(@Nullable Failure why) {
            sent = false;
            ended(why);
        }
    }
}
