package org.diperf.analyzer.compare;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * Sets of runs, compared with one of them, or each with one of its own.
 *
 * @param sides in the order in which they are shown
 * @param contrasts one a side that is compared with another
 * @param verdict over all
 * @param obstacles why its numbers decide nothing, one line each, such as a suspect run; mostly none
 * @param notes what to keep in mind of all of them, one line each
 * @param settings what was asked
 */
public record Comparison(
        List<Side> sides,
        List<Contrast> contrasts,
        Verdict verdict,
        List<String> obstacles,
        List<String> notes,
        Settings settings) {

    /** Figures show so many sides, and so many runs of each; more would hide one another. */
    public static final int MAX_DRAWN = 8;

    /** Whether something got worse. */
    public enum Verdict {
        NOT_WORSE,
        WORSE,
        UNDECIDABLE;

        /** Returns the word that files have for it. */
        public String word() {
            return name().toLowerCase(Locale.ROOT).replace('_', '-');
        }
    }

    public Comparison {
        sides = List.copyOf(sides);
        contrasts = List.copyOf(contrasts);
        obstacles = List.copyOf(obstacles);
        notes = List.copyOf(notes);
    }

    /** Lists the sides that others are compared with. */
    public List<Side> baselines() {
        List<Side> baselines = new ArrayList<>();
        for (Contrast contrast : contrasts) {
            if (!baselines.contains(contrast.a())) {
                baselines.add(contrast.a());
            }
        }
        return baselines;
    }

    /** Lists why it is undecided, one line each: its obstacles, then what its numbers cannot tell. */
    public List<String> reasons() {
        return Stream.concat(
                        obstacles.stream(),
                        contrasts.stream().flatMap(contrast -> ComparisonText.undecided(contrast, settings).stream()))
                .toList();
    }

    /** Lists all that is to be kept in mind, each line once. */
    public List<String> allNotes() {
        return Stream.concat(contrasts.stream().flatMap(contrast -> contrast.caveats().stream()), notes.stream())
                .distinct()
                .toList();
    }
}
