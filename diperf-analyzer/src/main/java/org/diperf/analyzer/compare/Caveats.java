package org.diperf.analyzer.compare;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.diperf.analyzer.compare.MetricResult.Finding;
import org.diperf.analyzer.result.Summary;
import org.diperf.analyzer.text.Numbers;

/** What a reader of a comparison must keep in mind. */
final class Caveats {

    private static final double LARGE_LAG = 0.1;
    private static final double OTHER_LENGTH = 1.1;

    private Caveats() {}

    static List<String> of(
            Side a,
            Side b,
            boolean overRuns,
            List<IndependentBlocks> blocksA,
            List<IndependentBlocks> blocksB,
            List<MetricResult> results) {
        List<String> caveats = new ArrayList<>();
        if (!overRuns) {
            caveats.add("with " + runs(a) + " against " + runs(b)
                    + ", there are too few runs to show how results vary from run to run: even an unchanged service "
                    + "may differ by more than the intervals suggest; use " + TrialComparison.FEWEST
                    + " or more runs per side, alternating between the sides");
        }
        Stream.of(a, b)
                .filter(side -> side.obstacle().isEmpty())
                .flatMap(side -> side.leftOut().stream())
                .forEach(left -> caveats.add(left + ", so it was excluded"));
        correlated(a, blocksA, caveats);
        correlated(b, blocksB, caveats);
        lag(a, caveats);
        lag(b, caveats);
        double secondsA = seconds(a);
        double secondsB = seconds(b);
        if (Math.max(secondsA, secondsB) > OTHER_LENGTH * Math.min(secondsA, secondsB)) {
            caveats.add("runs of " + a.name() + " were measured for " + Numbers.length(secondsA) + ", those of "
                    + b.name() + " for " + Numbers.length(secondsB));
        }
        SortedSet<Integer> clients = clients(a);
        clients.addAll(clients(b));
        if (clients.size() > 1) {
            caveats.add("runs of " + a.name() + " and " + b.name()
                    + " were measured with different numbers of clients ("
                    + String.join(", ", clients.stream().map(String::valueOf).toList())
                    + "; for levels, those at the best level), so their response times reflect different loads");
        }
        if (a.isOpen() && b.isOpen()) {
            caveats.add("under open load, the plan sets the throughput, which changes only when calls fail or pile up");
        }
        wide(a, b, results, caveats);
        return caveats;
    }

    private static String runs(Side side) {
        return Numbers.count(side.runs().size(), "run");
    }

    private static void correlated(Side side, List<IndependentBlocks> blocks, List<String> caveats) {
        long drifting = blocks.stream().filter(IndependentBlocks::isCorrelated).count();
        if (drifting > 0) {
            caveats.add("response time or throughput of " + side.name() + " drifts "
                    + (blocks.size() == 1
                            ? "throughout the run"
                            : "in " + drifting + " of its " + blocks.size() + " runs")
                    + ", so its intervals may be too narrow; exclude the warm-up (measure.skip) or measure for longer");
        }
    }

    private static void lag(Side side, List<String> caveats) {
        double share =
                side.runs().stream().mapToDouble(MeasuredRun::lagShare).max().orElse(0);
        if (share > LARGE_LAG) {
            caveats.add(String.format(
                    Locale.ROOT,
                    "calls of %s%s spent %.0f %% of their response time waiting to be sent, because of the "
                            + "generator or because the service fell behind the plan; service time excludes this wait",
                    side.runs().size() == 1 ? "" : "one run of ",
                    side.name(),
                    100 * share));
        }
    }

    private static SortedSet<Integer> clients(Side side) {
        SortedSet<Integer> clients = new TreeSet<>();
        for (MeasuredRun run : side.runs()) {
            Summary summary = run.summary();
            Summary.Window measured = summary == null ? null : summary.measured();
            Integer count = measured == null ? null : measured.clients();
            if (count != null) {
                clients.add(count);
            }
        }
        return clients;
    }

    private static double seconds(Side side) {
        return side.runs().stream().mapToDouble(MeasuredRun::seconds).average().orElse(0);
    }

    private static void wide(Side a, Side b, List<MetricResult> results, List<String> caveats) {
        List<String> wide = results.stream()
                .filter(result -> result.finding() == Finding.NO_DIFFERENCE
                        || result.finding() == Finding.COULD_NOT_TELL
                        || result.finding() == Finding.NOT_SURE)
                .filter(result -> !result.metric().isShare())
                .filter(result -> result.hasInterval() && result.halfWidth() > Settings.WIDEST)
                .map(result -> String.format(
                        Locale.ROOT, "%s of about %.0f %%", result.metric().words(), 100 * result.halfWidth()))
                .toList();
        if (!wide.isEmpty()) {
            caveats.add("from " + a.name() + " to " + b.name() + ", a change in " + String.join(" or in ", wide)
                    + " would have gone undetected; longer or additional runs might detect it");
        }
        List<String> few = results.stream()
                .filter(result -> result.finding() == Finding.UNDECIDED)
                .map(result -> result.metric().words())
                .toList();
        if (!few.isEmpty()) {
            caveats.add("too few calls or clients to judge " + String.join(", ", few) + " of " + b.name()
                    + " (a batch needs ten calls above a percentile; fairness needs eight clients)");
        }
    }
}
