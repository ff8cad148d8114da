package org.diperf.plugins.lib.gridftp.control;

import java.util.List;
import java.util.Locale;

/**
 * One reply of a server (RFC 959, section 4.2).
 *
 * @param code three digits
 * @param lines as they came, without ends of lines; at least one
 */
public record Reply(int code, List<String> lines) {

    private static final int MAX_WORDS = 120;
    /** Of a reason no more is looked at. */
    private static final int MAX_READ = 1_000;

    public Reply {
        lines = List.copyOf(lines);
    }

    /** Returns whether another reply to the same command follows. */
    boolean isPreliminary() {
        return code / 100 == 1;
    }

    /** Returns whether the command is done. */
    public boolean isPositive() {
        return code / 100 == 2;
    }

    /** Returns whether the command is accepted and the server waits for the next part. */
    public boolean wantsMore() {
        return code / 100 == 3;
    }

    /** Returns the text of the first line. */
    public String text() {
        return lines.get(0).length() > 4 ? lines.get(0).substring(4) : "";
    }

    /**
     * Says why, in a few words that are the same for equal causes: the code, and the last thing that the server gives as a
     * reason, without the names of files. Where that is a list, such as of the places where a server looked for its certificate, it is
     * the first line's.
     */
    public String cause() {
        String reason = text();
        if (lines.size() > 1) {
            for (int i = lines.size() - 1; i >= 0; i--) {
                String line = lines.get(i).replaceFirst("^" + code + "[ -]", "").strip();
                if (!line.isEmpty() && !line.toLowerCase(Locale.ROOT).matches("end\\.?")) {
                    reason = afterLastColon(line.endsWith(":") || isOfList(line) ? reason : line);
                    break;
                }
            }
        }
        reason = cut(reason, MAX_READ)
                .replaceAll("(^|[\\s'\"(])/\\S*", "$1FILE")
                .replaceAll("\\d{1,3}(\\.\\d{1,3}){3}(:\\d{1,5})?", "ADDRESS")
                .strip();
        return code + (reason.isEmpty() ? "" : " " + cut(reason, MAX_WORDS));
    }

    private static boolean isOfList(String line) {
        int digits = 0;
        while (digits < line.length() && Character.digit(line.charAt(digits), 10) >= 0) {
            digits++;
        }
        return digits > 0 && line.startsWith(")", digits);
    }

    private static String afterLastColon(String line) {
        int colon = line.lastIndexOf(": ");
        return colon < 0 ? line : line.substring(colon + 2);
    }

    private static String cut(String reason, int most) {
        return reason.length() <= most ? reason : reason.substring(0, most);
    }
}
