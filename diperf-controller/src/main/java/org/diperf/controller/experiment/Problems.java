package org.diperf.controller.experiment;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.UnaryOperator;

/** Collects what is wrong with a file, so that all of it can be said at once. Confined to one thread. */
final class Problems {

    /** More than so many are of no help. */
    static final int MOST = 20;

    private final List<Problem> found = new ArrayList<>();

    private UnaryOperator<String> mask = UnaryOperator.identity();

    private record Problem(SourcePosition position, String text) {}

    void add(SourcePosition position, String text) {
        found.add(new Problem(position, text));
    }

    /** Adds a problem of one key. */
    void add(SourcePosition position, String path, String text) {
        add(position, path.isEmpty() ? text : path + ": " + text);
    }

    /** Hides in all problems what this hides when they are told. */
    void hide(UnaryOperator<String> hiding) {
        mask = hiding;
    }

    boolean any() {
        return !found.isEmpty();
    }

    int count() {
        return found.size();
    }

    /** Ends the reading if anything is wrong. */
    void check() throws ExperimentException {
        if (found.isEmpty()) {
            return;
        }
        // Those of a --set have no line and come last.
        List<String> lines = found.stream()
                .sorted(Comparator.<Problem>comparingInt(
                                p -> p.position.line() == 0 ? Integer.MAX_VALUE : p.position.line())
                        .thenComparingInt(p -> p.position.column()))
                .map(p -> mask.apply(p.position + ": " + p.text))
                .distinct()
                .limit(MOST)
                .toList();
        if (found.size() > MOST) {
            lines = new ArrayList<>(lines);
            lines.add((found.size() - MOST) + " more problems are not shown");
        }
        throw new ExperimentException(lines);
    }
}
