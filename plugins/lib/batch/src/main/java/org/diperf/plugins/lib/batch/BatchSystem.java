package org.diperf.plugins.lib.batch;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.diperf.core.spi.SpoolLocation;

/**
 * A batch system as one run uses it. Called by one thread at a time, under the testbed's lock, except where a method says
 * otherwise; methods may block for as long as the system takes to answer.
 */
public interface BatchSystem {

    /** Names the system for people: {@code Slurm}. */
    String name();

    /**
     * Submits jobs that start testers.
     *
     * @param firstNumber number of the first new job within the run; further ones count on from there. None of these is given
     *     again, even where a job is not taken
     * @throws IOException when it takes none of them, with its reason; nothing of them is left then
     */
    Submission submit(int firstNumber, List<Integer> testers) throws IOException, InterruptedException;

    /**
     * What became of a submission.
     *
     * @param jobs that were taken, at least one
     * @param refused why, by tester whose job was not taken
     */
    record Submission(List<Job> jobs, Map<Integer, String> refused) {

        public Submission {
            jobs = List.copyOf(jobs);
            refused = Map.copyOf(refused);
        }
    }

    /**
     * Asks for jobs.
     *
     * @param jobs that are not gone, as far as is known
     * @throws IOException when the system cannot be asked now, with the reason; it is asked again
     */
    BatchSnapshot poll(List<Job> jobs) throws IOException, InterruptedException;

    /**
     * Asks the system to end jobs, which it may do later.
     *
     * @throws IOException when it refuses
     */
    void cancel(List<Job> jobs) throws IOException, InterruptedException;

    /** Returns how long the system may take to end what was cancelled. */
    Duration cancelling();

    /** Returns the last lines that a tester wrote, for people, behind a colon; empty where there are none. */
    String lastWords(int tester) throws IOException, InterruptedException;

    /** Returns the last lines that the system wrote for a job, for people, behind a colon; empty where there are none. */
    String lastWords(Job job) throws IOException, InterruptedException;

    /** Lists where testers that were started leave samples that no controller took. Any thread. */
    default List<SpoolLocation> spools() {
        return List.of();
    }

    /** As {@link org.diperf.core.spi.Testbed#bring}. Any thread. */
    default Map<Integer, String> bring(List<SpoolLocation> places, Path into) throws InterruptedException {
        return Map.of();
    }

    /** As {@link org.diperf.core.spi.Testbed#drop}. Any thread. */
    default void drop(List<SpoolLocation> places) throws IOException, InterruptedException {}

    /**
     * Brings the testers' logs into a folder here.
     *
     * @throws IOException when they cannot be had
     */
    void fetchLogs(Path into) throws IOException, InterruptedException;

    /**
     * Removes what the run has left with the system, but for spools, and lets go what this object holds. Called once, when all
     * jobs are gone or given up.
     *
     * @throws IOException naming what could not be removed
     */
    void close() throws IOException, InterruptedException;
}
