package org.diperf.analyzer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Three clients start at 0, 1 and 2 s and live 4 s: the plan is 6 s, the peak [2 s, 4 s). Clients 0 and 2 are on tester 1,
 * client 1 on tester 2, whose clocks are hours apart and drift against each other.
 */
@Timeout(60)
final class HandSolvedRunTests {

    @TempDir
    private Path folder;

    private static RunFixture run() {
        return new RunFixture()
                .tester(1, 7_200_000_000_000L, 50)
                .tester(2, -3_600_000_000_000L, -80)
                .closed(3, 1000, 4000)
                .exchanges(7000)
                // Client 0: 100, 200, 300, 400 ms, then one that fails, then two in the peak, then one behind its end.
                .call(1, 0, 0, 0, 100, "ok")
                .call(1, 0, 500, 500, 700, "ok")
                .call(1, 0, 1000, 1000, 1300, "ok")
                .call(1, 0, 1500, 1510, 1910, "http 500")
                .call(1, 0, 2100, 2100, 2200, "ok")
                .call(1, 0, 3100, 3100, 3200, "ok")
                .call(1, 0, 3900, 3900, 4100, "ok")
                // Client 1: one long call over two boundaries of quanta, one in the peak, one that never ended.
                .call(2, 1, 1200, 1200, 3700, "ok")
                .call(2, 1, 3700, 3700, 3950, "ok")
                .call(2, 1, 4500, 4500, 5500, "timeout")
                .call(2, 1, 5600, 5600, 6000, "unfinished")
                // Client 2.
                .call(1, 2, 2000, 2000, 2250, "ok")
                .call(1, 2, 5000, 5000, 5250, "ok")
                .observation(1, "network.rtt", 1000, 1.0)
                .observation(1, "network.rtt", 2000, 3.0)
                .observation(1, "network.rtt", 2500, 2.0)
                .observation(2, "network.rtt", 2500, 0.5)
                .observation(1, "tester.cpu", 1000, 0.2)
                .observation(1, "tester.cpu", 2000, 0.4)
                .observation(2, "tester.hiccup", 2000, 4.0);
    }

    @Test
    void writes(@TempDir Path out) throws IOException {
        Analysis analysis = run().analyze(folder);
        Analyzer.write(analysis, out);
        assertThat(analysis.summary().calls().ok()).isEqualTo(9);
        assertThat(analysis.summary().durationSeconds()).isCloseTo(6, within(1e-4));
    }
}
