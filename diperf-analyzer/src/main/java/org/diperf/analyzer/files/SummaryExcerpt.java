package org.diperf.analyzer.files;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.diperf.analyzer.result.Summary.ThresholdResult;
import org.diperf.core.folder.PlainFile;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.json.JsonMapper;

/**
 * What a list of many runs says of one: a few fields of its {@code summary.json}, names and units as there. To read these alone takes a
 * tenth of the time that the whole {@link org.diperf.analyzer.result.Summary} takes.
 *
 * @param measured the part that thresholds are judged over; {@code null}: the whole run
 */
public record SummaryExcerpt(
        String experiment,
        @Nullable String startedAt,
        double durationSeconds,
        Calls calls,
        @Nullable Rate throughput,
        @Nullable Times responseTime,
        @Nullable Part measured,
        List<ThresholdResult> thresholds,
        String verdict) {

    private static final JsonMapper MAPPER = JsonMapper.builder()
            .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .disable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
            .build();

    /** Calls that ended. */
    public record Calls(long total, long failed) {}

    /** Ok calls a second. */
    public record Rate(double mean) {}

    /** Percentiles of the ok calls' response times, ms; {@code null} where they are not in the file. */
    public record Times(@Nullable Double p50, @Nullable Double p99) {}

    /** A part of the run. */
    public record Part(@Nullable Rate throughput, @Nullable Times responseTime) {}

    /**
     * Reads the summary of a run.
     *
     * @throws IOException when it is none, or a damaged one
     */
    public static SummaryExcerpt read(Path file) throws IOException {
        try {
            SummaryExcerpt head = MAPPER.readValue(PlainFile.read(file, PlainFile.MAX_JSON), SummaryExcerpt.class);
            if (head.experiment == null || head.calls == null || head.verdict == null) {
                throw new IOException(file + " is not a run summary");
            }
            if (head.thresholds == null) {
                return head.without();
            }
            if (head.thresholds.stream().anyMatch(Objects::isNull)) {
                throw new IOException(file + " is damaged: expected thresholds, got null");
            }
            return head;
        } catch (JacksonException e) {
            throw new IOException(file + " is not a run summary, or is damaged: " + e.getOriginalMessage(), e);
        }
    }

    /** Returns how the run ended, in words. */
    public String verdictAndThresholds() {
        boolean fails = thresholds.stream().anyMatch(ThresholdResult::fails);
        boolean open = thresholds.stream().anyMatch(ThresholdResult::open);
        return verdict + (fails ? ", threshold failed" : open ? ", threshold undecided" : "");
    }

    /** Returns ok calls a second of the measured part; {@code NaN}: not known. */
    public double rate() {
        Rate of = measured == null ? throughput : measured.throughput();
        return of == null ? Double.NaN : of.mean();
    }

    /** Returns the share of failed calls among all; {@code NaN}: there were none. */
    public double failedShare() {
        return calls.total() == 0 ? Double.NaN : (double) calls.failed() / calls.total();
    }

    /** Returns the median of the measured part's response times, ms; {@code NaN}: not known. */
    public double p50Ms() {
        Times of = times();
        return of == null || of.p50() == null ? Double.NaN : of.p50();
    }

    /** Returns the 99th percentile of the measured part's response times, ms; {@code NaN}: not known. */
    public double p99Ms() {
        Times of = times();
        return of == null || of.p99() == null ? Double.NaN : of.p99();
    }

    private @Nullable Times times() {
        return measured == null ? responseTime : measured.responseTime();
    }

    private SummaryExcerpt without() {
        return new SummaryExcerpt(
                experiment, startedAt, durationSeconds, calls, throughput, responseTime, measured, List.of(), verdict);
    }
}
