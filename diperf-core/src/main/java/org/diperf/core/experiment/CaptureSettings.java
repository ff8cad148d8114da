package org.diperf.core.experiment;

/**
 * Which calls of a run are shown whole, with what was said in them.
 *
 * @param failures how many of each cause, the first ones; from 0 to {@link #MOST}
 * @param slowest how many ok calls, the slowest ones; from 0 to {@link #MOST}
 */
public record CaptureSettings(int failures, int slowest) {

    /** More of a kind nobody reads. */
    public static final int MOST = 100;

    /** No call. */
    public static final CaptureSettings NONE = new CaptureSettings(0, 0);

    /** What a file gets that does not say. */
    public static final CaptureSettings DEFAULT = new CaptureSettings(3, 5);

    public CaptureSettings {
        if (failures < 0 || failures > MOST || slowest < 0 || slowest > MOST) {
            throw new IllegalArgumentException(
                    "Expected 0 to " + MOST + " calls, got failures " + failures + " and slowest " + slowest);
        }
    }

    /** Returns whether any call is shown. */
    public boolean isOn() {
        return failures > 0 || slowest > 0;
    }
}
