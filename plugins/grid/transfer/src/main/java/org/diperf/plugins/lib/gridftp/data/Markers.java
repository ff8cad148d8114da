package org.diperf.plugins.lib.gridftp.data;

/**
 * Reads markers of servers (GFD.20). By hand, because there are three of every small file, and a JVM that is still young takes longer for a
 * pattern than the server for the file.
 */
final class Markers {

    private static final int MAX_DIGITS = 18;

    private Markers() {}

    /**
     * Reads a number that a line gives by its name, such as {@code Stripe Index: 0}.
     *
     * @return -1 where it gives none, or one of more than 18 digits
     */
    static long number(String line, String name) {
        int from = spaces(line, 0);
        if (!line.startsWith(name, from)) {
            return -1;
        }
        int begin = spaces(line, from + name.length());
        int end = digits(line, begin);
        return end > begin && end - begin <= MAX_DIGITS && spaces(line, end) == line.length()
                ? Long.parseLong(line, begin, end, 10)
                : -1;
    }

    /** Adds the ranges of a text such as {@code Range Marker 0-100,200-300}; what is no range is skipped. */
    static void ranges(String text, RangeSet into) {
        int at = 0;
        while (at < text.length()) {
            int end = digits(text, at);
            if (end > at && end < text.length() && text.charAt(end) == '-') {
                int last = digits(text, end + 1);
                if (end - at <= MAX_DIGITS && last > end + 1 && last - end - 1 <= MAX_DIGITS) {
                    into.add(Long.parseLong(text, at, end, 10), Long.parseLong(text, end + 1, last, 10));
                }
                end = last;
            }
            at = Math.max(end, at + 1);
        }
    }

    private static int spaces(String text, int from) {
        int at = from;
        while (at < text.length() && text.charAt(at) == ' ') {
            at++;
        }
        return at;
    }

    private static int digits(String text, int from) {
        int at = from;
        while (at < text.length() && text.charAt(at) >= '0' && text.charAt(at) <= '9') {
            at++;
        }
        return at;
    }
}
