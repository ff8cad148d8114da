package org.diperf.analyzer;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.diperf.analyzer.result.Summary;
import org.diperf.core.run.RunRecord.MeasureRecord;
import org.diperf.core.run.Warning;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** 100 calls a second for 10 s, of which the beginning is measured or not. */
@Timeout(60)
class ColdStartTests {

    /** A power of two, which is recorded as it is: about 4 ms. */
    private static final long MUCH = 1 << 22;

    private static final long LITTLE = 1 << 14;

    @TempDir
    Path folder;

    /** @param coldMillis until when the generator may have added much */
    private Summary summary(double coldMillis, double slowMillis, double lagMillis) throws IOException {
        RunFixture run = new RunFixture()
                .tester(1, 0, 0)
                .open(100, "constant", 0, 10_000)
                .exchanges(11_000);
        for (int i = 0; i < 1_000; i++) {
            double due = 10 * i;
            run.bounded(LITTLE, due < coldMillis ? MUCH : LITTLE);
            double sent = due + lagMillis;
            run.call(1, 0, due, sent, sent + (due < slowMillis ? 500 : 5), "ok");
        }
        MeasureRecord measure = new MeasureRecord("peak", 0, 0, MeasureRecord.WHILE_COLD);
        return Analyzer.analyze(
                        run.write(Files.createTempDirectory(folder, "run")),
                        new Analyzer.Options(null, null, 0, measure))
                .summary();
    }

    private static double from(Summary summary) {
        return requireNonNull(summary.measured()).fromSeconds();
    }

    @Test
    void whatAColdGeneratorMayHaveMoreThanDoubledIsNotMeasured() throws IOException {
        Summary summary = summary(730, 0, 0);
        assertThat(from(summary)).as("to the end of its tenth of a second").isEqualTo(0.8);
        assertThat(summary.warnings())
                .extracting(Warning::text)
                .contains("the first 0.8 s are not measured: the load generator was still warming up");
    }

    @Test
    void aServiceThatIsSlowAtFirstStaysIn() throws IOException {
        Summary summary = summary(2_000, 2_000, 0);
        assertThat(from(summary)).as("4 of 500 ms are not much").isZero();
        assertThat(summary.warnings()).extracting(Warning::text).noneMatch(text -> text.contains("warming up"));
    }

    @Test
    void aGeneratorThatNeverIsWarmIsNotWarmingUp() throws IOException {
        assertThat(from(summary(0, 0, 20))).isZero();
        assertThat(from(summary(10_000, 0, 0))).isZero();
    }
}
