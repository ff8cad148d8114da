package org.diperf.controller.run.directory;

import java.io.IOException;
import org.diperf.controller.collect.Testers;
import org.diperf.core.run.RunRecord;

/**
 * Completes a run, new or resumed. Its order is what keeps samples safe: what was measured is durable before the record
 * says how the run ended, and the record is durable before testers are released and forget what they have. When a step
 * fails, those after it are not taken, and the run can be resumed.
 */
public record RunCompletion(RunDirectory directory, Testers testers, RunOutput output, RunProblems troubles) {

    private static final long LOOK_NANOS = 5_000_000_000L;
    /** A disk that takes nothing for so long has failed. */
    private static final long STUCK_NANOS = 60_000_000_000L;

    /**
     * Waits for the disk for as long as it takes what is there, which after a run in memory may be gigabytes.
     *
     * @throws IOException when it does not take all
     */
    public void keepSamples() throws IOException, InterruptedException {
        output.phase("collecting the last samples");
        long least = Long.MAX_VALUE;
        long sinceNanos = output.elapsedNanos();
        while (!testers.awaitDurable(LOOK_NANOS)) {
            throwFailure();
            long waiting = testers.waitingBytes();
            if (waiting < least || troubles.waitsForDisk()) {
                least = waiting;
                sinceNanos = output.elapsedNanos();
            } else if (output.elapsedNanos() - sinceNanos >= STUCK_NANOS) {
                String stuck = "the disk has accepted no writes for " + STUCK_NANOS / 1_000_000_000 + " s";
                // Whatever is written from now on may wait for that disk, and nobody would hear why.
                output.urge(stuck
                        + ". This process exits once the disk responds; if it does not, press Ctrl-C twice. Saved samples "
                        + "are safe; resume with: diperf run --resume " + directory.folder());
                throw new IOException("The samples cannot be written: " + stuck);
            }
        }
        throwFailure();
    }

    private void throwFailure() throws IOException {
        String failure = troubles.failure();
        if (failure != null) {
            throw new IOException(failure);
        }
    }

    /** Writes the record, and then tells the testers to exit. */
    public RunRecord release(RunRecord record) throws IOException {
        RunRecord written = output.write(directory, record);
        testers.bye();
        return written;
    }
}
