package org.diperf.core.sample;

import java.util.Arrays;

/**
 * Raises the bounds of a block to few levels, which are themselves bounds of the block, so that a bit or two say which of them one is.
 * Sizes are sorted into classes a fourth of a power of two wide. How the classes are divided into groups, each of which is raised to its
 * largest bound, so that bounds are raised least by ratio, is found by dynamic programming (as in Wang and Song, <i>Ckmeans.1d.dp</i>,
 * 2011, with another cost). The few largest bounds, of calls that something held up, keep their classes, and what is unknown stays so.
 * Allocates nothing for a block. Confined to one thread.
 */
final class BoundLevels {

    private static final int CLASSES_OF_POWER_BITS = 2;
    private static final int CLASSES_OF_POWER = 1 << CLASSES_OF_POWER_BITS;
    private static final int CLASSES = (Long.SIZE + 1) * CLASSES_OF_POWER;

    /** A block has at most so many: one for each class. */
    static final int MOST = CLASSES;

    /** As many as four bits tell apart; more are worth less than the room that they take. */
    private static final int MAX_GROUPS = 16;

    /** Levels are so many that bounds are raised by no more classes than this on average. */
    private static final double RAISED_CLASSES = 0.5;

    /** So many of the rows, from the largest down, keep their classes. */
    private static final double SHARE_OF_LARGEST = 0.005;

    private static final long NEVER = Long.MAX_VALUE / 2;

    private final int[] rowsOf = new int[CLASSES];
    private final long[] largestOf = new long[CLASSES];
    /** The classes that have rows, rising. */
    private final int[] used = new int[CLASSES];

    /** The number of each class's level. */
    private final int[] levelOf = new int[CLASSES];

    private final long[] levels = new long[CLASSES];
    private int count;

    // Of the first so many used classes: rows, the sum of their rows' classes.
    private final long[] rowsBefore = new long[CLASSES + 1];
    private final long[] classesBefore = new long[CLASSES + 1];
    // By number of groups and of classes: by how many classes their rows are raised together at least, and where the
    // last group begins.
    private final long[][] raised = new long[MAX_GROUPS + 1][CLASSES + 1];
    private final int[][] begin = new int[MAX_GROUPS + 1][CLASSES + 1];

    /**
     * Chooses the levels of a block.
     *
     * @param values not negative; {@link CallWriter#UNKNOWN} has a level of its own
     */
    void choose(long[] values, int rows) {
        int classes = sort(values, rows);
        boolean unknown = largestOf[used[classes - 1]] == CallWriter.UNKNOWN;
        int common = unknown ? classes - 1 : classes;
        for (int left = (int) (SHARE_OF_LARGEST * rows); common > 1 && rowsOf[used[common - 1]] <= left; common--) {
            left -= rowsOf[used[common - 1]];
        }
        count = 0;
        if (common > 0) {
            divide(common);
        }
        keep(common, classes);
    }

    /** Takes the levels of a block whose values have been raised to them. */
    void keep(long[] values, int rows) {
        int classes = sort(values, rows);
        count = 0;
        keep(0, classes);
    }

    /** Sorts the values into classes; returns how many are used. */
    private int sort(long[] values, int rows) {
        Arrays.fill(rowsOf, 0);
        Arrays.fill(largestOf, 0);
        for (int i = 0; i < rows; i++) {
            int size = classOf(values[i]);
            rowsOf[size]++;
            largestOf[size] = Math.max(largestOf[size], values[i]);
        }
        int classes = 0;
        for (int c = 0; c < CLASSES; c++) {
            if (rowsOf[c] > 0) {
                used[classes++] = c;
            }
        }
        return classes;
    }

    /** Has these classes be levels of their own, above those that there are. */
    private void keep(int from, int to) {
        for (int u = from; u < to; u++) {
            levelOf[used[u]] = count;
            levels[count++] = largestOf[used[u]];
        }
    }

    /** Divides the first classes into 2, 4, 8 ... groups, each of which takes the largest bound in it. */
    private void divide(int classes) {
        for (int u = 0; u < classes; u++) {
            rowsBefore[u + 1] = rowsBefore[u] + rowsOf[used[u]];
            classesBefore[u + 1] = classesBefore[u] + (long) rowsOf[used[u]] * used[u];
        }
        Arrays.fill(raised[0], 0, classes + 1, NEVER);
        raised[0][0] = 0;
        int most = Math.min(MAX_GROUPS, classes);
        int groups = 0;
        for (boolean enough = false; groups < most && !enough; ) {
            groups++;
            add(groups, classes);
            enough = Integer.bitCount(groups) == 1 && raised[groups][classes] <= RAISED_CLASSES * rowsBefore[classes];
        }
        count = groups;
        for (int g = groups, end = classes; g > 0; end = begin[g][end], g--) {
            levels[g - 1] = largestOf[used[end - 1]];
            for (int u = begin[g][end]; u < end; u++) {
                levelOf[used[u]] = g - 1;
            }
        }
    }

    /** Finds the best divisions into so many groups from those into one less. */
    private void add(int groups, int classes) {
        Arrays.fill(raised[groups], 0, Math.min(groups, classes + 1), NEVER);
        for (int end = groups; end <= classes; end++) {
            long best = NEVER;
            for (int from = groups - 1; from < end; from++) {
                long sum = raised[groups - 1][from]
                        + (rowsBefore[end] - rowsBefore[from]) * used[end - 1]
                        - (classesBefore[end] - classesBefore[from]);
                if (sum < best) {
                    best = sum;
                    begin[groups][end] = from;
                }
            }
            raised[groups][end] = best;
        }
    }

    /** Returns how many levels there are; their values rise with their numbers, which begin with 0. */
    int count() {
        return count;
    }

    long level(int number) {
        return levels[number];
    }

    /** Returns the number of the level that a value of the block is raised to. */
    int numberOf(long value) {
        return levelOf[classOf(value)];
    }

    /** Returns 0 for 0, and numbers that rise with the value, {@value #CLASSES_OF_POWER} from one power of two to the next. */
    private static int classOf(long value) {
        if (value <= 0) {
            return 0;
        }
        int power = Long.SIZE - 1 - Long.numberOfLeadingZeros(value);
        int above = CLASSES_OF_POWER_BITS - power;
        long fourths = above > 0 ? value << above : value >>> -above;
        // Without its highest bit, which is the power's.
        return (power + 1) * CLASSES_OF_POWER + (int) fourths - CLASSES_OF_POWER;
    }
}
