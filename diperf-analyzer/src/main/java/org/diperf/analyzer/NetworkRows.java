package org.diperf.analyzer;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import org.diperf.analyzer.count.TesterTally;
import org.diperf.analyzer.result.ClientRow;
import org.diperf.analyzer.result.NetworkImpact;
import org.diperf.analyzer.result.NetworkImpact.Row;
import org.diperf.analyzer.result.NetworkImpact.Source;
import org.diperf.analyzer.result.Summary.NetworkCorrelation;
import org.diperf.analyzer.result.TesterLocation;
import org.diperf.analyzer.result.TesterRow;
import org.diperf.analyzer.stats.Correlation;
import org.diperf.core.run.NodeRecord;
import org.diperf.core.run.RunRecord;
import org.diperf.core.spi.Node;
import org.jspecify.annotations.Nullable;

/** Makes {@link NetworkImpact} of the counts of a run. */
final class NetworkRows {

    private NetworkRows() {}

    static NetworkImpact of(
            RunRecord run, Map<Integer, TesterTally> tallies, List<TesterRow> testers, List<ClientRow> clients) {
        boolean closed = run.stages().stream().anyMatch(stage -> stage.model().equals("closed"));
        Map<Integer, Double> clientSeconds = new HashMap<>();
        for (ClientRow client : clients) {
            if (client.toSeconds() > client.fromSeconds()) {
                clientSeconds.merge(client.tester(), client.toSeconds() - client.fromSeconds(), Double::sum);
            }
        }
        List<Row> rows = new ArrayList<>();
        for (TesterRow tester : testers) {
            TesterTally tally = tallies.get(tester.tester());
            if (tally == null || tally.ok() + tally.failed() == 0) {
                continue;
            }
            double seconds = closed ? clientSeconds.getOrDefault(tester.tester(), Double.NaN) : Double.NaN;
            Row row = row(run, tester, tally, tallies, seconds);
            if (row.latencySource() != Source.NONE || row.bandwidthSource() != Source.NONE) {
                rows.add(row);
            }
        }
        return new NetworkImpact(rows, correlations(new NetworkImpact(rows, List.of())));
    }

    private static Row row(
            RunRecord run,
            TesterRow tester,
            TesterTally tally,
            Map<Integer, TesterTally> tallies,
            double clientSeconds) {
        String node = TesterLocation.of(run, tester.tester()).node();
        Map<String, Double> measures = run.nodes().stream()
                .filter(each -> each.name().equals(node))
                .findFirst()
                .map(NodeRecord::measures)
                .orElse(Map.of());
        double latency = tester.rttMillis();
        Source latencySource = Source.CLIENTS;
        if (Double.isNaN(latency)) {
            latency = measures.getOrDefault(Node.RTT, Double.NaN);
            latencySource = Double.isNaN(latency) ? Source.NONE : Source.NODE;
        }
        double bandwidth = measures.getOrDefault(Node.BANDWIDTH, Double.NaN);
        Source bandwidthSource = Source.NODE;
        if (Double.isNaN(bandwidth)) {
            bandwidth = probed(run, tester.tester(), node, tallies);
            bandwidthSource = Double.isNaN(bandwidth) ? Source.NONE : Source.PROBES;
        }
        double[][] trail =
                tally.latency() == null ? new double[2][0] : tally.latency().means();
        return new Row(
                tester.tester(),
                tester.host(),
                node,
                tester.clients(),
                latency,
                latencySource,
                bandwidth,
                bandwidthSource,
                tally.ok() == 0 ? Double.NaN : tally.responseNanos() / 1e6 / tally.ok(),
                tally.ok() / clientSeconds,
                100.0 * tally.ok() / (tally.ok() + tally.failed()),
                tally.ok(),
                tally.bytes(),
                tally.peakOk(),
                tally.peakBytes(),
                trail[0],
                trail[1]);
    }

    /** Returns what a tester's own probes found, or else those of the other testers of its node; {@code NaN}: there were none. */
    private static double probed(RunRecord run, int tester, String node, Map<Integer, TesterTally> tallies) {
        TesterTally own = tallies.get(tester);
        if (own != null && !Double.isNaN(own.bandwidth())) {
            return own.bandwidth();
        }
        return node.isEmpty()
                ? Double.NaN
                : tallies.entrySet().stream()
                        .filter(each ->
                                TesterLocation.of(run, each.getKey()).node().equals(node))
                        .mapToDouble(each -> each.getValue().bandwidth())
                        .filter(Double::isFinite)
                        .average()
                        .orElse(Double.NaN);
    }

    /** Correlates what differs: testers at the same distance would tell of noise alone. */
    private static List<Correlation> correlations(NetworkImpact of) {
        List<Correlation> all = new ArrayList<>();
        if (of.latenciesDiffer()) {
            correlate(of.testers(), "latency", Row::latencyMillis, all);
        }
        if (of.bandwidthsDiffer()) {
            correlate(of.testers(), "bandwidth", Row::bandwidthBytes, all);
        }
        return all;
    }

    private static void correlate(List<Row> rows, String against, ToDoubleFunction<Row> other, List<Correlation> to) {
        double[] others = rows.stream().mapToDouble(other).toArray();
        to.add(Correlation.of("responseTime", values(rows, Row::responseMillis), against, others));
        to.add(Correlation.of("throughput", values(rows, Row::perClientPerSecond), against, others));
        to.add(Correlation.of("success", values(rows, Row::successPercent), against, others));
        to.removeIf(correlation -> !correlation.isKnown());
    }

    private static double[] values(List<Row> rows, ToDoubleFunction<Row> of) {
        return rows.stream().mapToDouble(of).toArray();
    }

    /** Returns what stands in {@code summary.json}; {@code null}: nothing. */
    static @Nullable List<NetworkCorrelation> summary(NetworkImpact network) {
        return network.correlations().isEmpty()
                ? null
                : network.correlations().stream()
                        .map(each -> new NetworkCorrelation(
                                each.of(),
                                each.against(),
                                each.testers(),
                                each.spearman(),
                                known(each.spearmanLow()),
                                known(each.spearmanHigh()),
                                each.pearson(),
                                known(each.pearsonLow()),
                                known(each.pearsonHigh())))
                        .toList();
    }

    private static @Nullable Double known(double value) {
        return Double.isNaN(value) ? null : (Double) value;
    }
}
