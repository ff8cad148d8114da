package org.diperf.tester.engine.call;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.diperf.core.expression.Comparison;
import org.diperf.core.spi.Answer;
import org.diperf.core.spi.Call;
import org.diperf.core.spi.Names;
import org.jspecify.annotations.Nullable;

/**
 * What an answer must have for its call to be ok. Immutable.
 *
 * @param cause of a failure, the same for all calls: the check as it is written; an error of GraphQL follows it
 * @param what of the answer is looked at; {@code null}: only how long it took
 * @param demand what it must be
 */
record Check(String cause, @Nullable Capture what, CompiledCheck demand) {

    /** Makes the checks of a request from their texts. */
    static List<Check> of(Map<String, String> checks, long seed, Names names) {
        List<Check> made = new ArrayList<>();
        checks.forEach((what, must) -> {
            Comparison comparison = Comparison.parse(must);
            String cause = "check " + what + " " + comparison;
            switch (what) {
                case "time" ->
                    made.add(new Check(
                            cause, null, CompiledCheck.of(comparison.in(Comparison.Measure.TIME), seed, names)));
                case "size" ->
                    made.add(new Check(
                            cause,
                            Capture.Part.SIZE,
                            CompiledCheck.of(comparison.in(Comparison.Measure.SIZE), seed, names)));
                case "status" ->
                    made.add(new Check(cause, Capture.Part.STATUS, CompiledCheck.of(comparison, seed, names)));
                case "graphql" ->
                    made.add(new Check(cause, Capture.Part.GRAPHQL, CompiledCheck.of(comparison, seed, names)));
                case "body" -> made.add(new Check(cause, Capture.Part.BODY, CompiledCheck.of(comparison, seed, names)));
                default -> made.add(new Check(cause, Capture.parse(what), CompiledCheck.of(comparison, seed, names)));
            }
        });
        return List.copyOf(made);
    }

    /** Returns whether it needs the answer. */
    boolean readsAnswer() {
        return what != null;
    }

    /** Says what an answer does not have, as a failure's cause; {@code null}: it has it, or is not looked at. */
    @Nullable
    String fault(Answer answer, Call call) {
        String found = what == null ? null : what.of(answer);
        if (what == null || demand.holds(found, call)) {
            return null;
        }
        return what == Capture.Part.GRAPHQL ? cause + ": " + found : cause;
    }

    /**
     * Returns whether a call was quick enough; true where it looks at the answer.
     *
     * @param nanos from the intended start to the end
     */
    boolean holds(long nanos, Call call) {
        return what != null || demand.holds(Long.toString(nanos), call);
    }
}
