package org.diperf.plugins.monitor;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.diperf.core.contract.ReadingsProbe;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** What this host says of itself. */
@Timeout(10)
class HostMonitorTests {

    @TempDir
    Path folder;

    @Test
    void interfacesTellWhatTheyStandUpon() throws Exception {
        Files.createDirectories(folder.resolve("eth0/device"));
        Files.createDirectories(folder.resolve("bond0/lower_eth0"));
        Files.createDirectories(folder.resolve("lo/queues"));
        Files.writeString(folder.resolve("bonding_masters"), "bond0\n");
        assertThat(HostPlugin.links(folder).split("\n"))
                .containsExactlyInAnyOrder(folder + "/eth0/device", folder + "/bond0/lower_eth0");
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void thisHostTellsOfItself() {
        ReadingsProbe seen = new ReadingsProbe();
        HostPlugin.sample(Path.of("/proc"), Map.of(), seen);
        assertThat(seen.gauges.get("cores")).isPositive();
        assertThat(seen.gauges.get("memory")).isPositive();
        assertThat(seen.counters.get("cpu")).isPositive();
    }
}
