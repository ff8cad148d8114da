package org.diperf.plugins.nws;

import java.util.ArrayList;
import java.util.List;
import org.diperf.core.spi.Metric;

/** What probes measure, and what is forecast of it. */
final class NwsMetrics {

    static final Metric CONNECT = new Metric("connect", "ms", "time to set up a connection");
    static final Metric TURN = new Metric(
            "turn",
            "ms",
            "time until the probe could begin: a round trip, plus waiting for earlier probes at the sensor");
    static final Metric LATENCY = new Metric("latency", "ms", "time for one byte to the sensor and one back");
    static final Metric BANDWIDTH = new Metric(
            "bandwidth",
            "Mbit/s",
            "bytes sent, divided by the time until the sensor confirmed them, including latency");

    static final Metric NETWORK_BANDWIDTH =
            new Metric("network.bandwidth", "Mbit/s", "bandwidth of the path, as measured by the probe");

    static final Forecasts.Names CONNECT_FORECASTS = new Forecasts.Names("connect", "ms");
    static final Forecasts.Names LATENCY_FORECASTS = new Forecasts.Names("latency", "ms");
    static final Forecasts.Names BANDWIDTH_FORECASTS = new Forecasts.Names("bandwidth", "Mbit/s");

    private NwsMetrics() {}

    static List<Metric> all() {
        List<Metric> all = new ArrayList<>(List.of(BANDWIDTH, LATENCY, CONNECT, TURN));
        all.addAll(BANDWIDTH_FORECASTS.all());
        all.addAll(LATENCY_FORECASTS.all());
        all.addAll(CONNECT_FORECASTS.all());
        return List.copyOf(all);
    }
}
