package org.diperf.controller.experiment;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.diperf.core.plan.ThinkTime;
import org.diperf.core.spi.Quantity;
import org.jspecify.annotations.Nullable;

/** When a client of a closed load makes its next call. */
final class ThinkTimeKeys {

    static final Key<ThinkTime> THINK =
            Key.optional("think", new ThinkShape(), "pause between a client's calls; default: none");

    private static final Key<Duration> PACE = Key.optional(
            "pace",
            Quantities.duration(true),
            "instead of think: time between the starts of a client's calls, however long each takes; after "
                    + "a longer call, the next one starts immediately");

    /** All of them. */
    static final List<Key<?>> ALL = List.of(THINK, PACE);

    private ThinkTimeKeys() {}

    static ThinkTime think(FormValues given) {
        Duration pace = given.find(PACE);
        if (pace == null) {
            return given.getOr(THINK, ThinkTime.NONE);
        }
        if (given.has(THINK)) {
            given.problem(PACE, "expected either 'think' or 'pace', got both; drop one");
        }
        return new ThinkTime.Pace(pace.toNanos());
    }

    /** A duration, or a distribution of them. */
    private record ThinkShape() implements Shape<ThinkTime> {

        private static final Key<Duration> EXPONENTIAL =
                Key.optional("exponential", Quantities.duration(true), "mean of an exponential distribution");
        private static final Key<List<Duration>> UNIFORM = Key.optional(
                "uniform",
                new Shapes.ListOf<>("two durations [FROM, TO]", Quantities.duration(false), 2),
                "uniformly distributed between the two");
        private static final Fields DISTRIBUTION =
                Fields.of("{exponential: MEAN} or {uniform: [FROM, TO]}", EXPONENTIAL, UNIFORM);
        private static final Shape<Shapes.Either<Duration>> ANY =
                new Shapes.WordOrMapping<>(Quantities.duration(false), new Shapes.ExactlyOne(DISTRIBUTION));

        @Override
        public @Nullable ThinkTime read(Node node, String path, Problems problems) {
            Shapes.Either<Duration> read = ANY.read(node, path, problems);
            FormValues given = read == null ? null : read.mapping();
            if (read == null || given == null) {
                return read == null ? null : ThinkTime.fixed(requireNonNull(read.word()));
            }
            Duration mean = given.find(EXPONENTIAL);
            if (mean != null) {
                return new ThinkTime.Exponential(mean.toNanos());
            }
            List<Duration> pair = given.get(UNIFORM);
            if (pair.size() != 2 || pair.get(0).compareTo(pair.get(1)) > 0) {
                given.problem(UNIFORM, "expected [FROM, TO] with FROM at most TO, e.g. [0s, 2s]");
                return null;
            }
            return new ThinkTime.Uniform(pair.get(0).toNanos(), pair.get(1).toNanos());
        }

        @Override
        public Map<String, Object> schema() {
            return ANY.schema();
        }

        @Override
        public Object write(ThinkTime value) {
            if (value instanceof ThinkTime.Exponential exponential) {
                return Map.of(EXPONENTIAL.name(), words(exponential.meanNanos()));
            }
            if (value instanceof ThinkTime.Uniform uniform) {
                return Map.of(UNIFORM.name(), List.of(words(uniform.lowNanos()), words(uniform.highNanos())));
            }
            return words(value instanceof ThinkTime.Fixed fixed ? fixed.fixedNanos() : 0);
        }

        private static String words(long nanos) {
            return Quantity.format(Duration.ofNanos(nanos));
        }

        @Override
        public String expected() {
            return ANY.expected();
        }
    }
}
