package org.diperf.analyzer.measure;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.diperf.analyzer.measure.Quantity.Known;
import org.diperf.analyzer.measure.Quantity.Reading;
import org.diperf.analyzer.measure.Scope.Split;
import org.diperf.analyzer.measure.Value.Amount;
import org.diperf.analyzer.result.AnnexSummary;
import org.diperf.analyzer.result.ClientSide;
import org.diperf.analyzer.result.ClientSide.MetricSummary;
import org.diperf.analyzer.result.PartCounts;
import org.diperf.analyzer.result.ShownAnnex.AnnexNumber;
import org.diperf.analyzer.result.Summary;
import org.diperf.analyzer.result.Summary.CallCounts;
import org.diperf.analyzer.result.Summary.ServerMetric;
import org.diperf.analyzer.stats.Statistic;
import org.diperf.analyzer.stats.Statistics;
import org.diperf.core.spi.NearestName;
import org.jspecify.annotations.Nullable;

/** The registry of all numbers of a run. What it finds can be answered by every run that measured it. */
public final class Measures {

    private static final List<Quantity> ALL = List.of(
            Quantity.times(List.of("response", "responseTime"), "response time", Known.ALWAYS, PartCounts::responseTime)
                    .andOfRequests(),
            Quantity.times(
                    List.of("responseTimeFailed", "responseFailed"),
                    "response time of failed calls",
                    Known.AFTERWARDS,
                    PartCounts::responseTimeFailed),
            Quantity.times(List.of("service", "serviceTime"), "service time", Known.IN_STAGES, PartCounts::serviceTime),
            Quantity.times(List.of("lag", "sendLag"), "send lag", Known.IN_STAGES, PartCounts::sendLag),
            Quantity.set(
                    List.of("processing", "processingTime"),
                    "processing time",
                    Known.OF_RUN,
                    "ms",
                    source -> source.run() == null ? null : source.run().processingTime()),
            Quantity.set(
                    List.of("firstCalls"),
                    "response time of first calls",
                    Known.OF_RUN,
                    "ms",
                    source -> ofClients(source.run(), ClientSide::firstCalls)),
            Quantity.set(
                    List.of("laterCalls"),
                    "response time of later calls",
                    Known.OF_RUN,
                    "ms",
                    source -> ofClients(source.run(), ClientSide::laterCalls)),
            Quantity.throughput(Known.ALWAYS, false).andOfRequests(),
            Quantity.throughput(Known.AFTERWARDS, true),
            Quantity.count("planned", "planned", Known.AFTERWARDS, CallCounts::planned, CallCounts::total),
            Quantity.count("sent", "sent", Known.AFTERWARDS, CallCounts::sent, CallCounts::total),
            Quantity.count("total", "calls", Known.ALWAYS, CallCounts::total, CallCounts::total)
                    .andOfRequests(),
            Quantity.count("ok", "ok calls", Known.ALWAYS, CallCounts::ok, CallCounts::total, -1)
                    .andOfRequests(),
            Quantity.count("failed", "failed calls", Known.ALWAYS, CallCounts::failed, CallCounts::total, 1)
                    .andOfRequests(),
            Quantity.count("timedOut", "timed out", Known.AFTERWARDS, CallCounts::timedOut, CallCounts::total),
            Quantity.count("dropped", "dropped", Known.ALWAYS, CallCounts::dropped, CallCounts::planned),
            Quantity.count("unfinished", "unfinished", Known.AFTERWARDS, CallCounts::unfinished, CallCounts::sent),
            Quantity.bytes(),
            Quantity.outcomes(),
            Quantity.ofRun("verdict", "verdict", "", Summary::verdict),
            Quantity.ofRun("durationSeconds", "duration", "s", Summary::durationSeconds),
            fairness("utilisationStddev", "standard deviation of utilisation", Summary.Fairness::utilisationStddev),
            fairness("jain", "fairness (Jain)", Summary.Fairness::jain),
            fairness("clients", "clients counted for fairness", Summary.Fairness::clients),
            clock("maxErrorBoundMicros", "µs", Summary.ClockSummary::maxErrorBoundMicros),
            clock("meanErrorBoundMicros", "µs", Summary.ClockSummary::meanErrorBoundMicros),
            clock("sources", "", Summary.ClockSummary::sources),
            clock("expectedErrorMicros", "µs", Summary.ClockSummary::expectedErrorMicros),
            clock("startSkewMicros.max", "µs", clock -> skew(clock, Summary.StartSkew::max)),
            clock("startSkewMicros.mean", "µs", clock -> skew(clock, Summary.StartSkew::mean)),
            clock("steps", "", Summary.ClockSummary::steps),
            Quantity.ofRun(
                    "testers.requested",
                    "testers requested",
                    "",
                    run -> run.testers().requested()),
            Quantity.ofRun(
                    "testers.started",
                    "testers started",
                    "",
                    run -> run.testers().started()),
            Quantity.ofRun(
                    "testers.lost", "testers lost", "", run -> run.testers().lost()),
            Quantity.ofRun(
                    "testers.replaced",
                    "testers replaced",
                    "",
                    run -> run.testers().replaced()),
            Quantity.ofRun(
                    "bandwidth.bytesPerSecond",
                    "payload",
                    "bytes/s",
                    run -> bandwidth(run, ClientSide.Bandwidth::bytesPerSecond)),
            Quantity.ofRun(
                    "bandwidth.megabitsPerSecond",
                    "payload",
                    "Mbit/s",
                    run -> bandwidth(run, ClientSide.Bandwidth::megabitsPerSecond)),
            Quantity.ofRun(
                    "saturation.clients",
                    "clients at saturation",
                    "",
                    run -> run.saturation() == null ? null : run.saturation().clients(),
                    run -> run.saturation() == null ? null : run.saturation().range()),
            Quantity.ofRun(
                    "search.found",
                    "load found by search",
                    "",
                    run -> run.search() == null ? null : run.search().found()),
            Quantity.family("metrics", "values measured by clients", List.of(), Quantity.SET, Measures::metric),
            Quantity.family(
                    "server",
                    "values seen by monitors",
                    List.of("mean", "min", "max"),
                    "\\.(?:mean|min|max)",
                    Measures::server),
            Quantity.named("annexes", "values from annexes", Measures::annex));

    private Measures() {}

    private static Quantity fairness(
            String name, String words, java.util.function.Function<Summary.Fairness, @Nullable Object> of) {
        return Quantity.ofRun(
                "fairness." + name,
                words,
                "",
                run -> run.fairness() == null ? null : of.apply(run.fairness()),
                run -> run.fairness() == null ? null : run.fairness().range(name));
    }

    private static Quantity clock(
            String name, String unit, java.util.function.Function<Summary.ClockSummary, @Nullable Object> of) {
        return Quantity.ofRun(
                "clock." + name, "clock " + name, unit, run -> run.clock() == null ? null : of.apply(run.clock()));
    }

    private static @Nullable Object skew(
            Summary.ClockSummary clock, java.util.function.ToDoubleFunction<Summary.StartSkew> of) {
        Summary.StartSkew skew = clock.startSkewMicros();
        return skew == null ? null : (Object) of.applyAsDouble(skew);
    }

    private static @Nullable Object bandwidth(
            Summary run, java.util.function.ToDoubleFunction<ClientSide.Bandwidth> of) {
        ClientSide side = run.clientSide();
        return side == null || side.bandwidth() == null ? null : (Object) of.applyAsDouble(side.bandwidth());
    }

    private static @Nullable Statistics ofClients(
            @Nullable Summary run, java.util.function.Function<ClientSide, @Nullable Statistics> of) {
        ClientSide side = run == null ? null : run.clientSide();
        return side == null ? null : of.apply(side);
    }

    private static @Nullable Value metric(Summary run, String name, String statistic) {
        ClientSide side = run.clientSide();
        Map<String, MetricSummary> metrics = side == null ? null : side.metrics();
        MetricSummary metric = metrics == null ? null : metrics.get(name);
        if (metric == null) {
            return null;
        }
        Statistics values = metric.values();
        if (statistic.equals("count")) {
            return Quantity.amount(values.count(), "", 0);
        }
        Statistic named = Statistic.named(statistic).orElse(null);
        double value = named == null ? Double.NaN : values.of(named);
        return named == null || Double.isNaN(value)
                ? null
                : new Amount(value, metric.unit(), values.count(), values.rangeToJudge(named));
    }

    private static @Nullable Value annex(Summary run, String path) {
        int dot = path.indexOf('.');
        AnnexSummary annex =
                run.annexes() == null || dot < 0 ? null : run.annexes().get(path.substring(0, dot));
        AnnexNumber number = annex == null ? null : annex.numbers().get(path.substring(dot + 1));
        return number == null ? null : Quantity.amount(number.value(), number.unit(), 0);
    }

    /** Finds a statistic of a monitor's metric: by its monitor's name, or of the first monitor that has it. */
    private static @Nullable Value server(Summary run, String name, String statistic) {
        Summary.ServerSummary side = run.serverSide();
        if (side == null || side.server() == null) {
            return null;
        }
        ServerMetric found = null;
        for (var monitor : side.server().entrySet()) {
            ServerMetric exact = name.startsWith(monitor.getKey() + ".")
                    ? monitor.getValue().get(name.substring(monitor.getKey().length() + 1))
                    : null;
            if (exact != null) {
                found = exact;
                break;
            }
            found = found == null ? monitor.getValue().get(name) : found;
        }
        if (found == null) {
            return null;
        }
        double value = switch (statistic) {
            case "min" -> found.min();
            case "max" -> found.max();
            default -> found.mean();
        };
        return Quantity.amount(value, found.unit(), 0);
    }

    /** Finds what a path asks of a run that is over. */
    public static Optional<Measure> find(String path) {
        return find(path, MeasureSource.SUMMARY);
    }

    /** Finds what a path asks of a source; empty where that cannot answer it. */
    public static Optional<Measure> find(String path, MeasureSource source) {
        Split split = Scope.split(path);
        if (split == null || source != MeasureSource.SUMMARY && !split.scope().equals(Scope.MEASURED)) {
            return Optional.empty();
        }
        for (Quantity quantity : ALL) {
            Reading reading = isAsked(quantity, split.scope(), source) ? quantity.reading(split.rest()) : null;
            if (reading != null) {
                return Optional.of(new Measure(split.scope(), quantity, reading));
            }
        }
        return Optional.empty();
    }

    private static boolean isAsked(Quantity quantity, Scope scope, MeasureSource source) {
        return quantity.known().in(source)
                && (quantity.known() != Known.OF_RUN || scope.isRun())
                && (scope.of() != Scope.Of.REQUEST && scope.of() != Scope.Of.JOURNEY || quantity.isOfRequests());
    }

    /**
     * Answers what an expression asks of a run that is over.
     *
     * @return a {@link Double} or a {@link String}; {@code null}: there is no such path, or the run did not measure it
     */
    public static @Nullable Object raw(Summary run, String path) {
        return find(path).map(measure -> measure.of(run)).map(Value::raw).orElse(null);
    }

    /** Returns what a path asks for, which must be one that {@link #find(String)} finds. */
    public static Measure of(String path) {
        return find(path).orElseThrow(() -> new IllegalArgumentException("No measure '" + path + "'"));
    }

    /** Lists the paths of a source, without scopes and families, for messages and schemas. */
    public static List<String> names(MeasureSource source) {
        return ALL.stream()
                .filter(quantity -> quantity.known().in(source))
                .flatMap(quantity -> quantity.names().stream()
                        .filter(name -> !name.startsWith("calls."))
                        .flatMap(name -> quantity.listed().stream()
                                .map(statistic -> statistic.isEmpty() ? name : name + "." + statistic)))
                .distinct()
                .toList();
    }

    /** Suggests what was meant by a path that is none: {@code ". Did you mean 'x'?"}, or an empty string. */
    public static String suggestion(String path, MeasureSource source) {
        String ofResponse = "response." + path;
        if (find(ofResponse, source).isPresent()) {
            return ". Did you mean '" + ofResponse + "'?";
        }
        return NearestName.suggestion(path, names(source));
    }

    /** Returns a regular expression of all paths that {@link #find} finds in a source. */
    public static String pattern(MeasureSource source) {
        if (source != MeasureSource.SUMMARY) {
            return "(?:measured\\.)?"
                    + patterns(ALL.stream()
                            .filter(quantity -> quantity.known().in(source))
                            .toList());
        }
        return "(?:" + Scope.partsPattern() + patterns(ofParts()) + "|" + Scope.requestsPattern()
                + patterns(ALL.stream().filter(Quantity::isOfRequests).toList()) + "|" + Scope.runPattern()
                + patterns(ALL.stream()
                        .filter(quantity -> quantity.known() == Known.OF_RUN)
                        .toList())
                + ")";
    }

    private static List<Quantity> ofParts() {
        return ALL.stream().filter(quantity -> quantity.known() != Known.OF_RUN).toList();
    }

    private static String patterns(Collection<Quantity> quantities) {
        return quantities.stream().map(Quantity::pattern).collect(Collectors.joining("|", "(?:", ")"));
    }
}
