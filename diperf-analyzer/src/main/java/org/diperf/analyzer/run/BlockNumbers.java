package org.diperf.analyzer.run;

import java.util.Map;
import java.util.TreeMap;

/** The numbers of a tester's blocks that were seen, as ranges: as many as there are gaps, plus one. */
public final class BlockNumbers {

    private final TreeMap<Long, Long> ranges = new TreeMap<>();

    /** Returns whether a number was seen. */
    public boolean contains(long number) {
        Map.Entry<Long, Long> range = ranges.floorEntry(number);
        return range != null && range.getValue() >= number;
    }

    /** Adds a number that is not contained. */
    public void add(long number) {
        long from = number;
        long to = number;
        Map.Entry<Long, Long> before = ranges.floorEntry(number);
        if (before != null && before.getValue() == number - 1) {
            from = before.getKey();
        }
        Long behind = ranges.remove(number + 1);
        if (behind != null) {
            to = behind;
        }
        ranges.put(from, to);
    }

    /** Counts the numbers from 1 to the highest that were not seen. */
    public long missing() {
        long missing = 0;
        long next = 1;
        for (Map.Entry<Long, Long> range : ranges.entrySet()) {
            missing += range.getKey() - next;
            next = range.getValue() + 1;
        }
        return missing;
    }
}
