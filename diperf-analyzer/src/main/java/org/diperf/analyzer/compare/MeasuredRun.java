package org.diperf.analyzer.compare;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.diperf.analyzer.Analyzer;
import org.diperf.analyzer.measure.Value;
import org.diperf.analyzer.result.Analysis;
import org.diperf.analyzer.result.Summary;
import org.diperf.analyzer.stats.Range;
import org.diperf.analyzer.stats.Uncertainty;
import org.diperf.core.run.Warning;
import org.jspecify.annotations.Nullable;

/**
 * One run as it is compared.
 *
 * @param name for people: its folder, or its place among trials
 * @param batches of its measured part; {@code null}: nothing was measured
 * @param summary its numbers; {@code null}: those of the batches
 * @param verdict of the run: {@code valid}, {@code suspect} or {@code failed}
 * @param warnings of the run
 * @param analysis for pictures; {@code null}: there are none of it
 */
public record MeasuredRun(
        String name,
        @Nullable CallBatches batches,
        @Nullable Summary summary,
        String verdict,
        List<Warning> warnings,
        @Nullable Analysis analysis) {

    /** Batches that a run is cut into. */
    public static final int BATCHES = 128;

    public MeasuredRun {
        warnings = List.copyOf(warnings);
    }

    /** Makes a run of batches alone, whose numbers can be trusted. */
    static MeasuredRun of(String name, CallBatches batches) {
        return new MeasuredRun(name, batches, null, "valid", List.of(), null);
    }

    /**
     * Analyses a run again, from its samples.
     *
     * @throws IOException when it is no run directory, or cannot be read
     */
    public static MeasuredRun read(String name, Path runDir) throws IOException {
        Analysis analysis = Analyzer.analyze(runDir, Analyzer.Options.AS_RECORDED);
        Summary summary = analysis.summary();
        return new MeasuredRun(
                name,
                CallBatches.read(runDir, analysis, BATCHES),
                summary,
                summary.verdict(),
                summary.warnings(),
                analysis);
    }

    /** Returns the same run without what pictures are made of, which takes most of the memory. */
    public MeasuredRun withoutPictures() {
        return new MeasuredRun(name, batches, summary, verdict, warnings, null);
    }

    long okCalls() {
        long calls = 0;
        for (int i = 0; batches != null && i < batches.size(); i++) {
            calls += batches.ok(i);
        }
        return calls;
    }

    /** Returns the length of what was measured; 0: nothing was. */
    double seconds() {
        return batches == null ? 0 : batches.batchSeconds() * batches.size();
    }

    /** Returns the share of the mean response time that calls waited before they were sent. */
    double lagShare() {
        double lag = 0;
        double response = 0;
        for (int i = 0; batches != null && i < batches.size(); i++) {
            lag += batches.lagSum(i);
            response += batches.responseSum(i);
        }
        return response > 0 ? lag / response : 0;
    }

    /**
     * Returns between which multiples of a metric it would lie without what the load generator may have added; both 1 where that is not
     * known.
     */
    Range withoutGenerator(Metric metric) {
        Summary.Window measured = summary == null ? null : summary.measured();
        Value value =
                measured == null || metric.isShare() ? null : metric.measure().of(measured);
        Uncertainty range = value instanceof Value.Amount amount ? amount.range() : null;
        Range instrument = range == null ? null : range.parts().get(Uncertainty.INSTRUMENT);
        return instrument != null && value instanceof Value.Amount amount && amount.number() > 0
                ? new Range(instrument.low() / amount.number(), instrument.high() / amount.number())
                : new Range(1, 1);
    }

    /**
     * Returns every metric, by {@link Metric#ordinal}: as the summary has it, so that it is the same number everywhere.
     *
     * @param told by the batches; what is {@code NaN} there stays
     */
    double[] values(double[] told) {
        double[] values = told.clone();
        Summary.Window measured = summary == null ? null : summary.measured();
        if (measured == null) {
            return values;
        }
        for (Metric metric : Metric.all()) {
            boolean known = metric == Metric.THROUGHPUT || metric.measure().statistic() != null;
            Value value = known ? metric.measure().of(measured) : null;
            if (value instanceof Value.Amount amount && !Double.isNaN(values[metric.ordinal()])) {
                values[metric.ordinal()] = amount.number();
            }
        }
        return values;
    }
}
