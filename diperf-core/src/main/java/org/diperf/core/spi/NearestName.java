package org.diperf.core.spi;

import java.util.Collection;
import java.util.Optional;

/** Finds the name that the user probably meant. */
public final class NearestName {

    private NearestName() {}

    /**
     * Suggests the nearest known name.
     *
     * @param found what was written
     * @param known what exists
     * @return {@code ". Did you mean 'x'?"}, or empty if nothing is close enough (more than a third of the letters
     *     differ; of four or five letters two, where the first two are the same)
     */
    public static String suggestion(String found, Collection<String> known) {
        return of(found, known).map(name -> ". Did you mean '" + name + "'?").orElse("");
    }

    /** Returns the nearest known name; empty if nothing is close enough. */
    public static Optional<String> of(String found, Collection<String> known) {
        String best = "";
        int most = Math.max(1, found.length() / 3);
        int least = Integer.MAX_VALUE;
        for (String name : known) {
            int distance = distance(found, name);
            boolean isNear = distance <= (beginsAlike(found, name) ? Math.max(most, 2) : most);
            if (isNear && distance < least) {
                least = distance;
                best = name;
            }
        }
        return best.isEmpty() ? Optional.empty() : Optional.of(best);
    }

    private static boolean beginsAlike(String found, String name) {
        return found.length() >= 4 && name.length() >= 4 && found.regionMatches(0, name, 0, 2);
    }

    /** Counts the insertions, deletions, changes and swaps between two words (Damerau, restricted to neighbours). */
    static int distance(String a, String b) {
        int[][] d = new int[a.length() + 1][b.length() + 1];
        for (int i = 0; i <= a.length(); i++) {
            for (int j = 0; j <= b.length(); j++) {
                if (i == 0 || j == 0) {
                    d[i][j] = i + j;
                    continue;
                }
                int change = a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1;
                d[i][j] = Math.min(Math.min(d[i - 1][j], d[i][j - 1]) + 1, d[i - 1][j - 1] + change);
                boolean swapped =
                        i > 1 && j > 1 && a.charAt(i - 1) == b.charAt(j - 2) && a.charAt(i - 2) == b.charAt(j - 1);
                if (swapped) {
                    d[i][j] = Math.min(d[i][j], d[i - 2][j - 2] + 1);
                }
            }
        }
        return d[a.length()][b.length()];
    }
}
