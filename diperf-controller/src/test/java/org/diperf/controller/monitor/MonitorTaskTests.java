package org.diperf.controller.monitor;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.diperf.core.clock.NanoClock;
import org.diperf.core.spi.Monitor;
import org.diperf.core.spi.MonitorContext;
import org.diperf.core.spi.Parameters;
import org.diperf.core.spi.Url;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What becomes of a monitor that fails, and of one that never ends. */
@Timeout(30)
class MonitorTaskTests {

    private record Settings(Parameters with, String name, Duration period, List<Url> targets)
            implements MonitorContext {}

    @TempDir
    Path folder;

    private final List<String> said = new ArrayList<>();
    private MonitorFile file;

    @BeforeEach
    void open() throws Exception {
        file = new MonitorFile(folder);
    }

    @AfterEach
    void close() throws Exception {
        file.close();
    }

    private MonitorTask watch(Monitor monitor) {
        NanoClock clock = () -> 0;
        WallClockMap walls = new WallClockMap(clock, () -> 0);
        Settings settings =
                new Settings(Parameters.read(List.of(), Map.of(), 1), "server", Duration.ofSeconds(1), List.of());
        MonitorSamples samples = new MonitorSamples(1, false, clock, walls, file, new MetricNames(List.of()));
        return new MonitorTask(1, "odd", context -> monitor, settings, samples, walls, said::add);
    }

    @Test
    void anErrorIsASampleThatFailed() {
        int[] asked = new int[1];
        MonitorTask watch = watch(readings -> {
            if (asked[0]++ == 0) {
                throw new StackOverflowError();
            }
        });
        // Stopped before: the first sample and the last one.
        watch.stop();
        watch.run();
        assertThat(asked[0]).isEqualTo(2);
        assertThat(watch.record().failed()).isEqualTo(1);
        assertThat(watch.complaint())
                .isEqualTo("monitor 'server' (odd) returned 1 of 2 samples; first failure: StackOverflowError");
        assertThat(said).containsExactly("monitor 'server': StackOverflowError");
    }

    @Test
    void aSampleThatNeverEndsIsMissedAtTheEnd() throws Exception {
        CountDownLatch asked = new CountDownLatch(1);
        CountDownLatch answered = new CountDownLatch(1);
        MonitorTask watch = watch(readings -> {
            asked.countDown();
            answered.await();
        });
        Thread thread = new Thread(watch, "watch");
        thread.start();
        asked.await();
        assertThat(watch.complaint()).as("it has not been stopped").isNull();
        watch.stop();
        assertThat(watch.complaint())
                .isEqualTo("monitor 'server' (odd) did not stop in time, so its last samples are missing");
        answered.countDown();
        thread.join();
        assertThat(watch.complaint()).isNull();
    }
}
