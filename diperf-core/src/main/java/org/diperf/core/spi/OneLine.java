package org.diperf.core.spi;

/**
 * Makes a text from outside, such as from a tester, a node or a service, fit for one line of a log, a terminal or a report.
 */
public final class OneLine {

    private static final char UNFIT = '·';

    private OneLine() {}

    /**
     * Returns a text with a dot in the place of each character that ends lines, controls terminals or turns the direction of
     * writing, and cut off where it is too long; the same object where there is nothing to change.
     *
     * @param most characters that are kept
     */
    public static String of(String text, int most) {
        boolean tooLong = text.length() > most && text.codePointCount(0, text.length()) > most;
        if (!tooLong && text.codePoints().noneMatch(OneLine::isUnfit)) {
            return text;
        }
        StringBuilder clean = new StringBuilder(Math.min(text.length(), most) + 1);
        text.codePoints().limit(most).forEach(c -> clean.appendCodePoint(isUnfit(c) ? UNFIT : c));
        return tooLong ? clean.append('…').toString() : clean.toString();
    }

    private static boolean isUnfit(int c) {
        int type = Character.getType(c);
        return Character.isISOControl(c)
                || type == Character.FORMAT
                || type == Character.LINE_SEPARATOR
                || type == Character.PARAGRAPH_SEPARATOR
                || type == Character.SURROGATE;
    }
}
