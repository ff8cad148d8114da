package org.diperf.controller.course;

import org.diperf.core.plan.ClosedLoad;
import org.diperf.core.plan.Load;
import org.diperf.core.plan.OpenLoad;

/** The part of a load before its full strength. */
final class Ramp {

    private Ramp() {}

    /** Returns its length: until the last client starts, or the full rate is reached. */
    static long nanos(Load load) {
        return load instanceof ClosedLoad closed
                ? closed.clientStartNanos(closed.clients() - 1)
                : ((OpenLoad) load).rampNanos();
    }
}
