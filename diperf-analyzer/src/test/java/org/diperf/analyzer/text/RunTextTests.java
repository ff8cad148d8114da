package org.diperf.analyzer.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import org.diperf.analyzer.RunFixture;
import org.diperf.core.run.RunRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class RunTextTests {

    private static String stage(RunFixture fixture, Path folder) throws IOException {
        RunRecord run = fixture.analyze(folder).run();
        return RunText.stage(run, run.stages().get(0));
    }

    @Test
    void aClientMakesOneCallAfterAnother(@TempDir Path folder) throws IOException {
        assertThat(stage(new RunFixture().tester(1, 0, 0).exchanges(2_000).closed(3, 0, 1_000), folder))
                .isEqualTo("Closed load: 3 clients, all started at once, each running for 1 s; a client makes its next"
                        + " call when the previous one has ended, without a pause; a call may take at most 30 s.");
    }

    /** It said that calls follow one another without a pause, where the steps of the journey think. */
    @Test
    void aClientOfAJourneyPausesWithinIt(@TempDir Path folder) throws IOException {
        assertThat(stage(
                        new RunFixture()
                                .tester(1, 0, 0)
                                .exchanges(2_000)
                                .journey("buy", "a", "b")
                                .closed(3, 0, 1_000),
                        folder))
                .isEqualTo("Closed load: 3 clients, all started at once, each running for 1 s; a client begins its next"
                        + " journey when the previous one has ended, without a pause; within a journey, it pauses as the"
                        + " steps say; a call may take at most 30 s.");
    }
}
