package org.diperf.analyzer.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import org.diperf.analyzer.RunFixture;
import org.diperf.analyzer.SimulatedLoad;
import org.diperf.analyzer.SimulatedService;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(60)
class NextStepTests {

    @TempDir
    private Path folder;

    /** 57 ms at 24 workers: no more than 24 clients are served at once. */
    @ParameterizedTest
    @CsvSource({"8, true", "64, false"})
    void aRampThatFoundTheLimitIsNotSentToLookForIt(int clients, boolean sent) throws IOException {
        RunFixture run =
                new RunFixture().tester(1, 0, 0).closed(clients, 1000, 80_000).exchanges(145_000);
        new SimulatedLoad(run, SimulatedService.lognormal(24, 57, 0.3, 42))
                .testers(1, 1)
                .closed(0, 0, clients, 0, 1000, 80_000);
        assertThat(NextStep.of(run.analyze(folder)).isEmpty()).isNotEqualTo(sent);
    }
}
