package org.diperf.core.sample;

/** The words for how a call ended. Any other word is the cause of a failure that a client gave. */
public final class Outcome {

    /** The service answered as wanted. */
    public static final String OK = "ok";
    /** No answer within the timeout; counts as failed. */
    public static final String TIMEOUT = "timeout";
    /** Given up by the client itself; counts as failed. */
    public static final String CANCELLED = "cancelled";
    /** In flight when the run was cut short; neither ok nor failed. */
    public static final String UNFINISHED = "unfinished";
    /** Due in open load while {@code max-in-flight} calls were under way, so never sent; neither ok nor failed. */
    public static final String DROPPED = "dropped";

    /** Longest cause that is kept, in characters. */
    public static final int MAX_LENGTH = 200;

    private Outcome() {}

    /** Says whether the word means that the call ended and failed. */
    public static boolean isFailure(String outcome) {
        return switch (outcome) {
            case OK, UNFINISHED, DROPPED -> false;
            default -> true;
        };
    }

    /** Makes a client's word one that can be kept: not empty, not a reserved one, not too long, one line. */
    public static String ofFailure(String kind) {
        String word =
                kind.isBlank() ? "failed" : kind.strip().replace('\n', ' ').replace('\r', ' ');
        if (word.length() > MAX_LENGTH) {
            word = word.substring(0, MAX_LENGTH);
        }
        return switch (word) {
            case OK, UNFINISHED, DROPPED, TIMEOUT -> "failed: " + word;
            default -> word;
        };
    }
}
