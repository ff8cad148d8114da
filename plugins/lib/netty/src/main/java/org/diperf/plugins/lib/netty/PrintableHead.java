package org.diperf.plugins.lib.netty;

import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.diperf.core.spi.Dialogue;

/**
 * The head of a request or response of HTTP as kept in a dialogue, for people: without what proves who somebody is. It may be cut off.
 *
 * @param raw as it went, its empty line included
 */
public record PrintableHead(String raw) {

    private static final Pattern BEGIN = Pattern.compile("HTTP/(1\\.|2 )|[!-~]+ \\S+ HTTP/(1\\.[01]|2)\\r?\\n");
    private static final Pattern PROOF =
            Pattern.compile("(?im)^((?:proxy-)?authorization:[ \t]*\\S+)[ \t]+\\S.*$|^(set-cookie|cookie):(.*)$");
    private static final Pattern COOKIE = Pattern.compile("([^=;\\s]+)=[^;]*");
    private static final Pattern SET_COOKIE = Pattern.compile("^(\\s*[^=;]+)=[^;]*");

    /** Returns the head that bytes begin with, or all of them. */
    public static PrintableHead of(byte[] bytes) {
        return new PrintableHead(new String(bytes, 0, end(bytes, 0), StandardCharsets.ISO_8859_1));
    }

    /** Returns the index behind the empty line that ends a head; the length where there is none. */
    public static int end(byte[] all, int from) {
        for (int i = from; i + 1 < all.length; i++) {
            if (all[i] == '\n'
                    && (all[i + 1] == '\n' || (all[i + 1] == '\r' && i + 2 < all.length && all[i + 2] == '\n'))) {
                return i + (all[i + 1] == '\n' ? 2 : 3);
            }
        }
        return all.length;
    }

    /** Returns whether it is a head. */
    public boolean isOne() {
        return BEGIN.matcher(raw).lookingAt();
    }

    /** Counts its bytes. */
    public int bytes() {
        return raw.length();
    }

    /** Returns it as text; credentials and the values of cookies are hidden, but not that they are there. */
    public String text() {
        Matcher proof = PROOF.matcher(raw);
        StringBuilder shown = new StringBuilder();
        while (proof.find()) {
            String what = proof.group(2);
            String line = what == null
                    ? proof.group(1) + " ***"
                    : what + ":"
                            + (what.equalsIgnoreCase("cookie") ? COOKIE : SET_COOKIE)
                                    .matcher(proof.group(3))
                                    .replaceAll("$1=***");
            proof.appendReplacement(shown, Matcher.quoteReplacement(line));
        }
        return Dialogue.text(proof.appendTail(shown).toString().getBytes(StandardCharsets.UTF_8));
    }
}
