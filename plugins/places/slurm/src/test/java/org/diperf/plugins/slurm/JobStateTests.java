package org.diperf.plugins.slurm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Lines of squeue, in the form that it is asked for. */
@Timeout(30)
class JobStateTests {

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                // line; pending; over; gone
                "12|PENDING|N/A||Priority; true; false; false",
                "12|CONFIGURING|2026-11-21T10:00:00|n1|None; true; false; false",
                "12|RUNNING|2026-11-21T10:00:00|n[1-3]|None; false; false; false",
                "12|SUSPENDED|2026-11-21T10:00:00|n1|None; false; false; false",
                "12|COMPLETING|2026-11-21T10:00:00|n1|None; false; true; false",
                "12|COMPLETED|2026-11-21T10:00:00|n1|None; false; true; true",
                "12|NODE_FAIL|2026-11-21T10:00:00||None; false; true; true",
                "12|A_STATE_OF_A_LATER_SLURM|N/A||None; false; true; true",
            })
    void aStateSaysWhetherAJobWaitsAndWhetherAnythingOfItIsLeft(
            String line, boolean pending, boolean over, boolean gone) {
        JobState job = JobState.parse(line);
        assertThat(job.isPending()).isEqualTo(pending);
        assertThat(job.isOver()).isEqualTo(over);
        assertThat(job.isGone()).isEqualTo(gone);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "12|TIMEOUT|N/A|n1|TimeLimit; reached its time limit (TIMEOUT): see testbed.time-limit",
                "12|CANCELLED|N/A|n1|None; was cancelled (CANCELLED)",
                "12|NODE_FAIL|N/A||None; lost its nodes (NODE_FAIL)",
                "12|OUT_OF_MEMORY|N/A|n1|OutOfMemory; exceeded its memory limit (OUT_OF_MEMORY)",
                "12|FAILED|N/A|n1|NonZeroExitCode; ended: FAILED, NonZeroExitCode",
                "12|FAILED|N/A|n1|None; ended: FAILED",
            })
    void anEndIsSaidInWordsWithWhatToLookAt(String line, String words) {
        assertThat(JobState.parse(line).ending()).isEqualTo(words);
    }

    @Test
    void aReasonMayHoldTheSeparator() {
        JobState job = JobState.parse("12|PENDING|N/A||ReqNodeNotAvail, UnavailableNodes:n[1|2]");
        assertThat(job.waiting()).isEqualTo("ReqNodeNotAvail, UnavailableNodes:n[1|2]");
        assertThat(JobState.parse("12|PENDING|N/A||None").waiting()).isEqualTo("not considered yet");
    }

    @Test
    void anotherLineIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> JobState.parse("slurm_load_jobs error: Unable to contact"));
    }
}
