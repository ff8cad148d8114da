package org.diperf.plugins.monitor;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.diperf.core.contract.ReadingsProbe;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** What this host says of itself. */
@Timeout(10)
class HostMonitorTests {

    @Test
    @EnabledOnOs(OS.LINUX)
    void thisHostTellsOfItself() {
        ReadingsProbe seen = new ReadingsProbe();
        HostPlugin.sample(Path.of("/proc"), seen);
        assertThat(seen.gauges.get("cores")).isPositive();
        assertThat(seen.gauges.get("memory")).isPositive();
        assertThat(seen.counters.get("cpu")).isPositive();
    }
}
