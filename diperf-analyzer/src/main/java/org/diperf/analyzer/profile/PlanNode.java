package org.diperf.analyzer.profile;

/**
 * A machine on which the service would run.
 *
 * @param cores processors; {@link Double#NaN}: not known
 * @param speed of one of them next to one of the profile's machine, above 0
 * @param bitsPerSecond of its network; {@link Double#NaN}: not known
 */
public record PlanNode(String host, double cores, double speed, double bitsPerSecond) {

    public PlanNode {
        if (cores <= 0 || !(speed > 0) || bitsPerSecond <= 0) {
            throw new IllegalArgumentException("node " + host + ": expected cores, speed and bandwidth above 0; got "
                    + cores + ", " + speed + " and " + bitsPerSecond + " bit/s");
        }
    }
}
