package org.diperf.controller.cli;

import java.io.PrintWriter;
import java.util.Locale;
import java.util.OptionalLong;
import java.util.stream.Collectors;
import org.diperf.analyzer.result.Summary;
import org.diperf.analyzer.result.Summary.Throughput;
import org.diperf.analyzer.result.Summary.Window;
import org.diperf.analyzer.stats.Statistics;
import org.diperf.analyzer.text.Numbers;
import org.diperf.controller.grid.GridRuns;
import org.diperf.controller.grid.PlannedRun;
import org.diperf.controller.progress.Progress;

/** Shows how a grid goes: a line a run with its numbers, and the run's own live line. Confined to the grid's thread. */
final class GridProgress implements GridRuns.Watcher {

    private final PrintWriter out;
    private final PrintWriter err;
    private final boolean lines;
    private final boolean live;
    private LiveLine line;
    private String head = "";
    private String numbers = "";

    /**
     * @param err takes what the user must do at once, where runs are not shown
     * @param lines whether each run has a line
     * @param live whether each run is shown while it is under way
     */
    GridProgress(PrintWriter out, PrintWriter err, boolean lines, boolean live) {
        this.out = out;
        this.err = err;
        this.lines = lines;
        this.live = live;
        this.line = new LiveLine(out);
    }

    @Override
    public void begins(PlannedRun run, int place, int of, OptionalLong leftNanos) {
        line = new LiveLine(out);
        numbers = "";
        head = "run " + place + " of " + of;
        String left = leftNanos.isEmpty() ? "" : ", " + LiveLine.clock(leftNanos.getAsLong() / 1e9) + " left";
        if (lines && (live || place == 1)) {
            line.log(head + left + " · " + run.dir());
        }
        line.head(head);
    }

    @Override
    public void ends(PlannedRun run, GridRuns.Outcome outcome) {
        if (lines) {
            String problem = outcome.problem();
            line.log("  " + head + " " + outcome.state().name().toLowerCase(Locale.ROOT)
                    + (live ? "" : " · " + run.dir()) + numbers
                    + (problem == null
                            ? ""
                            // The words of a service that did not start stand at the end, where they are not gone.
                            : " · " + (outcome.again() ? problem : "its service did not start: see below")));
        }
    }

    @Override
    public void pauses(long nanos) {
        phase("pausing for " + Numbers.span(nanos));
    }

    /** Learns the numbers of a run, for the line at its end. */
    void numbers(Summary summary) {
        Window measured = summary.measured();
        Throughput throughput = measured == null ? summary.throughput() : measured.throughput();
        Statistics times = measured == null ? summary.responseTime() : measured.responseTime();
        numbers = (throughput == null ? "" : " · " + Numbers.brief(throughput.mean()) + " calls/s")
                + (times == null ? "" : " · p50 " + Numbers.time(times.p50()) + ", p99 " + Numbers.time(times.p99()))
                + " · " + Numbers.count(summary.calls().failed()) + " failed · " + summary.verdict()
                + unmet(summary);
    }

    /** What decides the exit code is told where it happens. */
    private static String unmet(Summary summary) {
        return Reports.unmet(summary).map(each -> " · " + each).collect(Collectors.joining());
    }

    void phase(String text) {
        if (live) {
            line.phase(text);
        }
    }

    void end() {
        line.end();
    }

    /** Returns what one run tells its progress to. */
    Progress ofRun() {
        return live ? line : new ActionNotices(err);
    }
}
