package org.diperf.plugins.lib.process;

/**
 * How a program ended.
 *
 * @param code its exit code, from 0 to 255; 0 when a signal ended it
 * @param signal the signal that ended it, or 0
 */
public record ExitStatus(int code, int signal) {

    /** Describes it as a failure kind: {@code exit 1} or {@code signal 9}. */
    public String kind() {
        return signal != 0 ? "signal " + signal : "exit " + code;
    }
}
