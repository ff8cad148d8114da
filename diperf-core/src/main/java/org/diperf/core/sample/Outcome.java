package org.diperf.core.sample;

import org.diperf.core.spi.ExportedCall;
import org.diperf.core.spi.Failure;
import org.diperf.core.spi.Fault;

/**
 * The words for how a call ended. Any other word is the cause of a failure that a client gave. A cause that is not the
 * service's fault has a mark before it, and what can be done about it stands behind another one; readers of samples take both off
 * again: see {@link #fault}, {@link #cause} and {@link #remedy}.
 */
public final class Outcome {

    /** The service answered as wanted. */
    public static final String OK = ExportedCall.OK;
    /** No answer within the timeout; counts as failed. */
    public static final String TIMEOUT = "timeout";
    /** Given up by the client itself; counts as failed. */
    public static final String CANCELLED = "cancelled";
    /** In flight when the run was cut short; neither ok nor failed. */
    public static final String UNFINISHED = ExportedCall.UNFINISHED;
    /** Due in open load while {@code max-in-flight} calls were under way, so never sent; neither ok nor failed. */
    public static final String DROPPED = ExportedCall.DROPPED;

    /** Longest cause that is kept, in characters. */
    public static final int MAX_LENGTH = 200;

    private static final char OF_GENERATOR = '\u0001';
    private static final char OF_EXPERIMENT = '\u0002';
    private static final char REMEDY = '\u0003';

    private Outcome() {}

    /** Returns whether the word means that the call ended and failed. */
    public static boolean isFailure(String outcome) {
        return switch (outcome) {
            case OK, UNFINISHED, DROPPED -> false;
            default -> true;
        };
    }

    /** Returns whether the word is one of ours, none that a client gave. */
    public static boolean isReserved(String outcome) {
        return switch (outcome) {
            case OK, TIMEOUT, CANCELLED, UNFINISHED, DROPPED -> true;
            default -> false;
        };
    }

    /** Makes the word for a failure, with the marks for whose fault it was and what can be done about it. */
    public static String ofFailure(Failure failure) {
        String remedy = line(failure.remedy());
        String word = ofFailure(failure.kind()) + (remedy.isEmpty() ? "" : REMEDY + remedy);
        return switch (failure.fault()) {
            case SERVICE -> word;
            case GENERATOR -> OF_GENERATOR + word;
            case EXPERIMENT -> OF_EXPERIMENT + word;
        };
    }

    /** Says whose fault the word's mark says that it was; the service's where it has none. */
    public static Fault fault(String outcome) {
        char mark = outcome.isEmpty() ? ' ' : outcome.charAt(0);
        return mark == OF_GENERATOR ? Fault.GENERATOR : mark == OF_EXPERIMENT ? Fault.EXPERIMENT : Fault.SERVICE;
    }

    /** Returns the word without its marks, as people see it. */
    public static String cause(String outcome) {
        int end = outcome.indexOf(REMEDY);
        return outcome.substring(fault(outcome) == Fault.SERVICE ? 0 : 1, end < 0 ? outcome.length() : end);
    }

    /** Returns what the word says can be done about the failure; empty: nothing. */
    public static String remedy(String outcome) {
        return outcome.substring(outcome.indexOf(REMEDY) < 0 ? outcome.length() : outcome.indexOf(REMEDY) + 1);
    }

    /** Returns the failure for which the word stands. */
    public static Failure failure(String outcome) {
        return new Failure(fault(outcome), cause(outcome), remedy(outcome));
    }

    /** Returns the word for a call that failed by this one, of the same fault: {@code "log-in: status 503"}. */
    public static String within(String where, String outcome) {
        return ofFailure(failure(outcome).in(where));
    }

    /** Makes a client's word one that can be kept: not empty, not a reserved one, not too long, one line. */
    public static String ofFailure(String kind) {
        String word = line(cause(kind.strip()));
        return switch (word) {
            case "" -> "failed";
            case OK, UNFINISHED, DROPPED, TIMEOUT -> "failed: " + word;
            default -> word;
        };
    }

    private static String line(String text) {
        String line = text.strip().replace('\n', ' ').replace('\r', ' ');
        return line.length() > MAX_LENGTH ? line.substring(0, MAX_LENGTH) : line;
    }
}
