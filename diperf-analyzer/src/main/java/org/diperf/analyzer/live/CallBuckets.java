package org.diperf.analyzer.live;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Response times of ok calls in fixed buckets and in fine ones, and failed calls, by tester and kind of request: counts that only grow, and that can be
 * added up. Of more than 64 testers, and of more than 20 kinds of request, the others are counted together. Confined to one thread.
 */
final class CallBuckets {

    /** Upper limits, s; the last bucket has none. Three a decade, from half a millisecond to a minute. */
    static final List<Double> LIMITS =
            List.of(0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 25.0, 60.0);

    private static final int MAX_TESTERS = 64;
    private static final int MAX_REQUESTS = 20;
    private static final String OTHERS = "others";

    private static final long[] LIMIT_NANOS = limitNanos();

    /** Fine buckets an octave. */
    private static final int FINE = 8;
    /** Number of the first fine bucket, which begins at 2^-30 s, about a nanosecond. */
    static final int FIRST_FINE = -30 * FINE;
    /** The last one ends at 2^12 s, over an hour. */
    private static final int FINE_BUCKETS = 12 * FINE - FIRST_FINE;

    /** Upper limits of the fine buckets, rounded down to whole nanoseconds. */
    private static final long[] FINE_NANOS = fineNanos();
    /** First fine bucket in which a time of so many leading zeros may be. */
    private static final int[] FIRST_OF_ZEROS = firstOfZeros();

    private final Map<Integer, Integer> places = new LinkedHashMap<>();
    private final List<String> testers = new ArrayList<>();
    private final List<String> requests;
    private final List<Cell[]> cells = new ArrayList<>();

    private static final class Cell {
        private final long[] counts = new long[LIMITS.size() + 1];
        private final long[] fine = new long[FINE_BUCKETS];
        private double seconds;
        private long failed;
    }

    CallBuckets(List<String> names) {
        requests = new ArrayList<>(names.subList(0, Math.min(names.size(), MAX_REQUESTS)));
        if (names.size() > MAX_REQUESTS) {
            requests.add(OTHERS);
        }
    }

    private static long[] limitNanos() {
        long[] nanos = new long[LIMITS.size()];
        for (int i = 0; i < nanos.length; i++) {
            nanos[i] = Math.round(LIMITS.get(i) * 1e9);
        }
        return nanos;
    }

    private static long[] fineNanos() {
        long[] nanos = new long[FINE_BUCKETS];
        for (int i = 0; i < nanos.length; i++) {
            nanos[i] = (long) Math.floor(Math.pow(2, (FIRST_FINE + i + 1.0) / FINE) * 1e9);
        }
        return nanos;
    }

    private static int[] firstOfZeros() {
        int[] first = new int[Long.SIZE + 1];
        for (int zeros = 1; zeros < first.length; zeros++) {
            long least = zeros == Long.SIZE ? 0 : 1L << (Long.SIZE - 1 - zeros);
            int bucket = 0;
            while (bucket < FINE_BUCKETS - 1 && FINE_NANOS[bucket] < least) {
                bucket++;
            }
            first[zeros] = bucket;
        }
        return first;
    }

    /** Returns the place of a time among the fine buckets. */
    private static int fineOf(long nanos) {
        int bucket = FIRST_OF_ZEROS[Long.numberOfLeadingZeros(Math.max(0, nanos))];
        while (bucket < FINE_BUCKETS - 1 && FINE_NANOS[bucket] < nanos) {
            bucket++;
        }
        return bucket;
    }

    private Cell cell(int tester, int request) {
        Integer place = places.get(tester);
        if (place == null) {
            boolean isOwn = testers.size() < MAX_TESTERS;
            if (isOwn || testers.size() == MAX_TESTERS) {
                testers.add(isOwn ? String.valueOf(tester) : OTHERS);
                cells.add(new Cell[requests.size()]);
            }
            place = testers.size() - 1;
            places.put(tester, place);
        }
        // A tester may send any number.
        int column = request < 0 ? requests.size() - 1 : Math.min(request, requests.size() - 1);
        Cell[] row = cells.get(place);
        Cell cell = row[column];
        if (cell == null) {
            cell = new Cell();
            row[column] = cell;
        }
        return cell;
    }

    void ok(int tester, int request, long latencyNanos) {
        Cell cell = cell(tester, request);
        int bucket = 0;
        while (bucket < LIMIT_NANOS.length && latencyNanos > LIMIT_NANOS[bucket]) {
            bucket++;
        }
        cell.counts[bucket]++;
        cell.fine[fineOf(latencyNanos)]++;
        cell.seconds += latencyNanos / 1e9;
    }

    void failed(int tester, int request) {
        cell(tester, request).failed++;
    }

    List<RunSeries.BucketLook> look() {
        List<RunSeries.BucketLook> looks = new ArrayList<>();
        for (int t = 0; t < testers.size(); t++) {
            for (int r = 0; r < requests.size(); r++) {
                Cell cell = cells.get(t)[r];
                if (cell != null) {
                    looks.add(new RunSeries.BucketLook(
                            testers.get(t),
                            requests.get(r),
                            cell.counts.clone(),
                            cell.fine.clone(),
                            cell.seconds,
                            cell.failed));
                }
            }
        }
        return looks;
    }
}
