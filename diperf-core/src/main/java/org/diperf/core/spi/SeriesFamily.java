package org.diperf.core.spi;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Series of one name, of a run under way, at one instant. Counts grow from the start of the run on, and can be added up over
 * labels; times are in seconds. Immutable.
 *
 * @param name by the conventions of Prometheus: with its unit, counters end in {@code _total}
 * @param kind what the numbers are
 * @param help one line
 * @param samples of different labels
 */
public record SeriesFamily(String name, Kind kind, String help, List<Sample> samples) {

    public SeriesFamily {
        samples = List.copyOf(samples);
    }

    /** What numbers are. */
    public enum Kind {
        /** A count that only grows. */
        COUNTER,
        /** A value as it is now. */
        GAUGE,
        /** How many values lie where. */
        HISTOGRAM
    }

    /**
     * One series.
     *
     * @param labels name to value, in order
     * @param value of a histogram the sum of its values
     * @param histogram of a histogram; {@code null}: it is none
     */
    public record Sample(
            Map<String, String> labels,
            double value,
            @Nullable Histogram histogram) {

        public Sample {
            labels = Collections.unmodifiableMap(new LinkedHashMap<>(labels));
        }
    }

    /**
     * How many values lie where, told twice: by fixed limits, and by limits that grow by 2<sup>1/8</sup> (9 %) from one to the next, as
     * native and exponential histograms of scale 3 have them.
     *
     * @param limits upper ones of the fixed buckets, ascending; the last bucket has none
     * @param counts values of each fixed bucket, one more than limits
     * @param firstFine number of the first fine bucket; that of number i holds what is above 2<sup>i/8</sup>, up to 2<sup>(i+1)/8</sup>
     * @param fine values of each fine bucket; what is beyond is counted at the edge
     */
    public record Histogram(List<Double> limits, List<Long> counts, int firstFine, List<Long> fine) {

        /** Fine buckets an octave, as a power of two. */
        public static final int SCALE = 3;

        public Histogram {
            limits = List.copyOf(limits);
            counts = List.copyOf(counts);
            fine = List.copyOf(fine);
            if (counts.size() != limits.size() + 1) {
                throw new IllegalArgumentException(
                        "Expected one more bucket than limits, got " + counts.size() + " and " + limits.size());
            }
        }

        /** Counts all values. */
        public long count() {
            return counts.stream().mapToLong(Long::longValue).sum();
        }
    }

    /** Gathers the samples of a family. Confined to one thread. */
    public static final class Builder {

        private final String name;
        private final Kind kind;
        private final String help;
        private final List<Sample> samples = new ArrayList<>();

        /**
         * @param name of the family
         * @param kind of its numbers
         * @param help one line
         */
        public Builder(String name, Kind kind, String help) {
            this.name = name;
            this.kind = kind;
            this.help = help;
        }

        /**
         * Adds a number.
         *
         * @param labels name, value, name, value
         */
        public Builder add(double value, String... labels) {
            samples.add(new Sample(labels(labels), value, null));
            return this;
        }

        /**
         * Adds a histogram.
         *
         * @param sum of its values
         * @param labels name, value, name, value
         */
        public Builder add(Histogram histogram, double sum, String... labels) {
            samples.add(new Sample(labels(labels), sum, histogram));
            return this;
        }

        private static Map<String, String> labels(String... pairs) {
            Map<String, String> labels = new LinkedHashMap<>();
            for (int i = 0; i + 1 < pairs.length; i += 2) {
                labels.put(pairs[i], pairs[i + 1]);
            }
            return labels;
        }

        /** Returns the family. */
        public SeriesFamily build() {
            return new SeriesFamily(name, kind, help, samples);
        }
    }
}
