package org.diperf.core.spi;

import java.util.List;

/**
 * A journey in Java, for <code>diperf run Shop.java</code>: what one user of a service does in one iteration, as code. The file holds
 * one public class that implements this interface, with a public no-argument constructor.
 *
 * <p>Every client has an instance of its own and a thread, virtual where the JVM has them, on which {@link #go} is called once for each
 * of its iterations; so fields need no locks and last from one iteration to the next. One more instance, on which only the other methods
 * are called, is made by the controller, and one by each tester.
 */
public interface JavaJourney {

    /**
     * Returns the experiment around the journey, as it would stand in a file: target, load, data, thresholds, and {@code client} with
     * its plugin and parameters; {@code client.journeys} is added to it. Used where the file itself is run.
     *
     * @return YAML; by default empty: the journey is of an experiment file that names it
     */
    default String experiment() {
        return "";
    }

    /** Returns all requests that the journey may make, each with a name of its own; at least one. */
    List<JourneyStep> steps();

    /** Returns the names of the values that the code itself sets, so that texts of steps may use them; by default none. */
    default List<String> values() {
        return List.of();
    }

    /**
     * Goes through the journey once. It fails by what this throws, a failed step's {@link FailedCallException} included, unless that
     * is caught here. When the load has ended or the client is given up, the context's methods throw an {@link Error} that is to be
     * let through, and the thread is interrupted.
     *
     * @param context of this iteration; for this thread alone, until this method returns
     * @throws Exception if the journey failed, with the reason
     */
    void go(JourneyContext context) throws Exception;
}
