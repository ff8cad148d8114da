package org.diperf.analyzer.table;

import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.diperf.analyzer.measure.Column;
import org.diperf.analyzer.measure.Table;
import org.diperf.analyzer.result.Analysis;
import org.diperf.analyzer.result.Breakdown;
import org.diperf.analyzer.result.NetworkImpact;
import org.diperf.analyzer.result.ShownAnnex;
import org.diperf.analyzer.result.Summary.StageSummary;
import org.diperf.analyzer.server.MonitoredMetric;
import org.diperf.core.spi.Annex;

/** The CSV files of a run. */
public final class RunTables {

    /** Headings that people alone would see. */
    private static final String UNSEEN = "";

    private static final List<CsvFile> FILES = List.of(
            new CsvFile(
                    "series.csv",
                    "one row per quantum",
                    (analysis, file) -> SeriesTable.of(analysis).write(SeriesTable.quanta(analysis), file)),
            new CsvFile("stages.csv", "one row per stage, level or probe", (analysis, file) -> {
                List<StageSummary> stages = analysis.summary().stages();
                if (stages != null) {
                    StageTable.of(analysis, UNSEEN, UNSEEN).write(stages, file);
                }
            }),
            new CsvFile(
                    "requests.csv",
                    "one row per kind of request",
                    (analysis, file) -> RequestTable.of(analysis, UNSEEN).write(RequestTable.kinds(analysis), file)),
            new CsvFile("journeys.csv", "one row per journey or group of calls within journeys", (analysis, file) -> {
                List<JourneyTable.Row> rows = JourneyTable.rows(analysis);
                if (!rows.isEmpty()) {
                    JourneyTable.of(analysis, UNSEEN).write(rows, file);
                }
            }),
            new CsvFile(
                    "clients.csv",
                    "one row per client",
                    (analysis, file) -> ClientTable.of(analysis).write(analysis.clients(), file)),
            new CsvFile(
                    "testers.csv",
                    "one row per tester",
                    (analysis, file) -> TesterTable.of(analysis).write(analysis.testers(), file)),
            new CsvFile(
                    "network.csv", "round trips to the target, one row per tester and time span", (analysis, file) -> {
                        List<RoundTrip> trips = RoundTrip.of(analysis.details().network());
                        if (!trips.isEmpty()) {
                            RoundTrip.TABLE.write(trips, file);
                        }
                    }),
            new CsvFile("groups.csv", "one row per group (or other breakdown of the calls)", (analysis, file) -> {
                Breakdown breakdown = analysis.breakdown();
                if (breakdown != null) {
                    PartTable.of(analysis, breakdown, UNSEEN, UNSEEN).write(PartTable.rows(breakdown), file);
                }
            }),
            new CsvFile("groups-series.csv", "one row per quantum for each of them", (analysis, file) -> {
                Breakdown breakdown = analysis.breakdown();
                if (breakdown != null) {
                    SeriesTable.ofParts(breakdown).write(SeriesTable.quanta(breakdown), file);
                }
            }));

    private RunTables() {}

    /** Writes a file where the run has what it holds. */
    @FunctionalInterface
    private interface Writer {
        void write(Analysis analysis, Path file) throws IOException;
    }

    private record CsvFile(String name, String rows, Writer writer) {}

    /** Writes those files of which the run has rows; files of these names are replaced. */
    public static void write(Analysis analysis, Path folder) throws IOException {
        for (CsvFile file : FILES) {
            file.writer.write(analysis, folder.resolve(file.name));
        }
        for (ShownAnnex annex : analysis.annexes()) {
            for (Annex.Table table : annex.annex().tables()) {
                annex(annex, table)
                        .write(
                                () -> IntStream.range(0, table.rows().size()).iterator(),
                                folder.resolve("annex-" + annex.annex().name() + "-" + table.name() + ".csv"));
            }
        }
    }

    private static Table<Integer> annex(ShownAnnex annex, Annex.Table table) {
        return Table.of(IntStream.range(0, table.columns().size())
                .mapToObj(column ->
                        Column.<Integer>of(named(table.columns().get(column)), row -> annex.value(table, row, column)))
                .toList());
    }

    /** What counts packets is called so already. */
    private static String named(Annex.Column column) {
        return column.name().equals(column.unit())
                ? column.name()
                : MonitoredMetric.named(column.name(), column.unit());
    }

    /** Returns the names of all files there can be, but for those of annexes, with what they hold. */
    public static Map<String, String> files() {
        Map<String, String> files = new LinkedHashMap<>();
        FILES.forEach(file -> files.put(file.name, file.rows));
        return files;
    }

    /** One span of time of a tester's round trips to the target. */
    private record RoundTrip(NetworkImpact.Row tester, int span) {

        private static final Table<RoundTrip> TABLE = Table.of(List.of(
                Column.of("tester", row -> row.tester.tester()),
                Column.of("host", row -> row.tester.host()),
                Column.of("node", row -> row.tester.node()),
                Column.of("time_s", row -> row.tester.trailSeconds()[row.span]),
                Column.of("latency_mean_ms", row -> row.tester.trailMillis()[row.span])));

        static List<RoundTrip> of(NetworkImpact network) {
            return network.testers().stream()
                    .flatMap(tester -> IntStream.range(0, tester.trailSeconds().length)
                            .mapToObj(span -> new RoundTrip(tester, span)))
                    .toList();
        }
    }
}
