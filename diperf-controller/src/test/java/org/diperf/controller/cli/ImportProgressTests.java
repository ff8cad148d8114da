package org.diperf.controller.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
final class ImportProgressTests {

    private final StringWriter said = new StringWriter();
    private long nowNanos;

    private ImportProgress progress(boolean redraws) {
        return new ImportProgress(new PrintWriter(said), redraws, () -> nowNanos);
    }

    private static long seconds(double seconds) {
        return Math.round(seconds * TimeUnit.SECONDS.toNanos(1));
    }

    @Test
    void withoutATerminalALineIsSaidEveryFiveSeconds() {
        ImportProgress progress = progress(false);
        for (int tenths = 1; tenths < 120; tenths++) {
            nowNanos = seconds(tenths / 10.0);
            progress.at(1_000L * tenths, 10L * tenths, 2_000);
        }
        progress.end();
        assertThat(said.toString().lines())
                .containsExactly("0:05  50,000 rows read, 25 %, 10,000/s", "0:10  100,000 rows read, 50 %, 10,000/s");
    }

    @Test
    void onATerminalTheLineIsRedrawnAndRemovedAtTheEnd() {
        ImportProgress progress = progress(true);
        nowNanos = seconds(0.1);
        progress.at(1, 1, 100);
        assertThat(said.toString()).isEmpty();
        nowNanos = seconds(0.3);
        progress.at(300, 30, 100);
        assertThat(said.toString()).endsWith("300 rows read, 30 %, 1,000/s").startsWith("\r");
        progress.end();
        assertThat(said.toString()).endsWith(Terminal.emptied());
    }
}
