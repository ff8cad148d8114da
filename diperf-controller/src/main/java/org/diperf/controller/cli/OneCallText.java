package org.diperf.controller.cli;

import java.io.PrintWriter;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import org.diperf.analyzer.text.Numbers;
import org.diperf.controller.progress.RunFailedException;
import org.diperf.controller.run.OneCall;
import org.diperf.core.experiment.Experiment;
import org.diperf.core.experiment.Script;
import org.diperf.core.run.OneLine;
import org.diperf.core.spi.ClientPlugin;
import org.diperf.core.spi.Metric;
import org.jspecify.annotations.Nullable;

/** Makes one call of an experiment and shows it: the steps before it, values that were captured, answers in full. */
final class OneCallText {

    private static final int MAX_VALUE = 2_000;

    private final PrintWriter out;

    OneCallText(PrintWriter out) {
        this.out = out;
    }

    /**
     * Makes the first call of a client.
     *
     * @param script of the experiment, or a part of it
     * @return whether it succeeded
     */
    boolean make(Experiment experiment, ClientPlugin plugin, Script script)
            throws RunFailedException, InterruptedException {
        OneCall made = OneCall.make(
                plugin,
                experiment.client().with(),
                experiment.targets().each().get(0),
                script,
                Duration.ofNanos(experiment.load().timeoutNanos()),
                experiment.seed());
        for (OneCall.Step step : made.steps()) {
            out.println();
            row("before", step.name() + ": " + step.outcome());
            row("response", Numbers.time(step.response().toNanos() / 1e6));
            answer(step.answer());
        }
        out.println();
        row("one call", made.outcome());
        row("response", Numbers.time(made.response().toNanos() / 1e6));
        row("service", Numbers.time(made.service().toNanos() / 1e6));
        row("bytes", String.valueOf(made.bytes()));
        for (Metric metric : plugin.metrics()) {
            Double value = made.metrics().get(metric.name());
            if (value != null) {
                row(metric.name(), value + " " + metric.unit());
            }
        }
        answer(made.answer());
        made.log().forEach(line -> row("log", line));
        return made.outcome().equals("ok");
    }

    /** Shows an answer in full, but for what would control the terminal. */
    private void answer(OneCall.@Nullable ShownAnswer answer) {
        if (answer == null) {
            return;
        }
        answer.captured().forEach((name, value) -> row("captured", name + " = " + value));
        lines(answer.head(), "header");
        if (answer.body().indexOf('\0') >= 0) {
            row("body", Numbers.count(answer.body().length(), "character") + ", no text");
        } else {
            lines(answer.body(), "body");
        }
    }

    private void lines(String text, String name) {
        List<String> lines = text.lines().toList();
        for (int i = 0; i < lines.size(); i++) {
            boolean isEnd = i == lines.size() - 1 && lines.get(i).isEmpty();
            if (!isEnd) {
                out.printf(
                        Locale.ROOT,
                        "  %-12s %s%n",
                        i == 0 ? name : "",
                        OneLine.of(lines.get(i).replace("\t", "    "), Integer.MAX_VALUE));
            }
        }
    }

    private void row(String name, String value) {
        row(out, name, value);
    }

    static void row(PrintWriter out, String name, String value) {
        StringBuilder lines = new StringBuilder();
        Terminal.screen().sentence(String.format(Locale.ROOT, "  %-12s ", name), OneLine.of(value, MAX_VALUE), lines);
        out.print(lines);
    }
}
