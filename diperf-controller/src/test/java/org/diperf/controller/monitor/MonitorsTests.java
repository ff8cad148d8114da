package org.diperf.controller.monitor;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.diperf.core.clock.NanoClock;
import org.diperf.core.clock.WallClock;
import org.diperf.core.plugin.Plugins;
import org.diperf.core.run.MonitorRecord;
import org.diperf.core.sample.Block;
import org.diperf.core.sample.Observations;
import org.diperf.core.sample.SampleReader;
import org.diperf.core.spi.Monitor;
import org.diperf.core.spi.Place;
import org.diperf.core.spi.Testbed;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What is kept of what a testbed's own monitor reports. */
@Timeout(60)
class MonitorsTests {

    @TempDir
    Path folder;

    /** @param metrics of its monitor */
    private record Bed(int metrics) implements Testbed {

        @Override
        public void start(List<Place> places) {}

        @Override
        public Optional<Monitor> monitor() {
            return Optional.of(readings -> {
                for (int i = 0; i < metrics; i++) {
                    readings.gauge("link-" + i + ".there.queue", "packets", i, readings.nanoTime());
                }
            });
        }

        @Override
        public void close() {}
    }

    private MonitorRecord watch(int metrics) throws Exception {
        try (Plugins plugins = Plugins.bundled();
                Monitors monitors = Monitors.start(
                        List.of(),
                        new Bed(metrics),
                        new Monitors.Config(
                                plugins, List.of(), 1, folder, NanoClock.SYSTEM, WallClock.SYSTEM, line -> {}))) {
            monitors.awaitOpen();
            monitors.stop();
            return requireNonNull(monitors.records()).get(0);
        }
    }

    private Set<String> kept() throws IOException {
        Set<String> kept = new HashSet<>();
        Observations observations = new Observations();
        SampleReader.read(folder, new SampleReader.Visitor() {
            @Override
            public void block(Block header, ByteBuffer data) throws IOException {
                observations.decode(data, header);
                for (int row = 0; row < observations.rows(); row++) {
                    kept.add(observations.metric(row));
                }
            }

            @Override
            public void damaged(Path file, long offset, String reason) {
                throw new AssertionError(reason);
            }
        });
        return kept;
    }

    @Test
    void twoHundredLinksThatAllQueueAreKept() throws Exception {
        assertThat(watch(1_200).notes()).isEmpty();
        assertThat(kept()).hasSize(1_200).contains("gauge link-1199.there.queue [packets]");
    }

    @Test
    void whatIsNotKeptIsSaidWithoutAdviceThatNobodyCanFollow() throws Exception {
        assertThat(watch(1_600).notes()).containsExactly("only the first 1500 metrics are kept");
        assertThat(kept()).hasSize(MonitorRecord.maxMetrics(true));
    }
}
