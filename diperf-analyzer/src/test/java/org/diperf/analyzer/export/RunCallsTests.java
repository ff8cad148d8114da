package org.diperf.analyzer.export;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.diperf.analyzer.RunFixture;
import org.diperf.core.spi.CallExport;
import org.diperf.core.spi.ExportedCall;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The calls of a run, one after another. */
@Timeout(60)
class RunCallsTests {

    private static final long FROM = Long.MIN_VALUE;
    private static final long TO = Long.MAX_VALUE;

    @TempDir
    Path folder;

    /** Writes down what it is given. */
    private static final class Listed implements CallExport {

        private final List<String> calls = new ArrayList<>();

        @Override
        public void add(ExportedCall call) {
            calls.add(call.tester() + " " + call.client() + "." + call.call() + " " + call.intendedNanos() + "+"
                    + call.lagNanos() + "+" + call.responseNanos() + " " + call.outcome());
        }

        @Override
        public void close() {
            // nothing to end
        }
    }

    private static RunFixture twoTesters() {
        // The clocks of testers are known by exchanges of 10 us each way, and run at the same rate.
        return new RunFixture()
                .tester(1, 5_000_000_000L, 0)
                .tester(2, -7_000_000_000L, 0)
                .closed(2, 0, 10_000)
                .requests("browse", "order")
                .exchanges(10_000);
    }

    @Test
    void callsOfAllTestersAreInGlobalTime() throws IOException {
        Path run = twoTesters()
                .call(1, 0, 0, 1000, 1001, 1012.5, "ok", 300)
                .call(2, 1, 1, 2000, 2000, 2030, "status 503", 0)
                .call(1, 0, 0, 3000, 3000, 3001, "ok", 7)
                .write(folder);
        Listed listed = new Listed();

        RunCalls.of(run).read(FROM, TO, listed);

        assertThat(listed.calls)
                .containsExactlyInAnyOrder(
                        "1 0.0 1000000000+1000000+12500000 ok",
                        "1 0.1 3000000000+0+1000000 ok",
                        "2 1.0 2000000000+0+30000000 status 503");
    }

    @Test
    void onlyCallsThatEndedInThePartAreGivenAndKeepTheirNumbers() throws IOException {
        Path run = twoTesters()
                .call(1, 0, 1000, 1000, 2000, "ok")
                .call(1, 0, 2000, 2000, 3000, "ok")
                .call(1, 0, 3000, 3000, 4000, "ok")
                .write(folder);
        Listed listed = new Listed();

        RunCalls.of(run).read(3_000_000_000L, 4_000_000_000L, listed);

        assertThat(listed.calls).containsExactly("1 0.1 2000000000+0+1000000000 ok");
    }

    @Test
    void blocksThatCameTwiceAreGivenOnceAndDamagedOnesAreLeftOut() throws IOException {
        Path run = twoTesters()
                .call(1, 0, 1000, 1000, 2000, "ok")
                .again(1)
                .call(2, 1, 1000, 1000, 2000, "ok")
                .damage(2)
                .call(1, 0, 2000, 2000, 3000, "timeout")
                .write(folder);

        assertThat(RunCalls.of(run).read(FROM, TO, new Listed())).isEqualTo(new RunCalls.Found(2, 1, 1));
    }
}
