package org.diperf.plugins.stamp;

import java.util.Map;
import org.diperf.core.spi.AsyncClient;
import org.diperf.core.spi.Call;
import org.diperf.core.spi.Context;
import org.diperf.core.spi.Failure;
import org.diperf.core.spi.Metric;
import org.diperf.plugins.lib.netty.InFlightCall;
import org.jspecify.annotations.Nullable;

/** One client: a call is a train. Confined to its owner's loop; trains and clocks live on the loop that holds the sockets. */
final class StampClient implements AsyncClient {

    private final StampSession session;
    private final InFlightCall inFlight = new InFlightCall();

    // Confined to the loop of the sockets.
    private final @Nullable ReflectorClock[] clocks;
    private @Nullable PacketTrain train;

    StampClient(StampSession session) {
        this.session = session;
        this.clocks = new ReflectorClock[session.targets()];
    }

    @Override
    public void open(Context context) {
        inFlight.open(session.loops().of(context.loop()));
    }

    @Override
    public void call(Call call) {
        inFlight.begin(call);
        int target = call.targetIndex();
        inFlight.loop().toSockets(() -> {
            ReflectorClock known = clocks[target];
            ReflectorClock of = known != null ? known : new ReflectorClock();
            clocks[target] = of;
            PacketTrain begun = new PacketTrain(
                    session.settings(),
                    session.addresses(target).first(),
                    inFlight.loop().eventLoop(),
                    of,
                    session.clock(),
                    session.unixBaseNanos(),
                    this::ended);
            train = begun;
            begun.start();
        });
    }

    private void ended(long bytes, Map<Metric, Double> metrics, @Nullable Failure failure) {
        train = null;
        inFlight.loop().toOwner(() -> report(bytes, metrics, failure));
    }

    private void report(long bytes, Map<Metric, Double> metrics, @Nullable Failure failure) {
        Call ending = inFlight.take();
        if (ending == null) {
            return;
        }
        ending.bytes(bytes);
        metrics.forEach(ending::metric);
        inFlight.end(ending, failure);
    }

    @Override
    public void cancel(Call call) {
        inFlight.loop().toSockets(this::giveUp);
    }

    @Override
    public void close() {
        inFlight.close(this::giveUp);
    }

    private void giveUp() {
        PacketTrain running = train;
        if (running != null) {
            running.cancel();
        }
    }
}
