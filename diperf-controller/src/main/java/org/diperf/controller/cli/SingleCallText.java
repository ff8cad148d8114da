package org.diperf.controller.cli;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.diperf.analyzer.text.Numbers;
import org.diperf.controller.progress.RunFailedException;
import org.diperf.controller.run.NameLookup;
import org.diperf.controller.run.ScriptPlugins;
import org.diperf.controller.run.SingleCall;
import org.diperf.core.experiment.Experiment;
import org.diperf.core.experiment.Script;
import org.diperf.core.plugin.Plugins;
import org.diperf.core.spi.ClientPlugin;
import org.diperf.core.spi.JavaJourney;
import org.diperf.core.spi.Metric;
import org.diperf.tester.engine.TesterPlugins;

/** Makes one call of an experiment and shows it: the steps before it, values that were captured, answers in full. */
final class SingleCallText {

    private static final int MAX_LINES = 1_000;

    private final Rows out;

    SingleCallText(Rows out) {
        this.out = out;
    }

    /**
     * Makes the first call of a client, or goes through its first journey.
     *
     * @param script of the experiment, or a part of it
     * @return whether it succeeded
     */
    boolean make(Experiment experiment, Plugins plugins, Script script)
            throws RunFailedException, InterruptedException {
        Map<String, ClientPlugin> known = ScriptPlugins.plugins(experiment, plugins);
        Map<String, Supplier<JavaJourney>> journeys = new LinkedHashMap<>();
        script.code()
                .forEach(type -> plugins.journeys().find(type).ifPresent(found -> journeys.put(type, found.maker())));
        SingleCall one = SingleCall.make(
                requireNonNull(known.get(experiment.client().plugin()), "the client's own plugin"),
                new TesterPlugins(known, journeys),
                experiment.client().with(),
                experiment.targets().each().get(0),
                script,
                Duration.ofNanos(experiment.load().timeoutNanos()),
                experiment.seed());
        NameLookup name = one.name();
        if (name != null) {
            out.row("name", words(name));
        }
        out.row("times", "measured right after program start, so calls take longer than in a run");
        for (SingleCall.Step step : one.steps()) {
            out.print("");
            out.row(script.journeys().isEmpty() ? "before" : "step", step.name() + ": " + outcome(step.made()));
            show(step.made(), known.values());
        }
        out.print("");
        String outcome = outcome(one.made());
        if (script.journeys().isEmpty()) {
            out.row("one call", outcome);
        } else {
            out.row("step", one.request() + ": " + outcome);
        }
        show(one.made(), known.values());
        out.row("asked at", one.sentAt() + ", by this machine's clock");
        one.log().forEach(line -> out.row("log", line));
        return one.made().outcome().equals("ok");
    }

    private static String outcome(SingleCall.Made made) {
        return made.outcome() + (made.remedy().isEmpty() ? "" : "; " + made.remedy());
    }

    private static String words(NameLookup name) {
        return Numbers.time(name.took().toNanos() / 1e6) + " to look up " + name.host() + ": "
                + (name.addresses().isEmpty() ? "this machine cannot resolve it" : String.join(", ", name.addresses()));
    }

    private void show(SingleCall.Made made, Collection<ClientPlugin> plugins) {
        out.row("response", Numbers.time(made.response().toNanos() / 1e6));
        out.row("service", Numbers.time(made.service().toNanos() / 1e6));
        for (Metric metric : plugins.stream()
                .flatMap(plugin -> plugin.metrics().stream())
                .distinct()
                .toList()) {
            Double value = made.metrics().get(metric.name());
            if (value != null) {
                out.row(metric.name(), metric.unit().equals("ms") ? Numbers.time(value) : value + " " + metric.unit());
            }
        }
        out.row("bytes", String.valueOf(made.bytes()));
        said(made.said());
    }

    /** Shows what was said, but for what would control the terminal. */
    private void said(SingleCall.Said said) {
        lines(said.said());
        lines(said.answer());
        said.captured().forEach((name, value) -> out.row("captured", name + " = " + value));
    }

    private void lines(String text) {
        List<String> lines = text.lines().toList();
        for (String line : lines.subList(0, Math.min(MAX_LINES, lines.size()))) {
            out.said(line);
        }
        if (lines.size() > MAX_LINES) {
            out.said("* " + Numbers.count(lines.size() - MAX_LINES, "more line") + " left out");
        }
    }
}
