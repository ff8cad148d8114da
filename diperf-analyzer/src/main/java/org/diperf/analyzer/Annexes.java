package org.diperf.analyzer;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.BiConsumer;
import org.diperf.analyzer.monitors.MonitorScan;
import org.diperf.analyzer.result.Analysis;
import org.diperf.analyzer.result.AnnexSummary;
import org.diperf.analyzer.result.ShownAnnex;
import org.diperf.analyzer.result.ShownAnnex.AnnexNumber;
import org.diperf.analyzer.run.RunReader;
import org.diperf.analyzer.server.MonitoredMetric;
import org.diperf.analyzer.text.AnnexText;
import org.diperf.core.run.AnnexRecord;
import org.diperf.core.run.MonitorRecord;
import org.diperf.core.run.Warning;
import org.diperf.core.run.Warning.Subject;
import org.diperf.core.spi.Annex;
import org.diperf.core.spi.Annex.Asked;
import org.diperf.core.spi.Annex.What;
import org.jspecify.annotations.Nullable;

/** What testbed, monitors and client left to be shown, with the numbers that only the whole run tells. Confined to one thread. */
final class Annexes {

    private final List<MonitoredMetric> tracks;
    private final List<MonitorRecord> monitors;
    private final Map<Asked, Double> times;

    private Annexes(Analysis analysis, Map<Asked, Double> times) {
        List<MonitorRecord> all = analysis.run().monitors();
        this.monitors = all == null ? List.of() : all;
        this.tracks = analysis.server().tracks();
        this.times = times;
    }

    /** Lists what annexes say against the numbers. */
    static List<Warning> warnings(List<AnnexRecord> left) {
        return left.stream()
                .flatMap(each -> each.annex().warnings().stream())
                .map(remark -> remark.isSuspect()
                        ? Warning.suspect(Subject.TESTBED, remark.text())
                        : Warning.note(Subject.TESTBED, remark.text()))
                .toList();
    }

    /** Adds them; what monitors saw is in the analysis already. */
    static Analysis addTo(Analysis analysis, List<AnnexRecord> left, RunReader samples, long lengthNanos)
            throws IOException {
        if (left.isEmpty()) {
            return analysis;
        }
        List<Asked> asked = new ArrayList<>();
        left.forEach(each -> values(each.annex(), (name, value) -> {
            if (value.cell.asked() != null && isTime(value.cell.asked())) {
                asked.add(value.cell.asked());
            }
        }));
        Annexes annexes = new Annexes(analysis, Outages.of(samples, asked, lengthNanos));
        List<ShownAnnex> shown = left.stream().map(annexes::shown).toList();
        Map<String, AnnexSummary> summaries = new LinkedHashMap<>();
        shown.forEach(each -> summaries.put(each.annex().name(), summary(each)));
        return analysis.with(shown, analysis.summary().with(summaries));
    }

    private static boolean isTime(Asked asked) {
        return asked.what() == What.OUTAGE || asked.what() == What.PAUSE;
    }

    private record Valued(Annex.Cell cell, String unit) {}

    private static void values(Annex annex, BiConsumer<String, Valued> to) {
        annex.numbers().forEach(number -> to.accept(number.name(), new Valued(number.value(), number.unit())));
        for (Annex.Table table : annex.tables()) {
            for (int row = 0; row < table.rows().size(); row++) {
                for (int i = 0; i < table.columns().size(); i++) {
                    Annex.Column column = table.columns().get(i);
                    to.accept(
                            ShownAnnex.path(table, row, column),
                            new Valued(table.rows().get(row).get(i), column.unit()));
                }
            }
        }
    }

    private ShownAnnex shown(AnnexRecord left) {
        Map<String, MonitoredMetric> seen = new HashMap<>();
        tracks.stream()
                .filter(track -> track.monitor().equals(left.monitor()))
                .forEach(track -> seen.put(track.metric(), track));
        MonitorRecord monitor = monitors.stream()
                .filter(each -> each.name().equals(left.monitor()))
                .findFirst()
                .orElse(null);
        // What was not reported was 0 from begin to end, unless it may not have been kept.
        boolean isWhole =
                monitor != null && seen.size() < monitor.maxMetrics() && tracks.size() < MonitorScan.MAX_TRACKS;
        Map<String, AnnexNumber> numbers = new HashMap<>();
        values(left.annex(), (name, value) -> {
            Asked asked = value.cell.asked();
            Double number = asked == null
                    ? value.cell.number()
                    : isTime(asked) ? times.get(asked) : monitor == null ? null : watched(asked, seen, isWhole);
            if (number != null && Double.isFinite(number)) {
                numbers.put(name, new AnnexNumber(number, value.unit));
            }
        });
        return new ShownAnnex(left, numbers);
    }

    /** Returns what was seen of some metrics; {@code null}: it is not known of each of them. */
    private static @Nullable Double watched(Asked asked, Map<String, MonitoredMetric> seen, boolean isWhole) {
        double sum = 0;
        double max = 0;
        for (String name : asked.metrics()) {
            MonitoredMetric metric = seen.get(name);
            if (metric == null && !isWhole) {
                return null;
            }
            if (metric != null && Double.isFinite(metric.mean()) && Double.isFinite(metric.max())) {
                sum += metric.mean();
                max = Math.max(max, metric.max());
            }
        }
        return switch (asked.what()) {
            case MEAN -> sum / Math.max(1, asked.metrics().size());
            case SUM -> sum;
            default -> max;
        };
    }

    private static AnnexSummary summary(ShownAnnex of) {
        Annex annex = of.annex();
        Map<String, AnnexNumber> numbers = new LinkedHashMap<>();
        annex.numbers().stream().map(Annex.Amount::name).forEach(name -> {
            AnnexNumber number = of.numbers().get(name);
            if (number != null) {
                numbers.put(name, number);
            }
        });
        Map<String, List<Map<String, Object>>> tables = new LinkedHashMap<>();
        for (Annex.Table table : annex.tables()) {
            List<Map<String, Object>> rows = new ArrayList<>();
            for (int row = 0; row < table.rows().size(); row++) {
                Map<String, Object> values = new LinkedHashMap<>();
                for (int i = 0; i < table.columns().size(); i++) {
                    Annex.Column column = table.columns().get(i);
                    Object value = of.value(table, row, i);
                    if (value != null) {
                        values.put(column.name(), value);
                    }
                }
                rows.add(values);
            }
            tables.put(table.name(), rows);
        }
        return new AnnexSummary(
                annex.facts().stream()
                        .map(fact -> new Annex.Fact(fact.name(), AnnexText.filled(of, fact.text())))
                        .toList(),
                numbers,
                tables,
                annex.delay() == null
                        ? null
                        : Objects.requireNonNull(annex.delay()).by());
    }
}
