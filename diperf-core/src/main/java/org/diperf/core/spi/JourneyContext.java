package org.diperf.core.spi;

import java.time.Duration;
import java.util.random.RandomGenerator;

/** What a {@link JavaJourney} does with the client under its feet; for the thread of the journey alone. */
public interface JourneyContext {

    /**
     * Returns the simulated client.
     *
     * @return its number in the whole run, from 0
     */
    int client();

    /**
     * Returns the number of the iteration among those of its client.
     *
     * @return from 0
     */
    long iteration();

    /**
     * Makes a call and waits for its end. It is due when the call or pause before it has ended and the code in between has run, so that
     * what the code itself takes is no one's response time, and what the tester is late counts.
     *
     * @param step one of {@link JavaJourney#steps}
     * @return the answer, until the next call; of a client that gives none an empty one
     * @throws FailedCallException if it failed, by its check, its timeout or its client
     */
    Answer call(JourneyStep step) throws FailedCallException;

    /**
     * Pauses as a user does who thinks.
     *
     * @param time at least 0
     */
    void think(Duration time);

    /**
     * Returns a value: a column of a data file such as {@code users.name}, or what was captured or set.
     *
     * @param name one that the experiment has
     * @return empty if it is not there yet
     */
    String value(String name);

    /**
     * Sets a value for the texts of later steps.
     *
     * @param name one of {@link JavaJourney#values}, or one that a step captures
     */
    void set(String name, String value);

    /** Returns the iteration's random numbers, which are the same in every run with the same seed; always the same object. */
    RandomGenerator random();
}
