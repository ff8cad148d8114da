package org.diperf.plugins.mds;

import static java.util.Objects.requireNonNull;

import io.netty.channel.EventLoop;
import io.netty.handler.ssl.SslContext;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import javax.xml.stream.XMLInputFactory;
import org.diperf.core.spi.AsyncClient;
import org.diperf.core.spi.Call;
import org.diperf.core.spi.Context;
import org.diperf.core.spi.Failure;
import org.diperf.plugins.lib.netty.CallInFlight;
import org.diperf.plugins.lib.netty.OwnedLoop;
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
    private final @Nullable WsrfConnection[] connections;
    /** What secures them, as far as they have been asked for; by target. Confined to the owner. */
    private final @Nullable SslContext[] secured;

    private final Query query = new Query(this::answered, this::read);
    private final CallInFlight inFlight = new CallInFlight();
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
        this.connections = new WsrfConnection[session.targets().servers().size()];
        this.secured = new SslContext[connections.length];
    }

    @Override
    public void open(Context context) {
        inFlight.open(session.targets().loops().of(context.loop()));
    }

    @Override
    public void call(Call call) throws IOException {
        int to = call.targetIndex();
        SslContext known = secured[to];
        SslContext tls = known == null ? session.targets().tlsOf(call) : known;
        secured[to] = tls;
        inFlight.begin(call);
        OwnedLoop on = inFlight.loop();
        on.toSockets(() -> {
            if (connections[to] == null) {
                connections[to] = new WsrfConnection(session.targets(), to, on.eventLoop(), tls);
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
        WsGramListener listener = session.listenerOf(loop, target);
        listener.whenReady(why -> {
            if (step != Step.CREATING || !id.equals(mine)) {
                return; // it was cancelled meanwhile
            }
            if (why != null) {
                end(why);
                return;
            }
            listener.expect(mine, told -> told(mine, told));
            create(call, listener.url(mine));
        });
    }

    private void create(Call call, String consumer) {
        Server server = session.targets().servers().get(target);
        byte[] request = session.messages().create(server, call, id, consumer);
        beginNanos = session.targets().clock().nanoTime();
        query.begin(request, request.length);
        connection().ask(query);
    }

    private WsrfConnection connection() {
        return requireNonNull(connections[target], "call makes it");
    }

    private @Nullable String read(int status, InputStream body, XMLInputFactory readers, Query into) {
        byte[] all;
        try {
            all = body.readAllBytes();
        } catch (IOException e) {
            throw new IllegalStateException(e); // it is memory
        }
        SoapAnswer soap = SoapAnswer.read(new ByteArrayInputStream(all), readers);
        if (soap.fault() != null) {
            return "fault: " + soap.fault();
        }
        if (status != 200) {
            return "status " + status;
        }
        WsGramAnswer answer = WsGramAnswer.read(new ByteArrayInputStream(all), readers);
        if (!answer.wellFormed()) {
            return "malformed XML";
        }
        String wanted = step == Step.CREATING ? "createManagedJobResponse" : "DestroyResponse";
        if (!answer.name().equals(wanted)) {
            return "no " + wanted;
        }
        if (step != Step.CREATING) {
            return null;
        }
        if (!answer.namespace().equals(WsGramMessages.JOB)) {
            return "another version of WS-GRAM";
        }
        return endpoint(answer);
    }

    /** Takes the job's name; it must be where the factory is, because a service must not choose whom the tester talks to. */
    private @Nullable String endpoint(WsGramAnswer answer) {
        if (answer.key().isEmpty() || answer.address().isEmpty()) {
            return "no managedJobEndpoint";
        }
        try {
            URI address = new URI(answer.address());
            Server server = session.targets().servers().get(target);
            Server of = Server.of(address);
            if (!of.authority().equals(server.authority()) || of.isSecure() != server.isSecure()) {
                return "managedJobEndpoint on another host";
            }
            path = of.path();
            key = answer.key();
            return path.matches("[!-~]+") ? null : "managedJobEndpoint: no URL";
        } catch (URISyntaxException | IllegalArgumentException e) {
            return "managedJobEndpoint: no URL";
        }
    }

    /** An answer came, or the connection failed. */
    private void answered() {
        bytes += query.bytes;
        if (query.connectNanos >= 0) {
            connectNanos = Math.max(connectNanos, 0) + query.connectNanos;
        }
        long nowNanos = session.targets().clock().nanoTime();
        Failure why = query.failure;
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
        if (!of.equals(id) || ended || (step != Step.CREATING && step != Step.FOLLOWING)) {
            return;
        }
        long nowNanos = session.targets().clock().nanoTime();
        Boolean isEnd = STATES.get(name);
        leave(nowNanos);
        state = name;
        if (isEnd == null || isEnd) {
            ended = true;
            doneNanos = nowNanos;
            if (isEnd == null) {
                jobFailure = Failure.ofService("job: a state that WS-GRAM has not");
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
        byte[] request = session.messages().destroy(session.targets().servers().get(target), path, key);
        query.begin(request, request.length);
        connection().ask(query);
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
            } else if (step == Step.CREATING && !(session.follows() && query.isSent())) {
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
        if (query.isUnderWay()) {
            connection().cancel(query);
        } else {
            end(null);
        }
    }

    @Override
    public void close() {
        inFlight.close(() -> {
            for (WsrfConnection connection : connections) {
                if (connection != null) {
                    connection.close();
                }
            }
        });
    }
}
