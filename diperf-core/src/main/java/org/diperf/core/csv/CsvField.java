package org.diperf.core.csv;

/** A field of a CSV file. */
public final class CsvField {

    private CsvField() {}

    /** Returns a text as a field: in quotes, which are doubled within, where a comma, a quote or the end of a line would end it. */
    public static String of(String text) {
        boolean plain =
                text.indexOf(',') < 0 && text.indexOf('"') < 0 && text.indexOf('\n') < 0 && text.indexOf('\r') < 0;
        return plain ? text : '"' + text.replace("\"", "\"\"") + '"';
    }

    /** Returns a text as a field of one line: what controls terminals or ends lines is a space. */
    public static String ofLine(String text) {
        return of(text.codePoints().anyMatch(Character::isISOControl) ? text.replaceAll("\\p{Cntrl}", " ") : text);
    }
}
