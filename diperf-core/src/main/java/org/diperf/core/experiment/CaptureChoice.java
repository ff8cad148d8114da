package org.diperf.core.experiment;

/**
 * Which calls of a run are shown whole, with what was said in them.
 *
 * @param failures how many of each cause, the first ones; from 0 to {@link #MOST}
 * @param slowest how many ok calls, the slowest ones; from 0 to {@link #MOST}
 */
public record CaptureChoice(int failures, int slowest) {

    /** More of a kind nobody reads. */
    public static final int MOST = 100;

    /** No call. */
    public static final CaptureChoice NONE = new CaptureChoice(0, 0);

    /** What a file gets that does not say. */
    public static final CaptureChoice DEFAULT = new CaptureChoice(3, 5);

    public CaptureChoice {
        if (failures < 0 || failures > MOST || slowest < 0 || slowest > MOST) {
            throw new IllegalArgumentException(
                    "Wanted from 0 to " + MOST + " calls, found failures " + failures + " and slowest " + slowest);
        }
    }

    /** Returns whether any call is shown. */
    public boolean isOn() {
        return failures > 0 || slowest > 0;
    }
}
