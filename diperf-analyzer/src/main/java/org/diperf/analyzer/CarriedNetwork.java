package org.diperf.analyzer;

import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.diperf.analyzer.monitors.MonitorScan;
import org.diperf.analyzer.result.Analysis;
import org.diperf.analyzer.result.NetworkSummary;
import org.diperf.analyzer.result.NetworkSummary.LinkUse;
import org.diperf.analyzer.result.NetworkSummary.Part;
import org.diperf.analyzer.result.NetworkSummary.Rerouting;
import org.diperf.analyzer.result.NetworkSummary.WayUse;
import org.diperf.analyzer.run.RunReader;
import org.diperf.analyzer.server.MonitoredMetric;
import org.diperf.core.run.MonitorRecord;
import org.diperf.core.spi.Testbed.Network;
import org.diperf.core.spi.Testbed.Network.Carried;
import org.diperf.core.spi.Testbed.Network.Times;
import org.diperf.core.spi.Testbed.Network.Way;
import org.jspecify.annotations.Nullable;

/** Adds to an analysis what is known of the network that the testbed made. Confined to one thread. */
final class CarriedNetwork {

    private static final double MILLI = 1e6;

    /** By name, what was seen of the physical links. */
    private final Map<String, MonitoredMetric> seen = new HashMap<>();

    private final boolean isSampled;
    /** Whether what was not told was 0 from begin to end; else it may not have been kept. */
    private final boolean isWhole;

    private CarriedNetwork(Analysis analysis) {
        List<MonitorRecord> monitors = analysis.run().monitors();
        MonitorRecord monitor = monitors == null
                ? null
                : monitors.stream()
                        .filter(each -> each.kind().equals(Network.MONITOR))
                        .findFirst()
                        .orElse(null);
        isSampled = monitor != null;
        List<MonitoredMetric> tracks = analysis.server().tracks();
        if (monitor != null) {
            tracks.stream()
                    .filter(track -> track.monitor().equals(monitor.name()))
                    .forEach(track -> seen.put(track.metric(), track));
        }
        isWhole = seen.size() < MonitorRecord.mostMetrics(Network.MONITOR) && tracks.size() < MonitorScan.MAX_TRACKS;
    }

    /** Adds it; what monitors saw is in the analysis already. */
    static Analysis addTo(Analysis analysis, RunReader samples, long lengthNanos) throws IOException {
        Network network = analysis.run().network();
        if (network == null) {
            return analysis;
        }
        List<Rerouting> reroutings = Outages.of(samples, network.reroutings(), lengthNanos);
        return analysis.with(analysis.summary().with(new CarriedNetwork(analysis).summary(network, reroutings)));
    }

    private NetworkSummary summary(Network network, List<Rerouting> reroutings) {
        Carried carried = network.carried();
        long roundTrip = network.shortestRoundTripNanos();
        Times turns = carried == null ? null : carried.turns();
        return new NetworkSummary(
                carried == null ? null : carried.engine(),
                carried == null ? null : (Long) carried.packets(),
                carried == null ? null : times(carried.lateness()),
                carried == null ? null : carried.probes(),
                turns == null ? null : times(turns),
                roundTrip == 0 ? null : (Double) (roundTrip / MILLI),
                carried == null ? null : carried.droppedBefore(),
                carried == null ? null : (Long) carried.refused(),
                carried == null ? null : (Long) carried.strays(),
                network.links().stream()
                        .map(link -> new LinkUse(
                                link.name(), link.count(), link.from(), link.to(), way(link.there()), way(link.back())))
                        .toList(),
                reroutings);
    }

    private static NetworkSummary.Times times(Times times) {
        return new NetworkSummary.Times(times.p50Nanos() / MILLI, times.p99Nanos() / MILLI, times.mostNanos() / MILLI);
    }

    private WayUse way(Way way) {
        Part longest = part(way, Network.LONGEST_QUEUE, 1);
        return new WayUse(
                way.bitsPerSecond() == 0 ? null : (Double) way.bitsPerSecond(),
                way.latencyNanos() / MILLI,
                way.packets(),
                way.bytes(),
                way.lost(),
                way.overflowed(),
                way.bitsPerSecond() == 0
                        ? null
                        : part(way, Network.USE, way.parts().size()),
                part(way, Network.RATE, 1),
                longest == null ? null : (Long) Math.round(longest.max()));
    }

    /**
     * Adds up the physical links, by so many for a mean; the largest value is that of one of them.
     *
     * @return {@code null}: it is not known of each of them
     */
    private @Nullable Part part(Way way, String what, int by) {
        if (!isSampled) {
            return null;
        }
        double sum = 0;
        double most = 0;
        for (String part : way.parts()) {
            MonitoredMetric metric = seen.get(Network.metric(part, what));
            if (metric == null && !isWhole) {
                return null;
            }
            if (metric != null && Double.isFinite(metric.mean()) && Double.isFinite(metric.max())) {
                sum += metric.mean();
                most = Math.max(most, metric.max());
            }
        }
        return new Part(sum / by, most);
    }
}
