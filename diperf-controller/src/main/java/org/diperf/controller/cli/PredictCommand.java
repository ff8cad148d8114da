package org.diperf.controller.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.diperf.analyzer.Analyzer;
import org.diperf.analyzer.model.FittedModel;
import org.diperf.analyzer.model.Prediction;
import org.diperf.analyzer.result.Analysis;
import org.diperf.analyzer.result.Capacity;
import org.diperf.analyzer.text.CapacityWords;
import org.diperf.analyzer.text.Numbers;
import org.diperf.controller.probe.RunTransfers;
import org.diperf.core.forecast.TransferForecast;
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
                    + " levels (load.levels or load.search), or what a transfer of so many bytes will take, from a run"
                    + " of transfers of a few sizes, one after another; or says why the run does not support a"
                    + " prediction.",
            ""
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  diperf predict --clients 48                    from runs/latest",
            "  diperf predict runs/latest --rate 900",
            "  diperf predict runs/transfers --bytes 256MB,1GB",
            "",
            "Exit codes: 0 a prediction; 2 bad usage; 3 no run there, or it does not support a prediction.",
        })
final class PredictCommand extends Subcommand {

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

        @Option(
                names = {"-b", "--bytes"},
                paramLabel = "SIZE",
                split = ",",
                description = "Predict how long transfers of these sizes take, such as 64MB,1GB.")
        @Nullable
        List<String> bytes;
    }

    @ArgGroup(multiplicity = "0..1")
    Asked asked = new Asked();

    @Override
    public Integer call() throws Exception {
        if (asked.bytes != null) {
            List<Long> bytes = sizes(asked.bytes);
            return transfers(RunFolders.given(named, spec), bytes);
        }
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
        out.println(asked() + ", by the " + CapacityWords.name(best.get().model()) + " ("
                + CapacityWords.parameters(best.get().model()) + ")");
        out.println();
        out.println(" what              expected   19 of 20 within");
        out.println(row("throughput /s", said.perSecond(), said.perSecondLow(), said.perSecondHigh(), 1));
        out.println(row(
                "mean response ms",
                said.responseSeconds(),
                said.responseSecondsLow(),
                said.responseSecondsHigh(),
                1e3));
        out.println();
        out.println(" " + CapacityWords.model(analysis));
        String knee = CapacityWords.knee(analysis);
        if (!knee.isEmpty()) {
            out.println(" " + knee);
        }
        return ExitCode.DONE;
    }

    private int transfers(Path runDir, List<Long> bytes) throws IOException {
        RunTransfers run;
        try {
            run = RunTransfers.of(runDir);
        } catch (RunTransfers.UnfitException e) {
            stderr().println("diperf predict: this run does not show how long a transfer takes: " + e.getMessage());
            return ExitCode.NOT_CARRIED_OUT;
        }
        PrintWriter out = stdout();
        long[] sizes = run.sizes();
        out.println("transfers, from " + Numbers.count(run.rounds(), "round") + " of "
                + LongStream.of(sizes).mapToObj(Numbers::bytes).collect(Collectors.joining(", ")));
        out.println();
        out.println(ProbeText.row("a transfer of", "takes", "9 of 10 within", ""));
        boolean told = false;
        for (long each : bytes) {
            TransferForecast time = run.forecast(each);
            out.println(ProbeText.transfer(Numbers.bytes(each), time, each, sizes[sizes.length - 1]));
            told |= time.reason() == null;
        }
        return told ? ExitCode.DONE : ExitCode.NOT_CARRIED_OUT;
    }

    private static List<Long> sizes(List<String> given) throws UsageException {
        List<Long> sizes = new ArrayList<>();
        for (String each : given) {
            sizes.add(UsageException.reading("--bytes", () -> Quantity.size(each)));
        }
        if (sizes.stream().anyMatch(each -> each < 1)) {
            throw new UsageException("--bytes: expected at least 1 byte, got " + given);
        }
        return sizes;
    }

    private static String row(String what, double expected, double low, double high, double factor) {
        if (Double.isInfinite(expected)) {
            return String.format(
                    Locale.ROOT, " %-16s %9s   the queue grows as long as the load lasts", what, "endless");
        }
        return String.format(
                Locale.ROOT, " %-16s %9.4g   %.4g to %.4g", what, expected * factor, low * factor, high * factor);
    }

    private Optional<String> refusal(Capacity capacity, Optional<FittedModel> best, double load) {
        if (capacity.points().isEmpty()) {
            return Optional.of(
                    capacity.leftOut() == 0
                            ? "it has no levels; run one with load.levels"
                            : "none of its " + capacity.leftOut()
                                    + " levels counts: the load generator was the limit, a"
                                    + " tester was lost, or no call succeeded");
        }
        if (capacity.closed() == (asked.clients == null)) {
            return Optional.of(
                    "its levels are " + (capacity.closed() ? "clients: ask with --clients" : "rates: ask with --rate"));
        }
        if (best.isEmpty()) {
            return Optional.of("it has " + capacity.points().size() + " levels that count, and a model needs at least "
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
            throw new UsageException(
                    "predict: for which load? Name --clients N or --rate R; or --bytes SIZE for a transfer");
        }
        return UsageException.reading("--rate", () -> Quantity.rate(rate));
    }
}
