package org.diperf.analyzer.model;

import java.util.List;

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
            throw new IllegalArgumentException("A level needs load, throughput and response time above 0; got " + load
                    + ", " + perSecond + "/s, " + responseSeconds + " s");
        }
    }

    /**
     * Returns the mean think time of all calls of levels of closed load that were equally long, as Little's law shows it.
     *
     * @return at least 0
     */
    public static double thinkSeconds(List<LevelPoint> levels) {
        double clients = 0;
        double inside = 0;
        double perSecond = 0;
        for (LevelPoint level : levels) {
            clients += level.load;
            inside += level.perSecond * level.responseSeconds;
            perSecond += level.perSecond;
        }
        return perSecond > 0 ? Math.max(0, (clients - inside) / perSecond) : 0;
    }
}
