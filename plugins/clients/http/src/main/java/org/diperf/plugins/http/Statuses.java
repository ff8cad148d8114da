package org.diperf.plugins.http;

import java.util.BitSet;
import java.util.List;
import org.diperf.core.spi.Failure;
import org.diperf.core.spi.Text;

/** The statuses that count as success. Immutable. */
final class Statuses {

    private static final int LAST = 999;
    private final BitSet set = new BitSet(LAST + 1);

    /**
     * @param items statuses such as {@code 200} and ranges such as {@code 200-399}
     * @throws IllegalArgumentException for an item that is neither
     */
    Statuses(List<Text> items) {
        for (Text item : items) {
            String text = item.fixed().strip();
            if (!text.matches("[1-9][0-9]{2}(\\s*-\\s*[1-9][0-9]{2})?")) {
                throw unusable(text);
            }
            String[] ends = text.split("\\s*-\\s*");
            int first = Integer.parseInt(ends[0]);
            int last = Integer.parseInt(ends[ends.length - 1]);
            if (first > last) {
                throw unusable(text);
            }
            set.set(first, last + 1);
        }
    }

    private static IllegalArgumentException unusable(String text) {
        return new IllegalArgumentException(
                "expect: expected statuses such as 200 or ranges such as 200-399, got '" + text + "'");
    }

    boolean contains(int status) {
        return set.get(status);
    }

    /** Makes the failure of a call whose answer has a status that does not count as success. */
    static Failure failure(int status) {
        return Failure.ofService("status " + status)
                .remedied(
                        switch (status) {
                            case 401 -> "send credentials, such as -H 'Authorization: ...' (client.with.headers)";
                            case 403 -> "check the credentials and the path";
                            case 404 -> "check the path of the target";
                            case 405 -> "check the method (client.with.method)";
                            case 429 -> "lower the rate, or raise the limit that the service sets its callers";
                            default -> "";
                        });
    }
}
