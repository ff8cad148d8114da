package org.diperf.controller.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The run in {@code src/main/resources/.../rehearsal} is that of {@code diperf run URL --clients 4 --think 20ms --for 2s} against a small page, with
 * this machine's names taken out of its {@code run.json}.
 */
@Timeout(60)
class ReportWarmupTests {

    @Test
    void theRunThatComesWithTheProgramIsAnalysedAndAllOfItIsDrawn() throws Exception {
        try (ReportWarmup rehearsal = new ReportWarmup()) {
            rehearsal.begins();
            rehearsal.awaitEnd();
            // Its analysis, its table, the list of its figures, and ten figures at least.
            assertThat(rehearsal.taken()).isGreaterThan(13);
        }
    }

    @Test
    void whileSomethingIsMeasuredNothingIsDone() throws Exception {
        try (ReportWarmup rehearsal = new ReportWarmup()) {
            rehearsal.begins();
            rehearsal.ends();
            rehearsal.awaitRest();
            int taken = rehearsal.taken();
            assertThat(taken).isLessThan(3);
            while (!rehearsal.isResting()) {
                Thread.onSpinWait();
            }
            assertThat(rehearsal.taken()).isEqualTo(taken);

            rehearsal.begins();
            rehearsal.awaitEnd();
            assertThat(rehearsal.taken()).isGreaterThan(taken);
        }
    }

    @Test
    void whoClosesItLeavesTheRestOut() throws Exception {
        ReportWarmup rehearsal = new ReportWarmup();
        rehearsal.close();
        rehearsal.begins();
        rehearsal.ends();
        assertThat(rehearsal.taken()).isZero();
    }
}
