package org.diperf.plugins.mds;

import com.unboundid.ldap.sdk.LDAPException;
import org.diperf.core.spi.AsyncClient;
import org.diperf.core.spi.Call;
import org.diperf.core.spi.Context;
import org.diperf.core.spi.Failure;
import org.diperf.core.spi.Metric;
import org.diperf.plugins.lib.netty.CallInFlight;
import org.diperf.plugins.lib.netty.OwnedLoop;
import org.jspecify.annotations.Nullable;

/**
 * One simulated user of an information service. Confined to its owner's loop; where that is no Netty loop, its connections
 * live on one of the session's and the two exchange messages.
 */
final class MdsClient implements AsyncClient {

    private static final double NANOS_PER_MILLI = 1e6;

    private final MdsSession session;
    private final @Nullable Connection[] connections;
    private final Query query = new Query(this::ended, Soap::read);
    private final CallInFlight inFlight = new CallInFlight();

    MdsClient(MdsSession session) {
        this.session = session;
        this.connections = new Connection[session.servers().size()];
    }

    @Override
    public void open(Context context) {
        inFlight.open(session.loops().of(context.loop()));
    }

    @Override
    public void call(Call call) {
        OwnedLoop on = inFlight.loop();
        try {
            session.prepare(call, query);
        } catch (LDAPException e) {
            call.fail(Failure.ofExperiment(
                    "filter: " + LdapReader.named(e.getResultCode().intValue())));
            return;
        }
        query.dialogue = call.dialogue();
        inFlight.begin(call);
        int target = call.targetIndex();
        // No task is made where none is needed.
        if (on.isOne()) {
            connection(target, on).ask(query);
        } else {
            on.toSockets(() -> connection(target, on).ask(query));
        }
    }

    private Connection connection(int target, OwnedLoop on) {
        Connection made = connections[target];
        if (made == null) {
            made = session.connectionTo(target, on.eventLoop());
            connections[target] = made;
        }
        return made;
    }

    @Override
    public void cancel(Call call) {
        OwnedLoop on = inFlight.loop();
        int target = call.targetIndex();
        on.toSockets(() -> connection(target, on).cancel(query));
    }

    @Override
    public boolean sharesConnection() {
        return session.shares();
    }

    @Override
    public void close() {
        inFlight.close(() -> {
            for (Connection connection : connections) {
                if (connection != null) {
                    connection.close();
                }
            }
        });
    }

    private void ended() {
        OwnedLoop on = inFlight.loop();
        if (on.isOne()) {
            report();
        } else {
            on.toOwner(this::report);
        }
    }

    private void report() {
        Call ending = inFlight.take();
        if (ending == null) {
            return;
        }
        ending.bytes(query.bytes);
        if (query.connectNanos >= 0) {
            ending.firstOnConnection();
        }
        metric(ending, MdsPlugin.CONNECT, query.connectNanos);
        metric(ending, MdsPlugin.TLS, query.tlsNanos);
        metric(ending, MdsPlugin.BIND, query.bindNanos);
        metric(ending, MdsPlugin.FIRST_BYTE, query.firstByteNanos);
        Failure failure = query.failure;
        if (failure == null) {
            ending.metric(MdsPlugin.ENTRIES, query.entries);
        }
        inFlight.end(ending, failure);
    }

    private static void metric(Call ending, Metric metric, long nanos) {
        if (nanos >= 0) {
            ending.metric(metric, nanos / NANOS_PER_MILLI);
        }
    }
}
