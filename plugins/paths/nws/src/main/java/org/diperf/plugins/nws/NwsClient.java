package org.diperf.plugins.nws;

import java.io.IOException;
import java.net.InetSocketAddress;
import org.diperf.core.clock.NanoClock;
import org.diperf.core.spi.BlockingClient;
import org.diperf.core.spi.Call;
import org.diperf.plugins.lib.forecast.Battery;
import org.jspecify.annotations.Nullable;

/** One client: a call is a probe; its forecasts follow its own probes of a target. Confined to its thread. */
final class NwsClient implements BlockingClient {

    private final NwsSession session;
    private final @Nullable OfTarget[] targets;

    /** What is forecast of one target. */
    private record OfTarget(Forecasts bandwidth, Forecasts latency, Forecasts connect) {

        static OfTarget of(Battery.Kind kind) {
            return new OfTarget(
                    new Forecasts(kind, NwsMetrics.BANDWIDTH_FORECASTS),
                    new Forecasts(kind, NwsMetrics.LATENCY_FORECASTS),
                    new Forecasts(kind, NwsMetrics.CONNECT_FORECASTS));
        }
    }

    NwsClient(NwsSession session) {
        this.session = session;
        this.targets = new OfTarget[session.targets()];
    }

    @Override
    public void call(Call call) throws IOException {
        int index = call.targetIndex();
        InetSocketAddress sensor = session.address(index);
        Probe.Found found = Probe.make(sensor, session.settings(), NanoClock.SYSTEM);
        double connect = found.connectNanos() / 1e6;
        double latency = found.latencyNanos() / 1e6;
        double bandwidth = found.megabitsPerSecond();
        call.firstOnConnection();
        call.bytes(found.bytes());
        call.metric(NwsMetrics.CONNECT, connect);
        call.metric(NwsMetrics.TURN, found.turnNanos() / 1e6);
        call.metric(NwsMetrics.LATENCY, latency);
        call.metric(NwsMetrics.BANDWIDTH, bandwidth);
        session.recorder().observe(NwsMetrics.NETWORK_BANDWIDTH, NanoClock.SYSTEM.nanoTime(), bandwidth);
        Battery.Kind kind = session.settings().battery();
        if (kind != null) {
            OfTarget known = targets[index];
            OfTarget of = known != null ? known : OfTarget.of(kind);
            targets[index] = of;
            of.bandwidth().take(bandwidth).forEach(call::metric);
            of.latency().take(latency).forEach(call::metric);
            of.connect().take(connect).forEach(call::metric);
        }
    }
}
