package org.diperf.plugins.mds;

import com.unboundid.ldap.sdk.LDAPException;
import java.io.IOException;
import java.io.InputStream;
import org.diperf.core.spi.AsyncClient;
import org.diperf.core.spi.Call;
import org.diperf.core.spi.Context;
import org.diperf.core.spi.Failure;
import org.diperf.plugins.lib.netty.ConnectionReporter;
import org.diperf.plugins.lib.netty.InFlightCall;
import org.diperf.plugins.lib.netty.OwnedLoop;
import org.diperf.plugins.lib.netty.Security;
import org.jspecify.annotations.Nullable;

/**
 * One simulated user of an information service. Confined to its owner's loop; where that is no Netty loop, its connections
 * live on one of the session's and the two exchange messages.
 */
final class MdsClient implements AsyncClient {

    private final MdsSession session;
    /** By target. Confined to the event loop. */
    private final @Nullable Connection[] connections;

    /** What secures them, as far as they have been asked for; by target. */
    private final @Nullable Security[] secured;

    private final Query query;
    private final InFlightCall inFlight = new InFlightCall();

    MdsClient(MdsSession session) {
        this.session = session;
        this.query = new Query(session.clock(), this::ended, this::read);
        this.connections = new Connection[session.servers().size()];
        this.secured = new Security[connections.length];
    }

    @Override
    public void open(Context context) {
        inFlight.open(session.loops().of(context.loop()));
    }

    @Override
    public void call(Call call) throws IOException {
        OwnedLoop on = inFlight.loop();
        try {
            session.prepare(call, query);
        } catch (LDAPException e) {
            call.fail(Failure.ofExperiment(
                    "filter: " + LdapReader.named(e.getResultCode().intValue())));
            return;
        }
        int target = call.targetIndex();
        Security known = secured[target];
        Security tls = known == null ? session.tlsOf(call) : known;
        secured[target] = tls;
        query.dialogue = call.dialogue();
        inFlight.begin(call);
        // No task is made where none is needed.
        if (on.isOne()) {
            connection(call, on, tls).ask(query);
        } else {
            on.toSockets(() -> connection(call, on, tls).ask(query));
        }
    }

    private Connection connection(Call call, OwnedLoop on, @Nullable Security tls) {
        Connection made = connections[call.targetIndex()];
        if (made == null) {
            made = session.connectionTo(call.targetIndex(), call.client(), on.eventLoop(), tls);
            connections[call.targetIndex()] = made;
        }
        return made;
    }

    private @Nullable String read(int status, InputStream body, Query into) {
        return Soap.read(
                status, body, session.shareOf(inFlight.loop().eventLoop()).xml(), into);
    }

    @Override
    public void cancel(Call call) {
        OwnedLoop on = inFlight.loop();
        int target = call.targetIndex();
        on.toSockets(() -> {
            Connection asked = connections[target];
            if (asked != null) {
                asked.cancel(query);
            }
        });
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
        ConnectionReporter.tell(ending, query.connectNanos, query.tlsNanos);
        ConnectionReporter.tell(ending, MdsPlugin.BIND, query.bindNanos);
        ConnectionReporter.tell(ending, MdsPlugin.FIRST_BYTE, query.sentNanos, query.firstByteNanos);
        Failure failure = query.failure;
        if (failure == null) {
            ending.metric(MdsPlugin.ENTRIES, query.entries);
        }
        inFlight.end(ending, failure);
    }
}
