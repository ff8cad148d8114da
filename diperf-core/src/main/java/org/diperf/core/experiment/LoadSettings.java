package org.diperf.core.experiment;

import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.Function;
import org.diperf.core.plan.ClientLifetimes;
import org.diperf.core.plan.Load;
import org.jspecify.annotations.Nullable;

/** The load that is offered over a whole run. */
public sealed interface LoadSettings {

    /** Names the model: {@code closed} or {@code open}. */
    String model();

    /** Counts the simulated clients at most: concurrent callers in closed load, calls in flight in open load. */
    int clients();

    /** Bounds one call. */
    long timeoutNanos();

    /** Returns the time until no more calls begin, where it is known before the run. */
    OptionalLong lengthNanos();

    /** Returns the longest time until no more calls begin; empty where nothing but the service bounds it. */
    OptionalLong longestNanos();

    /**
     * One load from begin to end.
     *
     * @param load whose lives are {@link ClientLifetimes#UNBOUNDED} where only a quota ends it
     */
    record Single(Load load) implements LoadSettings {

        @Override
        public String model() {
            return load.model();
        }

        @Override
        public int clients() {
            return load.clients();
        }

        @Override
        public long timeoutNanos() {
            return load.timeoutNanos();
        }

        /** A quota may end it before. */
        @Override
        public OptionalLong lengthNanos() {
            return load.isLimited() ? OptionalLong.empty() : longestNanos();
        }

        @Override
        public OptionalLong longestNanos() {
            return load.lengthNanos() < ClientLifetimes.UNBOUNDED
                    ? OptionalLong.of(load.lengthNanos())
                    : OptionalLong.empty();
        }
    }

    /**
     * A value of the load that moves from stage to stage.
     *
     * @param template whose value moves
     * @param stages one after another, at least one; the value is 0 before the first
     */
    record Stages(LoadTemplate template, List<Move> stages) implements LoadSettings {

        /**
         * @param value at the end of the stage, reached evenly; {@code null}: as at its begin
         * @param length of the stage, more than 0
         */
        public record Move(@Nullable Double value, Duration length) {}

        public Stages {
            stages = List.copyOf(stages);
        }

        @Override
        public String model() {
            return template.model();
        }

        @Override
        public int clients() {
            return stages.stream()
                    .mapToInt(stage -> template.clients(stage.value() == null ? 0 : stage.value()))
                    .max()
                    .orElse(0);
        }

        @Override
        public long timeoutNanos() {
            return template.timeoutNanos();
        }

        @Override
        public OptionalLong lengthNanos() {
            return OptionalLong.of(
                    stages.stream().mapToLong(stage -> stage.length().toNanos()).sum());
        }

        @Override
        public OptionalLong longestNanos() {
            return lengthNanos();
        }
    }

    /**
     * Loads side by side, each of a group of testers.
     *
     * @param groups in the order of the file, at least one
     */
    record Groups(List<Group> groups) implements LoadSettings {

        public Groups {
            groups = List.copyOf(groups);
        }

        /** Names the one model of all groups; {@code mixed} where they have different ones. */
        @Override
        public String model() {
            List<String> models = groups.stream()
                    .map(group -> group.load().model())
                    .distinct()
                    .toList();
            return models.size() == 1 ? models.get(0) : "mixed";
        }

        @Override
        public int clients() {
            return groups.stream().mapToInt(group -> group.load().clients()).sum();
        }

        /** Counts the testers of all groups. */
        public int testers() {
            return groups.stream().mapToInt(Group::testers).sum();
        }

        /** Returns the longest bound of all groups. */
        @Override
        public long timeoutNanos() {
            return groups.stream()
                    .mapToLong(group -> group.load().timeoutNanos())
                    .max()
                    .orElse(0);
        }

        @Override
        public OptionalLong lengthNanos() {
            return last(LoadSettings::lengthNanos);
        }

        @Override
        public OptionalLong longestNanos() {
            return last(LoadSettings::longestNanos);
        }

        private OptionalLong last(Function<LoadSettings, OptionalLong> length) {
            long last = 0;
            for (Group group : groups) {
                OptionalLong of = length.apply(group.load());
                if (of.isEmpty()) {
                    return of;
                }
                last = Math.max(last, group.startAfter().toNanos() + of.getAsLong());
            }
            return OptionalLong.of(last);
        }
    }

    /** Values that are held one after another. */
    sealed interface Held extends LoadSettings permits Levels, Search {

        /** At least as long is waited for a value to settle, where it does not. */
        Duration MIN_PATIENCE = Duration.ofSeconds(10);

        /** What is held. */
        LoadTemplate template();

        /** For how long a value is measured when it has settled. */
        Duration hold();

        /** For how long it is left to settle; {@code null}: judged from what is seen. */
        @Nullable
        Duration settle();

        /** Returns the longest time that a value may take to settle. */
        default Duration longestSettle() {
            Duration fixed = settle();
            if (fixed != null) {
                return fixed;
            }
            return hold().compareTo(MIN_PATIENCE) > 0 ? hold() : MIN_PATIENCE;
        }

        @Override
        default String model() {
            return template().model();
        }

        @Override
        default long timeoutNanos() {
            return template().timeoutNanos();
        }
    }

    /**
     * Given values, one after another.
     *
     * @param values in their order, at least one, each more than 0
     */
    record Levels(
            LoadTemplate template,
            List<Double> values,
            Duration hold,
            @Nullable Duration settle) implements Held {

        public Levels {
            values = List.copyOf(values);
        }

        @Override
        public int clients() {
            return values.stream().mapToInt(template::clients).max().orElse(0);
        }

        @Override
        public OptionalLong lengthNanos() {
            return settle == null ? OptionalLong.empty() : longestNanos();
        }

        @Override
        public OptionalLong longestNanos() {
            return OptionalLong.of(values.size() * longestSettle().plus(hold).toNanos());
        }
    }

    /**
     * The highest value that keeps some conditions, found by trying.
     *
     * @param from lowest value, more than 0
     * @param to highest value, at least {@code from}
     * @param conditions all of which must hold
     * @param precision how narrow the interval of the highest value that keeps them must get, as a share
     */
    record Search(
            LoadTemplate template,
            double from,
            double to,
            List<String> conditions,
            Duration hold,
            @Nullable Duration settle,
            double precision)
            implements Held {

        /** So many values are tried at most once one did not hold. */
        public static final int NEAR = 16;

        public Search {
            conditions = List.copyOf(conditions);
        }

        @Override
        public int clients() {
            return template.clients(to);
        }

        /** Counts the values that are tried at most: doubled up to the highest, that one twice, and those near the limit. */
        public int mostProbes() {
            return (int) Math.ceil(Math.log(to / from) / Math.log(2)) + 2 + NEAR;
        }

        @Override
        public OptionalLong lengthNanos() {
            return OptionalLong.empty();
        }

        @Override
        public OptionalLong longestNanos() {
            return OptionalLong.of(mostProbes() * (longestSettle().plus(hold).toNanos() + timeoutNanos()));
        }
    }
}
