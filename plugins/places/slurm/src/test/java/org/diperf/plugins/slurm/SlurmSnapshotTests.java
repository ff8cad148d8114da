package org.diperf.plugins.slurm;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(5)
class SlurmSnapshotTests {

    private static final SlurmSnapshot POLL = SlurmSnapshot.parse("""
            12|RUNNING|2026-11-21T10:00:00|n[1-2,4]|None
            13|PENDING|2026-11-21T11:00:00||Resources
            @@part
            n1 mix
            n2 mix*
            n4 down*
            @@part
            tester-1.node:n1
            tester-2.node:n2
            tester-3.node:n3
            tester-4.node:n4
            tester-1.exit:0
            """);

    private static JobState job(String id) {
        return requireNonNull(POLL.jobs().get(id));
    }

    @Test
    void aNodeThatSlurmTookFromTheJobHasFailed() {
        assertThat(POLL.nodeFailed(3, job("12"))).isTrue();
    }

    @Test
    void aNodeThatIsDownHasFailed() {
        assertThat(POLL.nodeFailed(4, job("12"))).isTrue();
    }

    @Test
    void aNodeThatOnlyDoesNotAnswerHasNotFailedYet() {
        assertThat(POLL.nodeFailed(2, job("12"))).isFalse();
        assertThat(POLL.isSilent("n2")).isTrue();
        assertThat(POLL.isSilent("n1")).isFalse();
    }

    @Test
    void aTesterThatWasNotBegunHasNoNodeThatCouldFail() {
        assertThat(POLL.nodeFailed(5, job("12"))).isFalse();
    }

    @Test
    void exitCodesAreOfTestersThatEnded() {
        assertThat(POLL.exitCodeOf()).containsOnlyKeys(1).containsValue(0);
    }

    @Test
    void aJobInTheQueueSaysWhyAndUntilWhen() {
        assertThat(job("13").isPending()).isTrue();
        assertThat(job("13").waiting()).isEqualTo("Resources, expected to start 2026-11-21T11:00:00");
    }

    @Test
    void aJobThatIsCompletingIsOverButNotGone() {
        JobState completing = JobState.parse("12|COMPLETING|N/A|n1|NonZeroExitCode");
        assertThat(completing.isOver()).isTrue();
        assertThat(completing.isGone()).isFalse();
        assertThat(JobState.parse("12|TIMEOUT|N/A|n1|TimeLimit").isGone()).isTrue();
    }

    @Test
    void whatIsNoAnswerIsRefused() {
        assertThatIllegalArgumentException().isThrownBy(() -> SlurmSnapshot.parse("slurm_load_jobs error"));
    }
}
