package org.diperf.controller.progress;

import java.nio.file.Path;
import org.diperf.core.experiment.Experiment;

/** A run that can be looked at closely while it is under way. All methods may be called from any thread. */
public interface LiveSource {

    /** Returns what is being carried out. */
    Experiment experiment();

    /** Returns its folder, which holds {@code control/} while it is under way. */
    Path folder();

    /**
     * Looks at the run.
     *
     * @param since version of the series of an earlier look, whose rows are known; 0: none
     */
    LiveSnapshot look(long since);

    /**
     * Ends the load, as somebody asked for who looks on. The run's record says so.
     *
     * @param who one word or address
     */
    void stop(String who);
}
