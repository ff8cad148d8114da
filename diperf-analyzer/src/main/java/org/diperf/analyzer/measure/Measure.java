package org.diperf.analyzer.measure;

import java.util.List;
import java.util.stream.Stream;
import org.diperf.analyzer.measure.Quantity.Reading;
import org.diperf.analyzer.measure.Quantity.Source;
import org.diperf.analyzer.result.PartCounts;
import org.diperf.analyzer.result.Summary;
import org.diperf.analyzer.stats.Statistic;
import org.jspecify.annotations.Nullable;

/** One number that can be asked of a run: a statistic of a quantity over a scope. Found by its path in {@link Measures}. */
public final class Measure {

    private final Scope scope;
    private final Quantity quantity;
    private final Reading reading;

    Measure(Scope scope, Quantity quantity, Reading reading) {
        this.scope = scope;
        this.quantity = quantity;
        this.reading = reading;
    }

    /** Returns the path in its usual form, such as {@code response.p99} for {@code measured.responseTime.p99}. */
    public String path() {
        return scope.prefix() + quantity.name() + (reading.name().isEmpty() ? "" : "." + reading.name());
    }

    /** Lists all its paths that name no scope, the usual one first. */
    public List<String> names() {
        Statistic statistic = reading.statistic();
        Stream<String> statistics =
                statistic == null ? Stream.of(reading.name()) : Stream.of(statistic.path(), statistic.key());
        List<String> ends = (statistic != null && statistic.equals(Statistic.P50)
                        ? Stream.concat(statistics, Stream.of("median"))
                        : statistics)
                .distinct()
                .toList();
        return quantity.names().stream()
                .flatMap(name -> ends.stream().map(end -> end.isEmpty() ? name : name + "." + end))
                .toList();
    }

    /** Says it for people, without its scope: {@code response time p99}. */
    public String words() {
        String statistic = reading.name();
        return quantity.words()
                + (statistic.isEmpty()
                                || statistic.equals("mean") && quantity.name().equals("throughput")
                        ? ""
                        : " " + statistic);
    }

    /** Returns the unit as people write it; empty for counts, shares, words and what the run alone knows. */
    public String unit() {
        return reading.unit();
    }

    /**
     * Returns whether it can be compared with a number in a unit.
     *
     * @param other as {@link org.diperf.core.expression.Expression.Asked#unit} has it; empty, for a plain number, always fits
     */
    public boolean isComparableIn(String other) {
        // What clients and monitors measure is in units that the run alone knows; of a share only a count has one.
        boolean isOpen = quantity.listed().isEmpty();
        return isOpen
                || other.isEmpty()
                || other.equals("%")
                || other.equals(unit())
                || other.equals("/s") && unit().equals("calls/s")
                || other.equals("bytes") && unit().equals("bytes/s");
    }

    /** Returns whether it is of the calls of a part of a run, so that it matters which; else it is of the run as a whole. */
    public boolean isOfParts() {
        return quantity.known() != Quantity.Known.OF_RUN;
    }

    public Scope scope() {
        return scope;
    }

    public Quantity quantity() {
        return quantity;
    }

    /** Returns the statistic of a set of values; {@code null}: it is none. */
    public @Nullable Statistic statistic() {
        return reading.statistic();
    }

    /** Returns whether it counts calls, so that half the calls make half of it. */
    public boolean isCount() {
        return reading.counts();
    }

    /** Answers for a run that is over; {@code null}: the run did not measure it. */
    public @Nullable Value of(Summary run) {
        return reading.of().apply(new Source(run, scope.in(run)));
    }

    /** Answers for a part of a run, whatever the scope; {@code null}: it was not measured there. */
    public @Nullable Value of(PartCounts part) {
        return reading.of().apply(new Source(null, part));
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Measure measure && measure.path().equals(path());
    }

    @Override
    public int hashCode() {
        return path().hashCode();
    }

    @Override
    public String toString() {
        return path();
    }
}
