package org.diperf.analyzer.model;

/**
 * What was measured at one level of the load.
 *
 * @param load concurrent clients in closed load, calls offered a second in open load; above 0
 * @param perSecond ok calls a second; above 0
 * @param responseSeconds mean response time of these; above 0
 */
public record LevelPoint(double load, double perSecond, double responseSeconds) {

    public LevelPoint {
        if (!(load > 0 && perSecond > 0 && responseSeconds > 0)) {
            throw new IllegalArgumentException("A level wants load, throughput and response time above 0; found " + load
                    + ", " + perSecond + "/s, " + responseSeconds + " s");
        }
    }
}
