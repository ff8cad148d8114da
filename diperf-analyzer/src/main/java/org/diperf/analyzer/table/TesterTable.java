package org.diperf.analyzer.table;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import org.diperf.analyzer.measure.Column;
import org.diperf.analyzer.measure.Table;
import org.diperf.analyzer.result.Analysis;
import org.diperf.analyzer.result.NetworkImpact;
import org.diperf.analyzer.result.TesterHealth;
import org.diperf.analyzer.result.TesterLocation;
import org.diperf.analyzer.result.TesterRow;
import org.diperf.analyzer.text.Numbers;
import org.diperf.analyzer.text.RunText;
import org.diperf.core.clock.ClockEvent;
import org.jspecify.annotations.Nullable;

/** The table of testers. */
public final class TesterTable {

    private final Analysis analysis;

    private TesterTable(Analysis analysis) {
        this.analysis = analysis;
    }

    /** Makes the table. */
    public static Table<TesterRow> of(Analysis analysis) {
        TesterTable table = new TesterTable(analysis);
        return Table.of(table.counts(), table.clocks(), table.machine(), table.places(), table.network());
    }

    private List<Column<TesterRow>> counts() {
        return List.of(
                Column.of("tester", TesterRow::tester).shown("tester", row -> String.valueOf(row.tester())),
                Column.of("host", TesterRow::host).shown("host", row -> RunText.clean(row.host())),
                Column.forPeople("node", row -> {
                    TesterLocation place = place(row);
                    return place.node().isEmpty()
                            ? Numbers.NONE
                            : RunText.clean(place.node() + " " + place.labels()).strip();
                }),
                Column.of("clients", TesterRow::clients).shown("clients", row -> Numbers.count(row.clients())),
                Column.of("calls", TesterRow::calls).shown("calls", row -> Numbers.count(row.calls())),
                Column.of("ok", TesterRow::ok).shown("ok", row -> Numbers.count(row.ok())));
    }

    private List<Column<TesterRow>> clocks() {
        List<Column<TesterRow>> columns = new ArrayList<>(List.of(
                plain("clock_offset_ms", "clock offset (ms)", TesterRow::offsetMillis),
                plain("clock_drift_ppm", "drift (ppm)", TesterRow::driftPpm),
                plain("clock_error_bound_us", "error bound (µs)", TesterRow::errorBoundMicros),
                plain("clock_expected_error_us", "expected error (µs)", TesterRow::expectedErrorMicros)));
        columns.add(events("clock_steps", ClockEvent.Kind.STEP));
        columns.add(events("clock_suspends", ClockEvent.Kind.SUSPEND));
        columns.add(events("clock_slews", ClockEvent.Kind.SLEW));
        columns.add(events("route_changes", ClockEvent.Kind.ROUTE_CHANGE));
        columns.add(plain("rtt_ms", "round trip (ms)", TesterRow::rttMillis));
        columns.add(plain("start_skew_us", "start skew (µs)", TesterRow::startSkewMicros));
        columns.add(Column.of("lost", TesterRow::lost));
        return columns;
    }

    private List<Column<TesterRow>> machine() {
        return List.of(
                watch("cpu_percent", TesterHealth::cpuPercent)
                        .shown("CPU (%)", row -> Numbers.plain(row.watch().cpuPercent())),
                Column.forPeople(
                        "waited for CPU (%)", row -> Numbers.plain(row.watch().runQueuePercent())),
                watch("hiccup_max_ms", TesterHealth::hiccupMaxMillis)
                        .shown(
                                "longest hiccup (ms)",
                                row -> Numbers.plain(row.watch().hiccupMaxMillis())),
                watch("stalled_ms", TesterHealth::stalledMillis),
                watch("gc_percent", TesterHealth::gcPercent)
                        .shown("GC (%)", row -> Numbers.plain(row.watch().gcPercent())),
                watch("gc_pause_max_ms", TesterHealth::gcPauseMaxMillis),
                watch("run_queue_percent", TesterHealth::runQueuePercent),
                watch("starved_percent", TesterHealth::starvedPercent),
                watch("descriptors_max", TesterHealth::descriptorsMax)
                        .shown("descriptors", row -> descriptors(row.watch())),
                watch("descriptor_limit", TesterHealth::descriptorLimit),
                watch("host_cpu_cores", TesterHealth::hostCpu),
                watch("host_steal_percent", TesterHealth::stealPercent),
                watch("tcp_retransmits_per_s", TesterHealth::retransmits));
    }

    private List<Column<TesterRow>> places() {
        return List.of(
                Column.of("node", row -> place(row).node()),
                Column.of("labels", row -> place(row).labels()),
                Column.of(
                        "replaces",
                        row -> place(row).replaces() == 0 ? null : place(row).replaces()),
                Column.<TesterRow>of("lost_s", row -> place(row).lostSeconds())
                        .shown("lost", row -> place(row).fate()));
    }

    private List<Column<TesterRow>> network() {
        return List.of(
                network("latency_ms", NetworkImpact.Row::latencyMillis),
                network("latency_source", row -> row.latencySource().word()),
                network("bandwidth_bytes_per_s", NetworkImpact.Row::bandwidthBytes),
                network("bandwidth_source", row -> row.bandwidthSource().word()),
                network("response_mean_ms", NetworkImpact.Row::responseMillis),
                network("calls_per_client_per_s", NetworkImpact.Row::perClientPerSecond),
                network("success_percent", NetworkImpact.Row::successPercent));
    }

    private TesterLocation place(TesterRow row) {
        return TesterLocation.of(analysis.run(), row.tester());
    }

    private static Column<TesterRow> plain(String name, String heading, ToDoubleFunction<TesterRow> of) {
        return Column.<TesterRow>of(name, of::applyAsDouble)
                .shown(heading, row -> Numbers.plain(of.applyAsDouble(row)));
    }

    private Column<TesterRow> events(String name, ClockEvent.Kind kind) {
        return Column.of(name, row -> analysis.clocks().count(row.tester(), kind));
    }

    private static Column<TesterRow> watch(String name, ToDoubleFunction<TesterHealth> of) {
        return Column.of(name, row -> of.applyAsDouble(row.watch()));
    }

    private Column<TesterRow> network(String name, Function<NetworkImpact.Row, @Nullable Object> of) {
        return Column.of(
                name,
                row -> analysis.details().network().testers().stream()
                        .filter(each -> each.tester() == row.tester())
                        .findFirst()
                        .map(of)
                        .orElse(null));
    }

    private static String descriptors(TesterHealth watch) {
        return Double.isNaN(watch.descriptorsMax()) || Double.isNaN(watch.descriptorLimit())
                ? Numbers.plain(watch.descriptorsMax())
                : Numbers.count((long) watch.descriptorsMax()) + " of " + Numbers.count((long) watch.descriptorLimit());
    }
}
