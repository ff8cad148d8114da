package org.diperf.core.spi;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** What a session knows when it is opened. Immutable, except for the recorder. */
public interface SessionContext {

    /**
     * Returns the tester's number.
     *
     * @return from 1
     */
    int tester();

    /**
     * Returns the tester's slot in the plan; a tester that replaces a lost one has the lost one's slot.
     *
     * @return from 1
     */
    default int slot() {
        return tester();
    }

    /**
     * Returns the index of the tester's machine among those of the run.
     *
     * @return from 0
     */
    default int host() {
        return 0;
    }

    /** Returns the experiment's targets, in order; at least one. */
    List<Url> targets();

    /** Returns the parameters from {@code client.with}, checked and with their defaults. */
    Parameters with();

    /**
     * Returns the parameters of each request that the session's clients make; {@link Call#request} says which one a call
     * makes. More than one only if the plugin {@link ClientPlugin#mixes mixes} them.
     *
     * @return by default {@link #with} alone
     */
    default List<Parameters> requests() {
        return List.of(with());
    }

    /** Returns the time limit of one call. */
    Duration timeout();

    /** Returns an empty folder for files that the clients of this run need; removed afterwards. */
    Path folder();

    /** Returns the recorder for observations of the tester as a whole, such as the start-up time of an executable. */
    Recorder recorder();

    /** Returns what counts the memory that clients keep of answers, together with that of all others on this tester. */
    Memory memory();

    /**
     * Returns the most clients this tester will have, as far as the plan is known when this is called: a search or levels
     * may add stages with more.
     *
     * @return at least 0
     */
    int clients();
}
