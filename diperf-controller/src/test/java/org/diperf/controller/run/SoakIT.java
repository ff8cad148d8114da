package org.diperf.controller.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.diperf.controller.cli.Main;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/** A minute of {@code benchmarks/soak}, with two cuts. */
@EnabledIfSystemProperty(named = "diperf.long", matches = "true")
class SoakIT {

    private static final Soak.SoakPlan COURSE = new Soak.SoakPlan(2, 30, 12, 50_000);

    @TempDir
    Path folder;

    @Test
    @Timeout(value = 5, unit = TimeUnit.MINUTES)
    void nothingIsLostWhileTheNetworkGoesAwayAndMemoryStaysFlat() throws Exception {
        Soak.Outcome outcome = Soak.run(
                folder,
                COURSE,
                List.of(
                        MeasuredCollector.java(),
                        "-Xmx256m",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Main.class.getName()));
        assertThat(outcome.troubles()).isEmpty();
        assertThat(outcome.found()).isEqualTo(outcome.sent());
        assertThat(MeasuredCollector.samples(outcome.found()))
                .as("50,000 a second for a minute")
                .isGreaterThan(2_500_000);
        assertThat(outcome.heapMegabytes().get(1) - outcome.heapMegabytes().get(0))
                .as("growth of the controller's heap over 1.5 million samples, MB: %s", outcome.heapMegabytes())
                .isLessThan(3);
    }
}
