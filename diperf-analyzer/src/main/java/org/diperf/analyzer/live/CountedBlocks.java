package org.diperf.analyzer.live;

import java.util.Map;
import java.util.TreeMap;

/**
 * Which blocks of one tester were counted, as ranges of their numbers. Beyond 1,000 ranges it no longer says which, only that
 * it cannot. Confined to one thread.
 */
final class CountedBlocks {

    private static final int MAX_RANGES = 1_000;

    /** Last number of each range by its first. */
    private final TreeMap<Long, Long> ranges = new TreeMap<>();

    private boolean tooMany;

    /** Adds a number that was not added before. */
    void add(long number) {
        if (tooMany) {
            return;
        }
        Map.Entry<Long, Long> before = ranges.lowerEntry(number);
        long first = before != null && before.getValue() == number - 1 ? before.getKey() : number;
        Long last = ranges.remove(number + 1);
        ranges.put(first, last == null ? number : last);
        if (ranges.size() > MAX_RANGES) {
            tooMany = true;
            ranges.clear();
        }
    }

    /** Returns the ranges, such as {@code 1-120,122}; {@code many}: there are too many to tell. */
    String text() {
        if (tooMany) {
            return "many";
        }
        StringBuilder text = new StringBuilder();
        ranges.forEach((first, last) -> {
            text.append(text.isEmpty() ? "" : ",").append(first);
            if (!first.equals(last)) {
                text.append('-').append(last);
            }
        });
        return text.toString();
    }
}
