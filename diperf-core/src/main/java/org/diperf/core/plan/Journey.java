package org.diperf.core.plan;

import java.util.List;

/**
 * What one iteration of a client does, compiled: moves that are followed one after another from the first, jumps among them.
 * Loops and groups within one another have numbers, so that whoever follows it needs no more room than these many.
 * Immutable.
 *
 * @param name in the results
 * @param weight its share of the iterations, relative to the other journeys; 0: only others go through it
 * @param group number of the group that is the whole of it, among those of the script
 * @param first number of the request that its first call makes, whatever its conditions say
 * @param moves at least one
 */
public record Journey(String name, double weight, int group, int first, List<Move> moves) {

    public Journey {
        moves = List.copyOf(moves);
        if (!(weight >= 0) || moves.isEmpty()) {
            throw new IllegalArgumentException("Journey: expected a weight of at least 0 and at least one move, got "
                    + weight + " and " + moves.size() + " moves");
        }
    }

    /** Counts its loops: each has a number from 0 to one less. */
    public int loops() {
        return (int) moves.stream().filter(Move.Repeat.class::isInstance).count();
    }

    /** Counts its groups: no more can be open at a time. */
    public int groups() {
        return (int) moves.stream().filter(Move.Enter.class::isInstance).count();
    }

    /** Returns whether a class does it. */
    public boolean isCode() {
        return moves.stream().anyMatch(Move.Code.class::isInstance);
    }

    /** One thing that a journey does. Places are of {@link Journey#moves}, from 0. */
    public sealed interface Move
            permits Move.Request,
                    Move.Pause,
                    Move.Set,
                    Move.When,
                    Move.Repeat,
                    Move.Again,
                    Move.Enter,
                    Move.Leave,
                    Move.Code {

        /**
         * Makes a call, and goes on when it has ended.
         *
         * @param request number among those of the script
         */
        record Request(int request) implements Move {}

        /** Pauses: the next call is due that long after the end of the one before. */
        record Pause(ThinkTime think) implements Move {}

        /**
         * Gives a value to a name.
         *
         * @param value text in which values are filled in
         */
        record Set(String name, String value) implements Move {}

        /**
         * Goes on if a condition holds.
         *
         * @param condition such as {@code ${stock} > 0}: text, operator, text
         * @param otherwise place to go on at if it does not
         */
        record When(String condition, int otherwise) implements Move {}

        /**
         * Begins a loop; what is behind it is done {@code least} to {@code most} times.
         *
         * @param loop its number
         * @param behind place behind the loop, where it is done no time at all
         */
        record Repeat(int loop, long least, long most, int behind) implements Move {

            public Repeat {
                if (least < 0 || least > most) {
                    throw new IllegalArgumentException(
                            "Loop: expected 0 <= least <= most, got " + least + " to " + most);
                }
            }
        }

        /** Goes back to the first move of a loop until it has been done often enough. */
        record Again(int loop, int from) implements Move {}

        /**
         * Begins a group.
         *
         * @param group number among those of the script
         */
        record Enter(int group) implements Move {}

        /** Ends the group that was begun last. */
        record Leave() implements Move {}

        /**
         * Does what a class says, which makes calls as it likes.
         *
         * @param type name of the class, a {@link org.diperf.core.spi.JavaJourney}
         * @param first number of the first of its requests, which follow one another
         * @param count of its requests, at least 1
         * @param values names to which it gives values
         */
        record Code(String type, int first, int count, List<String> values) implements Move {

            public Code {
                values = List.copyOf(values);
                if (first < 0 || count < 1) {
                    throw new IllegalArgumentException(
                            "Code: expected count >= 1 and first >= 0, got count=" + count + ", first=" + first);
                }
            }
        }
    }
}
