package org.diperf.controller.page;

import java.util.function.Function;
import org.diperf.controller.progress.LiveSnapshot;
import org.diperf.controller.progress.LiveSource;
import org.diperf.core.experiment.Experiment;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * Tells of a run under way: {@code snapshot} has all of it, {@code tick} what is known now and the rows that changed, {@code report}
 * that its report can be opened, {@code end} that there is none. Told by the run's thread, asked by the event loop.
 */
final class LiveFeed implements EventStream {

    /**
     * What can be told; immutable, so that the event loop sees one that fits together.
     *
     * @param number of the run, from 1: a grid has several
     * @param over whether its load has ended, and all that it measured is kept
     * @param place which of several runs it is, in words; empty: there is one
     * @param close what ends all streams; {@code null}: nothing yet
     */
    private record Shown(
            int number,
            @Nullable LiveSource run,
            boolean over,
            String place,
            @Nullable String close) {}

    /** No version. */
    private static final long NOTHING = -1;

    private final Function<Experiment, String> headline;
    private volatile Shown shown = new Shown(0, null, false, "", null);
    /** What is told next is compared with this; confined to the event loop. */
    private int toldNumber = -1;

    private long toldVersion;
    private long toldQuantum;
    private long toldShown = NOTHING;
    private boolean toldClose;

    LiveFeed(Function<Experiment, String> headline) {
        this.headline = headline;
    }

    void begins(LiveSource run) {
        Shown now = shown;
        shown = new Shown(now.number() + 1, run, false, now.place(), null);
    }

    void ends() {
        Shown now = shown;
        shown = new Shown(now.number(), now.run(), true, now.place(), null);
    }

    void place(String words) {
        Shown now = shown;
        shown = new Shown(now.number(), now.run(), now.over(), words, null);
    }

    /** Ends the streams: viewers go to the report, if there is one. */
    void close(boolean hasReport) {
        Shown now = shown;
        shown = new Shown(now.number(), now.run(), true, now.place(), hasReport ? "report" : "end");
    }

    @Nullable
    LiveSource run() {
        return shown.run();
    }

    @Override
    public String whole() {
        Shown now = shown;
        return now.close() != null
                ? event(now.close(), "{}")
                : picture(now, "snapshot", 0, NOTHING).text();
    }

    @Override
    public @Nullable String change() {
        Shown now = shown;
        if (now.close() != null) {
            boolean first = !toldClose;
            toldClose = true;
            return first ? event(now.close(), "{}") : null;
        }
        boolean same = now.number() == toldNumber;
        Told told = picture(now, "tick", same ? toldVersion : 0, same ? toldShown : NOTHING);
        if (!same || told.quantum() != toldQuantum) {
            // Rows that were joined replace all that were told.
            told = picture(now, "snapshot", 0, NOTHING);
        }
        toldNumber = now.number();
        toldVersion = told.version();
        toldQuantum = told.quantum();
        toldShown = told.shown();
        return told.text();
    }

    private record Told(String text, long version, long quantum, long shown) {}

    /**
     * @param since version of the rows that were told before
     * @param shownBefore version of the calls that were told before
     */
    private Told picture(Shown now, String event, long since, long shownBefore) {
        ObjectNode json = SnapshotJson.object();
        json.put("number", now.number());
        json.put("place", now.place());
        json.put("over", now.over());
        LiveSource run = now.run();
        if (run == null) {
            return new Told(event(event, json.toString()), 0, 0, NOTHING);
        }
        json.put("name", run.experiment().name());
        json.put("headline", headline.apply(run.experiment()));
        LiveSnapshot picture = run.look(since);
        SnapshotJson.add(picture, json);
        var series = picture.series();
        if (series == null) {
            return new Told(event(event, json.toString()), 0, 0, NOTHING);
        }
        if (series.shownVersion() != shownBefore) {
            SnapshotJson.addShown(series, json);
        }
        return new Told(event(event, json.toString()), series.version(), series.quantumNanos(), series.shownVersion());
    }

    private static String event(String name, String data) {
        return "event: " + name + "\ndata: " + data + "\n\n";
    }
}
