package org.diperf.plugins.weather;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a sensor says of its host. */
class LocalResourcesTests {

    @TempDir
    Path proc;

    private LocalResources resources;

    @BeforeEach
    void start() throws IOException {
        Files.writeString(proc.resolve("meminfo"), "MemTotal: 4096 kB\nMemAvailable:    2048 kB\n");
        resources = new LocalResources(proc, proc);
    }

    /** @param running with the one that reads */
    private Map<String, Double> after(long busy, long idle, int running, int processors) throws IOException {
        Files.writeString(proc.resolve("loadavg"), "1.50 0.70 0.30 " + running + "/200 1234\n");
        StringBuilder stat = new StringBuilder("cpu  " + busy + " 0 0 " + idle + " 0 0 0 0 0 0\n");
        for (int i = 0; i < processors; i++) {
            stat.append("cpu").append(i).append(" 1 2 3 4 5 6 7 8 9 10\n");
        }
        Files.writeString(proc.resolve("stat"), stat);
        return resources.measure();
    }

    @Test
    void memoryDiskAndLoadAreThereAtOnceAndCpuFromTheSecondTimeOn() throws IOException {
        Map<String, Double> first = after(0, 0, 1, 1);
        assertThat(first).containsOnlyKeys("loadAverage", "freeMemory", "freeDisk");
        assertThat(first).containsEntry("freeMemory", 2.0).containsEntry("loadAverage", 1.5);
        assertThat(first.get("freeDisk")).isPositive();
        assertThat(after(50, 50, 1, 1)).containsKeys("availableCpu", "currentCpu");
    }

    @Test
    void oneProcessorOnWhichAnotherProcessRunsIsShared() throws IOException {
        after(0, 0, 2, 1);
        Map<String, Double> busy = after(100, 0, 2, 1);
        assertThat(busy.get("availableCpu")).isEqualTo(0.5, within(1e-9));
        assertThat(busy.get("currentCpu")).isEqualTo(1, within(1e-9));
    }

    @Test
    void whatIsIdleIsAvailableWhole() throws IOException {
        after(0, 0, 2, 1);
        assertThat(after(60, 40, 2, 1).get("availableCpu")).isEqualTo(0.4 + 0.3, within(1e-9));
    }

    @Test
    void ofTwoProcessorsOneMoreProcessGetsOneAtMost() throws IOException {
        after(0, 0, 2, 2);
        assertThat(after(50, 50, 2, 2).get("availableCpu")).isEqualTo(1, within(1e-9));
        assertThat(after(250, 50, 5, 2).get("availableCpu")).isEqualTo(2 / 5.0, within(1e-9));
        assertThat(after(450, 50, 5, 2).get("currentCpu")).isEqualTo(0.5, within(1e-9));
    }

    @Test
    void thisHostCanBeMeasured() throws IOException {
        assertThat(new LocalResources(Path.of("/proc"), proc).measure().get("freeMemory"))
                .isPositive();
    }
}
