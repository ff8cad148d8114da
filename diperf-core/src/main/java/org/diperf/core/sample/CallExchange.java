package org.diperf.core.sample;

/**
 * What was said in one call that is shown whole.
 *
 * @param endNanos when the call was recorded as ended, on the tester's clock
 * @param outcome how it ended, see {@link Outcome}
 * @param client in the whole run, from 0
 * @param call its number among those of its client, from 0
 * @param request its kind of request, from 0
 * @param target its target in the experiment's list, from 0
 * @param latencyNanos response time: from its intended start until it ended
 * @param limit how many calls of its kind the experiment shows: the first of an outcome, or, of ok calls, the slowest
 * @param text lines that begin with {@code > } for what was sent, {@code < } for what came, {@code * } for a remark; secrets are
 *     masked. At most {@link #MAX_TEXT} characters
 */
public record CallExchange(
        long endNanos,
        String outcome,
        int client,
        long call,
        int request,
        int target,
        long latencyNanos,
        int limit,
        String text) {

    /** No text is longer, in characters; a longer one is cut off. */
    public static final int MAX_TEXT = 1 << 14;

    private static final String CUT = "\n* cut off here";

    public CallExchange {
        if (text.length() > MAX_TEXT) {
            text = text.substring(0, MAX_TEXT - CUT.length()) + CUT;
        }
    }
}
