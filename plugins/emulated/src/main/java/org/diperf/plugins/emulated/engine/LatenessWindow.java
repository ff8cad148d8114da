package org.diperf.plugins.emulated.engine;

/**
 * How late packets were in a slice of time.
 *
 * @param number of the slice, which begins at as many times {@link #NANOS} of this machine's monotonic clock
 * @param overdueNanos for how long of it any packet was overdue, ns
 * @param mostNanos by how much the latest was late of those that were given to hosts in it, ns
 */
public record LatenessWindow(long number, long overdueNanos, long mostNanos) {

    /** How long a slice is. */
    public static final long NANOS = 10_000_000L;

    /** The word before the numbers of one in a report. */
    static final String WORD = "late ";

    private static final int NUMBERS = 3;

    /** Returns when it begins. */
    public long beginNanos() {
        return number * NANOS;
    }

    /** Returns when it ends. */
    public long endNanos() {
        return beginNanos() + NANOS;
    }

    String line() {
        return WORD + number + " " + overdueNanos + " " + mostNanos;
    }

    /** @throws IllegalArgumentException if it is another line */
    static LatenessWindow parse(String line) {
        String[] numbers = line.substring(WORD.length()).split(" ");
        if (numbers.length != NUMBERS) {
            throw new IllegalArgumentException("Expected a report line, got '" + line + "'");
        }
        return new LatenessWindow(Long.parseLong(numbers[0]), Long.parseLong(numbers[1]), Long.parseLong(numbers[2]));
    }
}
