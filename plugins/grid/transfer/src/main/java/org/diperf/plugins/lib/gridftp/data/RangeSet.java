package org.diperf.plugins.lib.gridftp.data;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;
import java.util.TreeMap;

/** Which bytes of a file are there: half-open ranges that neither touch nor overlap. Not thread-safe. */
public final class RangeSet {

    private final TreeMap<Long, Long> ends = new TreeMap<>();

    /**
     * Some bytes that follow one another.
     *
     * @param from of the first byte, at least 0
     * @param to of the first byte after them, above {@code from}
     */
    public record Range(long from, long to) {

        public Range {
            if (from < 0 || to <= from) {
                throw new IllegalArgumentException("Expected a range of at least one byte, got " + from + "-" + to);
            }
        }

        long bytes() {
            return to - from;
        }
    }

    /** Returns another one with the same bytes. */
    public RangeSet copy() {
        RangeSet made = new RangeSet();
        made.ends.putAll(ends);
        return made;
    }

    /** Adds bytes; none when {@code to} is not above {@code from}. */
    public void add(long from, long to) {
        if (to <= from) {
            return;
        }
        long begin = from;
        long end = to;
        Map.Entry<Long, Long> before = ends.floorEntry(from);
        if (before != null && before.getValue() >= from) {
            begin = before.getKey();
            end = Math.max(end, before.getValue());
        }
        Map.Entry<Long, Long> next = ends.higherEntry(begin);
        while (next != null && next.getKey() <= end) {
            end = Math.max(end, next.getValue());
            ends.remove(next.getKey());
            next = ends.higherEntry(begin);
        }
        ends.put(begin, end);
    }

    /** Counts the bytes. */
    public long total() {
        long total = 0;
        for (Map.Entry<Long, Long> range : ends.entrySet()) {
            total += range.getValue() - range.getKey();
        }
        return total;
    }

    public boolean isEmpty() {
        return ends.isEmpty();
    }

    /** Returns what of a file of this size is not there, from its begin to its end. */
    public List<Range> missing(long size) {
        List<Range> missing = new ArrayList<>();
        long at = 0;
        for (Map.Entry<Long, Long> range : ends.entrySet()) {
            if (range.getKey() >= size) {
                break;
            }
            if (range.getKey() > at) {
                missing.add(new Range(at, range.getKey()));
            }
            at = Math.max(at, range.getValue());
        }
        if (at < size) {
            missing.add(new Range(at, size));
        }
        return missing;
    }

    /** Returns whether it is a whole file of this size, and nothing beyond. */
    public boolean isAllOf(long size) {
        Map.Entry<Long, Long> first = ends.firstEntry();
        return first == null ? size == 0 : ends.size() == 1 && first.getKey() == 0 && first.getValue() == size;
    }

    /** Returns the argument of REST in extended block mode (GFD.20): {@code 0-100,300-400}. */
    @Override
    public String toString() {
        StringJoiner text = new StringJoiner(",");
        ends.forEach((from, to) -> text.add(from + "-" + to));
        return text.toString();
    }
}
