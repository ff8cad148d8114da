package org.diperf.core.spi;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** What a session is told when it is opened. Immutable, but for the recorder. */
public interface SessionContext {

    /**
     * Names the tester.
     *
     * @return from 1
     */
    int tester();

    /**
     * Gives the tester's place among the testers of the run; one that takes the place of a lost tester has its.
     *
     * @return from 1
     */
    default int slot() {
        return tester();
    }

    /**
     * Gives the place of the tester's machine among those of the run.
     *
     * @return from 0
     */
    default int host() {
        return 0;
    }

    /** Lists the experiment's targets, in their order; at least one. */
    List<URI> targets();

    /** Gives the parameters from {@code client.with}, checked and with their defaults. */
    Parameters with();

    /**
     * Gives the parameters of each request that the session's clients make; {@link Call#request} says which one a call is.
     * More than one only where the plugin {@link ClientPlugin#mixes mixes} them.
     *
     * @return by default {@link #with} alone
     */
    default List<Parameters> requests() {
        return List.of(with());
    }

    /** Bounds one call. */
    Duration timeout();

    /** Gives an empty folder of this run alone, for files that the clients need; removed afterwards. */
    Path folder();

    /** Records observations of the tester as a whole, such as the start-up time of an executable. */
    Recorder recorder();

    /**
     * Counts the clients this tester will have at most, as far as the plan is known when it is asked: while a search or
     * a staircase runs, stages with more may come.
     *
     * @return at least 0
     */
    int clients();
}
