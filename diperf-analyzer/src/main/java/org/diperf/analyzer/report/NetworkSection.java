package org.diperf.analyzer.report;

import java.util.List;
import org.diperf.analyzer.result.Analysis;
import org.diperf.analyzer.result.NetworkImpact;
import org.diperf.analyzer.result.NetworkImpact.Row;
import org.diperf.analyzer.result.NetworkImpact.Source;
import org.diperf.analyzer.text.NetworkText;
import org.diperf.analyzer.text.Numbers;
import org.diperf.analyzer.text.RateUnit;
import org.diperf.analyzer.text.RunText;

/** What the testers' networks do to their calls. Absent where testers are all alike. */
final class NetworkSection {

    private NetworkSection() {}

    /** Returns whether there is anything to tell. */
    static boolean isNeeded(Analysis analysis) {
        NetworkImpact network = analysis.details().network();
        return network.latenciesDiffer() || network.bandwidthsDiffer();
    }

    static void write(Analysis analysis, Html html) {
        if (!isNeeded(analysis)) {
            return;
        }
        NetworkImpact network = analysis.details().network();
        html.element("h2", "Network impact", "id", "network");
        if (!network.correlations().isEmpty()) {
            html.table(
                    "How the testers' calls correlate with their networks (1 or −1: perfectly, 0: not at all)",
                    2,
                    NetworkText.HEAD,
                    network.correlations().stream().map(NetworkText::row).toList());
            html.element(
                    "p",
                    "Spearman's coefficient compares ranks and detects any rising or falling curve, Pearson's only "
                            + "straight lines. Intervals assume testers drawn at random; with few testers, they are wide.",
                    "class",
                    "note");
        }
        if (network.testers().stream().anyMatch(row -> Double.isNaN(row.bandwidthBytes()))) {
            html.element(
                    "p",
                    "Bandwidth was not measured: the amount of data that calls transferred depends on the service as "
                            + "much as on the network. To measure it, use a client that measures bandwidth during "
                            + "the run, or set testbed.bandwidth, which measures it when machines are chosen.",
                    "class",
                    "note");
        }
        RateUnit unit = RateUnit.of(analysis.run());
        html.table(
                "One tester per row",
                3,
                List.of(
                        "tester",
                        "host",
                        "measured by",
                        "round trip (ms)",
                        "bandwidth (MB/s)",
                        "clients",
                        "ok calls",
                        "moved",
                        "response (ms)",
                        "calls" + unit.symbol() + " a client",
                        "success (%)"),
                network.testers().stream()
                        .limit(Tables.MAX_ROWS)
                        .map(row -> row(row, unit))
                        .toList());
    }

    private static List<String> row(Row row, RateUnit unit) {
        return List.of(
                String.valueOf(row.tester()),
                RunText.clean(row.host()),
                by(row),
                Numbers.plain(row.latencyMillis()),
                Double.isNaN(row.bandwidthBytes()) ? "not measured" : Numbers.plain(row.bandwidthBytes() / 1e6),
                String.valueOf(row.clients()),
                Numbers.count(row.ok()),
                row.bytes() > 0 ? Numbers.bytes(row.bytes()) : Numbers.NONE,
                Numbers.plain(row.responseMillis()),
                Numbers.plain(row.perClientPerSecond() * unit.factor()),
                Numbers.plain(row.successPercent()));
    }

    private static String by(Row row) {
        String latency = row.latencySource() == Source.CLIENTS
                ? "clients"
                : row.latencySource() == Source.NODE ? "probe of the node" : "";
        String bandwidth = row.bandwidthSource() == Source.PROBES
                ? "probes"
                : row.bandwidthSource() == Source.NODE ? "probe of the node" : "";
        return latency.isEmpty() || bandwidth.isEmpty() || latency.equals(bandwidth)
                ? latency.isEmpty() ? bandwidth : latency
                : latency + " and " + bandwidth;
    }
}
