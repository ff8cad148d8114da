package org.diperf.controller.cli;

import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.diperf.analyzer.compare.Comparer;
import org.diperf.analyzer.compare.Comparison;
import org.diperf.analyzer.compare.ComparisonFile;
import org.diperf.analyzer.compare.ComparisonTable;
import org.diperf.analyzer.compare.FailRule;
import org.diperf.analyzer.compare.Settings;
import org.diperf.analyzer.report.ComparisonPage;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Compares runs, and says whether something got worse. */
@Command(
        name = "compare",
        description = {
            "Compares runs, or sets of runs, with the first: what changed, by how much, and how certain that is. Reads"
                    + " the samples of the measured part of each run. A single run per side cannot show how much"
                    + " results vary from run to run; three or more, taken in turns, can.",
            ""
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  diperf compare runs/before runs/after --out compared",
            "  diperf compare runs/old-* --to runs/new-*          several trials of each",
            "  diperf compare runs/orders-variants                a folder of variants with trials",
            "  diperf compare runs/main runs/mine --fail-on \"response.p99 +5%%\" --fail-on \"throughput -3%%\"",
            "",
            "Metrics: throughput, response.mean, .p50, .p90, .p95, .p99, .p99.9, service.mean, failed (in",
            "percentage points), fairness.jain. Without --fail-on: throughput, mean, p50, p99, failed and",
            "fairness are judged, and a change counts if it is statistically certain and exceeds 2 %%. Where its",
            "95 %% interval reaches beyond that without certainty, compare could not tell.",
            "",
            "Exit codes: 0 not worse; 2 bad usage; 3 undecidable (it could not tell, a suspect or failed run,",
            "different experiments); 99 worse.",
        })
final class CompareCommand implements Callable<Integer> {

    private static final Pattern PERCENT = Pattern.compile("([0-9]{1,3}(?:\\.[0-9]+)?)\\s*%?");

    @Parameters(
            paramLabel = "RUN",
            arity = "1..*",
            description =
                    "Run folders; the others are compared with the first. Also folders of trials or variants, whose"
                            + " summary.json lists their runs.")
    List<Path> runs;

    @Option(
            names = "--to",
            arity = "1..*",
            paramLabel = "RUN",
            description = "Compare all runs before --to, as one set, with all runs after it, as another.")
    List<Path> to = List.of();

    @Option(
            names = "--fail-on",
            paramLabel = "RULE",
            description = "A metric and how much worse it may get, such as \"response.p99 +5%%\"; repeatable. Then only"
                    + " these metrics are judged.")
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
            description = "A key of the experiment file, or its first parts, that may differ, such as client.with.")
    List<String> ignore = List.of();

    @Option(names = "--allow-suspect", description = "Also use runs whose verdict is suspect.")
    boolean allowSuspect;

    @Option(names = "--junit", paramLabel = "FILE", description = "Write the verdict as JUnit XML, for CI jobs.")
    @Nullable
    Path junit;

    @Option(
            names = "--out",
            paramLabel = "DIR",
            description = "Write compare.html, its figures and comparison.json to this folder.")
    @Nullable
    Path out;

    @Spec
    CommandSpec spec;

    @Override
    public Integer call() throws Exception {
        Settings settings = Settings.DEFAULT.with(rules(), smallestEffect());
        CompareSides sides = new CompareSides(runs, to);
        List<String> ignored =
                ignore.stream().map(key -> key.replaceFirst("\\.+$", "")).toList();
        Comparison comparison = Comparer.compare(
                sides.read(allowSuspect), sides.against(), settings, sides.differences(ignored), sides.notes());
        if (out != null) {
            Files.createDirectories(out);
            ComparisonFile.write(comparison, out.resolve("comparison.json"));
            ComparisonPage.write(comparison, out);
        }
        PrintWriter print = spec.commandLine().getOut();
        print.print(ComparisonTable.render(comparison));
        if (out != null) {
            print.println(" page: " + out.resolve("compare.html"));
        }
        if (junit != null) {
            JUnitXml.write(junit, "diperf compare", 0, ComparisonCases.of(comparison));
        }
        print.flush();
        return switch (comparison.verdict()) {
            case NOT_WORSE -> ExitCode.DONE;
            case WORSE -> ExitCode.THRESHOLD;
            case UNDECIDABLE -> ExitCode.NOT_CARRIED_OUT;
        };
    }

    private List<FailRule> rules() throws UsageException {
        List<FailRule> rules = new ArrayList<>();
        for (String text : failOn) {
            try {
                rules.add(FailRule.parse(text));
            } catch (IllegalArgumentException e) {
                throw new UsageException("--fail-on: " + e.getMessage());
            }
        }
        return rules;
    }

    private double smallestEffect() throws UsageException {
        Matcher percent = PERCENT.matcher(smallestEffect.strip());
        if (!percent.matches()) {
            throw new UsageException("--smallest-effect: wanted per cent, such as 2%, found '" + smallestEffect + "'");
        }
        return Double.parseDouble(percent.group(1)) / 100;
    }
}
