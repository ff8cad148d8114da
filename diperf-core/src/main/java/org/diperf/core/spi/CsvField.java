package org.diperf.core.spi;

import java.util.regex.Pattern;

/**
 * A field of a CSV file that holds a text. Hosts, kinds of request, outcomes and labels come from elsewhere, and a spreadsheet
 * takes a text that begins with one of {@code = + - @} for a formula; an apostrophe before it makes it a text.
 */
public final class CsvField {

    /** Also in full width, which some spreadsheets read alike. */
    private static final String FORMULA = "=+-@\uFF1D\uFF0B\uFF0D\uFF20";

    private static final char TEXT = '\'';
    private static final Pattern NUMBER = Pattern.compile("[-+]?[0-9]+(\\.[0-9]+)?([eE][-+]?[0-9]+)?");

    private CsvField() {}

    /**
     * Returns a text as a field: what controls terminals or ends lines is a space; what a spreadsheet would compute has an
     * apostrophe before it; what would end the field is in quotes, which are doubled within.
     */
    public static String of(String text) {
        String line = text.codePoints().anyMatch(Character::isISOControl) ? text.replaceAll("\\p{Cc}", " ") : text;
        String harmless = needsMark(line) ? TEXT + line : line;
        boolean plain = harmless.indexOf(',') < 0 && harmless.indexOf('"') < 0;
        return plain ? harmless : '"' + harmless.replace("\"", "\"\"") + '"';
    }

    /** Returns the text of a field that {@link #of} made, once its quotes are taken off. */
    public static String textOf(String field) {
        return isMarked(field) ? field.substring(1) : field;
    }

    private static boolean needsMark(String line) {
        return isMarked(line)
                || !line.isEmpty()
                        && FORMULA.indexOf(line.charAt(0)) >= 0
                        && !NUMBER.matcher(line).matches();
    }

    private static boolean isMarked(String line) {
        return line.length() > 1
                && line.charAt(0) == TEXT
                && (line.charAt(1) == TEXT || FORMULA.indexOf(line.charAt(1)) >= 0);
    }
}
