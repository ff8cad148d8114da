package org.diperf.analyzer.figure;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import org.diperf.analyzer.RunFixture;
import org.diperf.analyzer.result.Analysis;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Probes every other second, whose forecasts begin with the second and whose intervals with the third. */
@Timeout(60)
class ForecastFigureTests {

    @TempDir
    private Path folder;

    private RunFixture run() throws IOException {
        RunFixture run = new RunFixture().tester(1, 0, 0).closed(1, 0, 10_000).exchanges(10_000);
        for (int i = 0; i < 5; i++) {
            run.call(1, 0, 2_000 * i, 2_000 * i, 2_000 * i + 500, "ok")
                    .observation(1, "bandwidth", 2_000L * i + 500, 90 + i);
        }
        return run;
    }

    @Test
    void whatWasForecastIsDrawnBesideWhatCame() throws IOException {
        RunFixture run = run();
        for (int i = 1; i < 5; i++) {
            run.observation(1, "bandwidth.forecast", 2_000L * i + 500, 89 + i);
        }
        for (int i = 2; i < 5; i++) {
            run.observation(1, "bandwidth.low", 2_000L * i + 500, i == 3 ? 95 : 80)
                    .observation(1, "bandwidth.high", 2_000L * i + 500, 100);
        }
        Analysis analysis = run.analyze(folder);
        FigureData figure = FigureData.of(analysis, "forecasts");

        assertThat(figure.panels()).isEqualTo(1);
        assertThat(figure.range(0)).isEqualTo("bandwidth");
        assertThat(figure.row(0, "measured").y()).containsExactly(90, 91, 92, 93, 94);
        assertThat(figure.row(0, "forecast").x()).containsExactly(2.5, 4.5, 6.5, 8.5);
        assertThat(figure.row(0, "forecast").y()).containsExactly(90, 91, 92, 93);
        assertThat(figure.legend()).contains("9 of 10 within");
        assertThat(figure.howToRead()).contains("the shaded range of bandwidth contained 2 of 3");
    }

    /** A run that a number of calls ends has its last probe in a quantum that is not whole, which figures leave out. */
    @Test
    void aProbeInAQuantumThatIsNotWholeIsLeftOut() throws IOException {
        RunFixture run = new RunFixture().tester(1, 0, 0).closed(1, 0, 2_500).exchanges(3_000);
        for (int i = 0; i < 3; i++) {
            run.call(1, 0, 1_000 * i, 1_000 * i, 1_000 * i + 450, "ok")
                    .observation(1, "bandwidth", 1_000L * i + 450, 90 + i)
                    .observation(1, "bandwidth.forecast", 1_000L * i + 450, 89 + i);
        }
        FigureData figure = FigureData.of(run.analyze(folder), "forecasts");

        assertThat(figure.row(0, "measured").y()).containsExactly(90, 91);
        assertThat(figure.row(0, "forecast").y()).containsExactly(89, 90);
    }

    @Test
    void aRunThatForecastsNothingHasNoSuchFigure() throws IOException {
        assertThat(FigureData.names(run().analyze(folder))).doesNotContain("forecasts");
    }
}
