package org.diperf.controller.cli;

import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.diperf.analyzer.Analyzer;
import org.diperf.analyzer.model.FittedModel;
import org.diperf.analyzer.model.Prediction;
import org.diperf.analyzer.result.Analysis;
import org.diperf.analyzer.result.Capacity;
import org.diperf.analyzer.text.CapacityText;
import org.diperf.analyzer.text.Numbers;
import org.diperf.core.spi.Quantity;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Asks the model that was fitted to a run's levels, or the transfers of a run. */
@Command(
        name = "predict",
        description = {
            "Predicts throughput and response time at a load that was not measured, from a run with at least four"
                    + " levels (load.levels or load.search). If the run does not support a prediction, explains why.",
            ""
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  diperf predict --clients 48                    from runs/latest",
            "  diperf predict runs/latest --rate 900",
            "",
            "Exit codes: 0 predicted; 2 bad usage; 3 no such run, or it does not support a prediction.",
        })
final class PredictCommand extends ResultCommand {

    @Parameters(arity = "0..1", paramLabel = "RUN_DIR", description = "A run folder. Default: runs/latest.")
    @Nullable
    Path named;

    /** What is asked for. */
    static final class Asked {
        @Option(
                names = {"-c", "--clients"},
                paramLabel = "N",
                description = "Predict for this many clients (closed load).")
        @Nullable
        Integer clients;

        @Option(
                names = {"-r", "--rate"},
                paramLabel = "RATE",
                description = "Predict for this rate (open load), such as 900 (per second) or 30/min.")
        @Nullable
        String rate;
    }

    @ArgGroup(multiplicity = "0..1")
    Asked asked = new Asked();

    @Override
    public Integer call() throws Exception {
        double load = load();
        Path runDir = RunFolders.given(named, spec);
        Analysis analysis = Analyzer.analyze(runDir, Analyzer.Options.AS_RECORDED);
        PrintWriter out = stdout();
        Capacity capacity = analysis.capacity();
        Optional<FittedModel> best = capacity.best();
        Optional<String> refusal = refusal(capacity, best, load);
        if (best.isEmpty() || refusal.isPresent()) {
            stderr().println("diperf predict: this run does not support a prediction for " + asked() + ": "
                    + refusal.orElse("there is no model"));
            return ExitCode.NOT_CARRIED_OUT;
        }
        Prediction said = best.get().at(load);
        out.println(asked() + ", by the " + CapacityText.name(best.get().model()) + " ("
                + CapacityText.parameters(best.get().model()) + ")");
        out.println();
        out.println(" value             expected   95 % interval");
        out.println(row("throughput /s", said.perSecond(), said.perSecondLow(), said.perSecondHigh(), 1));
        out.println(row(
                "mean response ms",
                said.responseSeconds(),
                said.responseSecondsLow(),
                said.responseSecondsHigh(),
                1e3));
        out.println();
        out.println(" " + CapacityText.model(analysis));
        String knee = CapacityText.knee(analysis);
        if (!knee.isEmpty()) {
            out.println(" " + knee);
        }
        Map<String, Object> values = new LinkedHashMap<>();
        values.put("load", load);
        values.put("model", CapacityText.name(best.get().model()));
        put(values, "perSecond", said.perSecond(), said.perSecondLow(), said.perSecondHigh());
        put(
                values,
                "meanResponseMillis",
                said.responseSeconds() * 1e3,
                said.responseSecondsLow() * 1e3,
                said.responseSecondsHigh() * 1e3);
        result(values);
        return ExitCode.DONE;
    }

    private static String row(String what, double expected, double low, double high, double factor) {
        if (Double.isInfinite(expected)) {
            return String.format(Locale.ROOT, " %-16s %9s   the queue keeps growing under this load", what, "endless");
        }
        return String.format(
                Locale.ROOT, " %-16s %9.4g   %.4g to %.4g", what, expected * factor, low * factor, high * factor);
    }

    private Optional<String> refusal(Capacity capacity, Optional<FittedModel> best, double load) {
        if (capacity.points().isEmpty()) {
            return Optional.of(
                    capacity.leftOut() == 0
                            ? "it has no levels; run an experiment with load.levels"
                            : "none of its " + capacity.leftOut()
                                    + " levels is usable: the load generator was the limit, a tester was lost, or no call succeeded");
        }
        if (capacity.closed() == (asked.clients == null)) {
            return Optional.of("its levels are "
                    + (capacity.closed() ? "numbers of clients; use --clients" : "rates; use --rate"));
        }
        if (best.isEmpty()) {
            return Optional.of("it has " + capacity.points().size() + " usable levels, but a model needs at least "
                    + FittedModel.FEWEST_LEVELS);
        }
        return best.get().refusal(load);
    }

    private String asked() {
        return asked.clients != null ? Numbers.count(asked.clients, "client") : String.valueOf(asked.rate);
    }

    private double load() throws UsageException {
        if (asked.clients != null) {
            if (asked.clients < 1) {
                throw new UsageException("--clients: expected at least 1, got " + asked.clients);
            }
            return asked.clients;
        }
        String rate = asked.rate;
        if (rate == null) {
            throw new UsageException("predict: expected --clients N or --rate R, got neither");
        }
        return UsageException.reading("--rate", () -> Quantity.rate(rate));
    }
}
