package org.diperf.plugins.lib.gridftp;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A transfer as the server wrote it down. */
public record Logged(String file, long bytes, int code) {

    private static final Pattern LINE = Pattern.compile(".* FILE=(\\S+) .* NBYTES=(\\d+) .* CODE=(\\d+)( .*)?");

    static Logged of(String line) {
        Matcher matcher = LINE.matcher(line);
        if (!matcher.matches()) {
            throw new IllegalArgumentException("Expected a line of a transfer log, got '" + line + "'");
        }
        return new Logged(matcher.group(1), Long.parseLong(matcher.group(2)), Integer.parseInt(matcher.group(3)));
    }
}
