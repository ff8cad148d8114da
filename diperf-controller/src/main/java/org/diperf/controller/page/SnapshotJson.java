package org.diperf.controller.page;

import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.stream.Collectors;
import org.diperf.analyzer.live.RunSeries;
import org.diperf.analyzer.stats.Statistics;
import org.diperf.controller.progress.LiveSnapshot;
import org.diperf.controller.progress.LiveSnapshot.TesterNow;
import org.diperf.controller.progress.LiveStatus;
import org.diperf.core.run.RunRecord.Event;
import org.diperf.core.sample.Outcome;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Writes a look at a run as JSON, of bounded length: of long lists the first. Times are in ms; what is not known is {@code null}. */
final class SnapshotJson {

    private static final JsonMapper JSON = new JsonMapper();
    private static final int MAX_PARTS = 100;
    private static final int MAX_TESTERS = 200;
    private static final int MAX_CAUSES = 20;
    private static final int MAX_SHOWN = 60;
    private static final int MAX_LINES = 20;
    private static final int MAX_EVENTS = 200;
    private static final int MAX_BLOCKS = 2_000;
    private static final double SECOND = 1e9;

    private SnapshotJson() {}

    /** Returns an object that is to be filled. */
    static ObjectNode object() {
        return JSON.createObjectNode();
    }

    /** Adds a look to an object. */
    static void add(LiveSnapshot picture, ObjectNode to) {
        to.put("phase", picture.phase());
        LiveStatus status = picture.status();
        if (status != null) {
            add(status, to);
        }
        RunSeries.Look series = picture.series();
        if (series != null) {
            add(series, to);
        }
        testers(picture, to.putArray("testers"));
        to.put("testersAll", picture.testers().size());
        array(
                to,
                "thresholds",
                picture.thresholds(),
                MAX_PARTS,
                (threshold, row) -> row.add(threshold.that())
                        .add(threshold.standing().name().toLowerCase(java.util.Locale.ROOT))
                        .add(threshold.observed()));
        lines(to.putArray("doubts"), picture.doubts());
        lines(to.putArray("notes"), picture.notes());
        List<Event> events = picture.events();
        array(
                to,
                "events",
                events.subList(Math.max(0, events.size() - MAX_EVENTS), events.size()),
                MAX_EVENTS,
                (event, row) ->
                        number(row, event.atNanos() / SECOND).add(event.text()).add(event.isByHand()));
        to.put("eventsAll", events.size());
    }

    private static void add(LiveStatus status, ObjectNode to) {
        number(to, "elapsed", status.elapsedSeconds());
        number(to, "total", status.totalSeconds());
        to.put("phase", status.phase());
        number(to, "rate", status.perSecond());
        to.put("closed", status.closed());
        to.put("clients", status.active());
        to.put("inFlight", status.inFlight());
        number(to, "p50", status.p50Ms());
        number(to, "p99", status.p99Ms());
        number(to, "seen", status.seenShare());
        to.put("testersAlive", status.testersAlive());
        to.put("testersWanted", status.testers());
    }

    private static void add(RunSeries.Look series, ObjectNode to) {
        to.put("quantum", series.quantumNanos() / SECOND);
        ArrayNode rows = to.putArray("rows");
        for (RunSeries.Row row : series.rows()) {
            ArrayNode values = rows.addArray()
                    .add(row.index())
                    .add(row.ok())
                    .add(row.failed())
                    .add(row.dropped());
            for (double value :
                    new double[] {row.p50(), row.p90(), row.p99(), row.max(), row.clients(), row.inFlight()}) {
                number(values, value);
            }
        }
        var counts = series.numbers().calls();
        ObjectNode calls = to.putObject("calls");
        calls.put("ok", counts.ok()).put("failed", counts.failed());
        calls.put("dropped", counts.dropped()).put("unfinished", counts.unfinished());
        Statistics response = series.numbers().responseTime();
        if (response != null) {
            ObjectNode all = to.putObject("response");
            number(all, "mean", response.mean());
            number(all, "p50", response.p50());
            number(all, "p90", response.p90());
            number(all, "p95", response.p95());
            number(all, "p99", response.p99());
            number(all, "p999", response.p999());
            number(all, "max", response.max());
        }
        Statistics lag = series.numbers().sendLag();
        number(to, "lagP99", lag == null ? Double.NaN : lag.p99());
        array(
                to,
                "causes",
                series.causes(),
                MAX_CAUSES,
                (cause, row) -> number(row.add(Outcome.cause(cause.cause())).add(cause.count()), cause.firstSeconds()));
        to.put("causesAll", series.causes().size());
        array(to, "requests", series.requests(), MAX_PARTS, SnapshotJson::part);
        array(to, "groups", series.groups(), MAX_PARTS, SnapshotJson::part);
    }

    /** Adds the calls that are shown whole. */
    static void addShown(RunSeries.Look series, ObjectNode to) {
        array(to, "shown", series.shown(), MAX_SHOWN, (call, row) -> {
            row.add(Outcome.cause(call.outcome()))
                    .add(call.tester())
                    .add(call.client())
                    .add(call.call());
            boolean isOneOfMany = series.requests().size() > 1
                    && call.request() < series.requests().size();
            row.add(isOneOfMany ? series.requests().get(call.request()).name() : "");
            number(row, call.responseMillis());
            number(row, call.endSeconds());
            row.add(call.text());
        });
    }

    private static void part(RunSeries.PartLook part, ArrayNode row) {
        row.add(part.name()).add(part.ok()).add(part.failed());
        number(row, part.p50());
        number(row, part.p95());
        number(row, part.p99());
        number(row, part.max());
    }

    private static void testers(LiveSnapshot picture, ArrayNode to) {
        RunSeries.Look series = picture.series();
        Map<Integer, RunSeries.TesterLook> counted = series == null
                ? Map.of()
                : series.testers().stream().collect(Collectors.toMap(RunSeries.TesterLook::tester, look -> look));
        for (TesterNow tester : picture.testers().stream().limit(MAX_TESTERS).toList()) {
            RunSeries.TesterLook look = counted.get(tester.tester());
            ArrayNode row = to.addArray();
            row.add(tester.tester()).add(tester.host()).add(tester.state()).add(tester.reason());
            row.add(tester.activeClients()).add(tester.inFlight());
            row.add(look == null ? 0 : look.ok()).add(look == null ? 0 : look.failed());
            number(row, look == null ? Double.NaN : look.lagP99Ms());
            number(row, look == null ? Double.NaN : look.cpu());
            number(row, tester.clockErrorMs());
            String blocks = look == null ? "" : look.blocks();
            row.add(blocks.length() > MAX_BLOCKS ? "many" : blocks);
        }
    }

    private static void lines(ArrayNode to, List<String> lines) {
        lines.stream().limit(MAX_LINES).forEach(to::add);
    }

    private static <T> void array(ObjectNode to, String name, List<T> of, int most, BiConsumer<T, ArrayNode> fill) {
        ArrayNode array = to.putArray(name);
        of.stream().limit(most).forEach(each -> fill.accept(each, array.addArray()));
    }

    private static void number(ObjectNode to, String name, double value) {
        if (Double.isFinite(value)) {
            to.put(name, shortened(value));
        } else {
            to.putNull(name);
        }
    }

    private static ArrayNode number(ArrayNode to, double value) {
        return Double.isFinite(value) ? to.add(shortened(value)) : to.addNull();
    }

    /** Nobody measured more digits than these. */
    private static double shortened(double value) {
        return Math.abs(value) < 1e9 ? Math.round(value * 1e6) / 1e6 : value;
    }
}
