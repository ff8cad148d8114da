package org.diperf.controller.run;

import java.io.IOException;
import org.diperf.controller.collect.Testers;
import org.diperf.core.run.RunRecord;
import org.diperf.core.run.Warning;
import org.diperf.core.run.Warning.Subject;

/** The end of a run, new or resumed: what was measured is kept, and the last record written. */
record Conclusion(RunDirectory directory, Testers testers, RunOutput output, Troubles troubles) {

    private static final long LOOK_NANOS = 5_000_000_000L;

    /** Waits for the disk for as long as it takes what is there, which after a run in memory may be gigabytes. */
    void keepSamples() throws InterruptedException {
        output.phase("collecting the last samples");
        long before;
        do {
            before = testers.waitingBytes();
            if (testers.awaitDurable(LOOK_NANOS)) {
                return;
            }
        } while (testers.waitingBytes() < before);
        troubles.warn(Warning.suspect(Subject.SAMPLES, "not all samples could be written"));
    }

    /** Writes the record. */
    RunRecord write(RunRecord record) throws IOException {
        return output.write(directory, record);
    }
}
