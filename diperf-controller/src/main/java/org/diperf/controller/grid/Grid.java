package org.diperf.controller.grid;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import org.diperf.core.expression.Expression;
import org.diperf.core.run.GridRecord;
import org.jspecify.annotations.Nullable;

/**
 * What an experiment file asks for besides one run. Immutable.
 *
 * @param axes in the order of the file; may be empty
 * @param variants by name what each sets: path to value; may be empty
 * @param except points for which one of these holds are left out
 * @param shuffled whether the points are run in an order that follows from the seed, or in that of the file
 * @param trials of each point
 */
public record Grid(
        List<Axis> axes,
        Map<String, Map<String, Object>> variants,
        List<Expression> except,
        boolean shuffled,
        Trials trials) {

    private static final int MAX_NAME = 100;
    private static final long STEP = 0x9E3779B97F4A7C15L;

    public Grid {
        axes = List.copyOf(axes);
        variants = Collections.unmodifiableMap(new LinkedHashMap<>(variants));
        except = List.copyOf(except);
    }

    /** Counts the points before any is left out. */
    public long whole() {
        long count = Math.max(1, variants.size());
        for (Axis axis : axes) {
            count = Math.multiplyExact(count, axis.values().size());
        }
        return count;
    }

    /** Lists the points: the first axis changes slowest, variants of the same point follow one another. */
    public List<Point> points() {
        List<Map<String, Object>> sets = List.of(Map.of());
        for (Axis axis : axes) {
            sets = times(sets, axis.path(), axis.values());
        }
        if (!variants.isEmpty()) {
            sets = times(sets, GridRecord.VARIANT, List.copyOf(variants.keySet()));
        }
        Settings settings = new Settings(axes);
        List<Point> points = new ArrayList<>();
        for (Map<String, Object> set : sets) {
            boolean left = except.stream()
                    .anyMatch(
                            expression -> expression.evaluate(settings.of(set)).holds());
            if (!left) {
                points.add(new Point(points.size(), set));
            }
        }
        return points;
    }

    private static List<Map<String, Object>> times(List<Map<String, Object>> sets, String key, List<?> values) {
        List<Map<String, Object>> product = new ArrayList<>();
        for (Map<String, Object> set : sets) {
            for (Object value : values) {
                Map<String, Object> more = new LinkedHashMap<>(set);
                more.put(key, value);
                product.add(more);
            }
        }
        return product;
    }

    /**
     * Lists the runs in the order in which they are carried out. Interleaved, each round of trials has an order of its own
     * (randomised complete blocks), so that a drift of the machine falls on all points alike.
     */
    public List<PlannedRun> runs(List<Point> points, long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        List<PlannedRun> runs = new ArrayList<>();
        int all = points.size() * trials.count();
        int rounds = trials.interleaved() ? trials.count() : 1;
        int each = trials.interleaved() ? 1 : trials.count();
        for (int round = 1; round <= rounds; round++) {
            List<Point> order = new ArrayList<>(points);
            if (shuffled) {
                shuffle(order, random);
            }
            for (Point point : order) {
                for (int i = 0; i < each; i++) {
                    int trial = trials.interleaved() ? round : i + 1;
                    int number = runs.size() + 1;
                    runs.add(new PlannedRun(number, point, trial, dir(number, all, point, trial)));
                }
            }
        }
        return runs;
    }

    /** Shuffles by Fisher and Yates, with a generator whose numbers are the same everywhere. */
    private static void shuffle(List<Point> points, SplittableRandom random) {
        for (int i = points.size() - 1; i > 0; i--) {
            Collections.swap(points, i, random.nextInt(i + 1));
        }
    }

    private String dir(int number, int all, Point point, int trial) {
        List<String> parts = new ArrayList<>();
        for (Axis axis : axes) {
            parts.add(axis.name() + "=" + word(point.set().get(axis.path())));
        }
        if (!variants.isEmpty()) {
            parts.add(word(point.set().get(GridRecord.VARIANT)));
        }
        String name = String.join(",", parts).replaceAll("[^A-Za-z0-9._=,-]+", "-");
        String kept = name.substring(0, Math.min(MAX_NAME, name.length()));
        if (trials.count() > 1) {
            kept = kept.isEmpty() ? "trial=" + trial : kept + ",trial=" + trial;
        }
        int digits = Math.max(3, String.valueOf(all).length());
        return "runs/" + String.format(Locale.ROOT, "%0" + digits + "d", number) + (kept.isEmpty() ? "" : "-" + kept);
    }

    private static String word(@Nullable Object value) {
        return String.valueOf(value).replaceAll("[^A-Za-z0-9._-]+", "-");
    }

    /**
     * Returns the seed of a trial. All points of one round have the same, so that they are compared on the same random choices;
     * the first trial has the experiment's own.
     */
    public static long seed(long seed, int trial) {
        if (trial == 1) {
            return seed;
        }
        long mixed = seed + STEP * trial;
        mixed = (mixed ^ (mixed >>> 30)) * 0xBF58476D1CE4E5B9L;
        mixed = (mixed ^ (mixed >>> 27)) * 0x94D049BB133111EBL;
        return 1 + ((mixed ^ (mixed >>> 31)) >>> 33);
    }
}
