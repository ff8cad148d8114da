package org.diperf.controller.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.diperf.analyzer.compare.Comparison;
import org.diperf.analyzer.compare.ComparisonBuilder;
import org.diperf.analyzer.compare.ComparisonFile;
import org.diperf.analyzer.compare.ComparisonTable;
import org.diperf.analyzer.compare.FailRule;
import org.diperf.analyzer.compare.Settings;
import org.diperf.analyzer.report.ComparisonPage;
import org.diperf.core.clock.NanoClock;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Compares runs, and says whether something got worse. */
@Command(
        name = "compare",
        description = {
            "Compares runs, or sets of runs, with the first: what changed, by how much, and how certain "
                    + "that is. Reads the samples from the measured part of each run. A single run per side cannot "
                    + "show "
                    + "how much results vary from run to run; three or more, run alternately, can.",
            ""
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  diperf compare                                     the last two runs with the same name",
            "  diperf compare runs/before runs/after --out compared",
            "  diperf compare runs/old-* --to runs/new-*          several trials of each",
            "  diperf compare runs/orders-variants                a folder of variants with trials",
            "  diperf compare runs/main runs/mine --fail-on \"response.p99 +5%%\" --fail-on \"throughput -3%%\"",
            "",
            "Metrics: throughput, response.mean, .p50, .p90, .p95, .p99, .p99.9, service.mean, failed (in",
            "percentage points), fairness.jain. Without --fail-on: throughput, mean, p50, p99, failed and",
            "fairness are evaluated; a change counts if it is statistically significant and exceeds 2 %%. If its",
            "95 %% interval extends beyond that without significance, the result is undecided.",
            "",
            "Exit codes: 0 not worse; 2 bad usage; 3 undecided (too little data, a suspect or failed run,",
            "different experiments); 99 worse.",
        })
final class CompareCommand extends ResultCommand {

    private static final Pattern PERCENT = Pattern.compile("([0-9]{1,3}(?:\\.[0-9]+)?)\\s*%?");

    @Parameters(
            paramLabel = "RUN",
            arity = "0..*",
            description =
                    "Run folders, or folders of trials or variants whose summary.json lists their runs; the others "
                            + "are compared with the first. Default: the last two runs with the same name in runs/.")
    List<Path> runs = List.of();

    @Option(
            names = "--to",
            arity = "1..*",
            paramLabel = "RUN",
            description = "Compare all runs before --to, as one set, with all runs after it.")
    List<Path> to = List.of();

    @Option(
            names = "--fail-on",
            paramLabel = "RULE",
            description =
                    "A metric and how much worse it may get, e.g. \"response.p99 +5%%\"; repeatable. If given, only "
                            + "these metrics are evaluated.")
    List<String> failOn = List.of();

    @Option(
            names = "--smallest-effect",
            paramLabel = "PERCENT",
            defaultValue = "2%",
            description = "Ignore changes smaller than this. Default: 2%%.")
    String smallestEffect;

    @Option(
            names = "--ignore",
            paramLabel = "KEY",
            description = "A key in the experiment file, or a key prefix, that may differ, e.g. client.with.")
    List<String> ignore = List.of();

    @Option(names = "--allow-suspect", description = "Also use runs whose verdict is suspect.")
    boolean allowSuspect;

    @Option(names = "--junit", paramLabel = "FILE", description = "Write the verdict as JUnit XML, for CI jobs.")
    @Nullable
    Path junit;

    @Mixin
    SummaryOption summary;

    @Option(
            names = {"-o", "--out"},
            paramLabel = "DIR",
            description = "Write compare.html, its figures and comparison.json to this folder.")
    @Nullable
    Path out;

    @Override
    public Integer call() throws Exception {
        long begunNanos = NanoClock.SYSTEM.nanoTime();
        StepSummary page = summary.page();
        Settings settings = Settings.DEFAULT.with(rules(), smallestEffect());
        if (runs.isEmpty() && !to.isEmpty()) {
            throw new UsageException("compare: expected --to between two sets of runs, got none before it");
        }
        List<Path> compared = runs.isEmpty() ? lastTwo(RunFolders.RUNS) : runs;
        if (runs.isEmpty()) {
            stdout().println("comparing " + compared.get(1) + " with the previous run, " + compared.get(0));
        }
        ComparisonSides sides = new ComparisonSides(compared, to);
        List<String> ignored =
                ignore.stream().map(key -> key.replaceFirst("\\.+$", "")).toList();
        Comparison comparison = ComparisonBuilder.compare(
                sides.read(allowSuspect), sides.against(), settings, sides.differences(ignored), sides.notes());
        if (out != null) {
            Files.createDirectories(out);
            ComparisonFile.write(comparison, out.resolve("comparison.json"));
            ComparisonPage.write(comparison, out);
        }
        PrintWriter print = stdout();
        print.print(ComparisonTable.render(comparison, Terminal.screen()));
        if (out != null) {
            print.println(" page: " + out.resolve("compare.html"));
        }
        if (junit != null) {
            double seconds = (NanoClock.SYSTEM.nanoTime() - begunNanos) / 1e9;
            JUnitXml.write(junit, "diperf compare", ComparisonCases.of(comparison, seconds));
        }
        page.append(ComparisonMarkdown.of(comparison), stderr());
        result(ComparisonFile.tree(comparison));
        return switch (comparison.verdict()) {
            case NOT_WORSE -> ExitCode.DONE;
            case WORSE -> ExitCode.THRESHOLD;
            case UNDECIDABLE -> ExitCode.NOT_CARRIED_OUT;
        };
    }

    /**
     * Finds the newest run whose name an older one has too.
     *
     * @return the older one, then the newer one
     */
    static List<Path> lastTwo(Path runs) throws UsageException, IOException {
        List<StoredRun> all = Files.isDirectory(runs) ? StoredRun.in(runs) : List.of();
        List<StoredRun> finished = all.stream()
                .filter(run -> run.calls() >= 0 && !run.isUnderWay())
                .toList();
        for (int newer = 0; newer < finished.size(); newer++) {
            for (int older = newer + 1; older < finished.size(); older++) {
                if (finished.get(older).isLike(finished.get(newer))) {
                    return List.of(
                            finished.get(older).folder(), finished.get(newer).folder());
                }
            }
        }
        throw new UsageException("compare: no runs were given, and " + runs
                + " has no two finished runs with the same name; specify what to compare, e.g. diperf compare "
                + "runs/before runs/after");
    }

    private List<FailRule> rules() throws UsageException {
        List<FailRule> rules = new ArrayList<>();
        for (String text : failOn) {
            rules.add(UsageException.reading("--fail-on", () -> FailRule.parse(text)));
        }
        return rules;
    }

    private double smallestEffect() throws UsageException {
        Matcher percent = PERCENT.matcher(smallestEffect.strip());
        if (!percent.matches()) {
            throw new UsageException("--smallest-effect: expected a percentage, e.g. 2%, got '" + smallestEffect + "'");
        }
        return Double.parseDouble(percent.group(1)) / 100;
    }
}
