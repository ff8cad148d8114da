package org.diperf.plugins.lib.proc;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.diperf.core.contract.ReadingsProbe;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a host says of itself. */
@Timeout(10)
class HostFilesTests {

    @Test
    void everyFileBecomesMetricsWithUnits() {
        ReadingsProbe seen = new ReadingsProbe();
        HostFiles.take(
                Map.of(
                        "stat",
                        "cpu  100 10 50 1000 7 3 2 5 0 0\ncpu0 50 5 25 500 3 1 1 2 0 0\ncpu1 1 1 1 1 1 1 1 1 0 0\nctxt 42\n",
                        "loadavg",
                        "1.50 1.00 0.50 2/345 6789\n",
                        "meminfo",
                        "MemTotal:  1000 kB\nMemFree: 100 kB\nMemAvailable:  400 kB\nSwapTotal: 50 kB\nSwapFree: 20 kB\n",
                        "vmstat",
                        "pgpgin 5\npswpin 2\npswpout 3\n",
                        "net/dev",
                        "Inter-| Receive\n face |bytes\n    lo: 700 1 0 0 0 0 0 0 700 1 0 0 0 0 0 0\n"
                                + "  eth0:300 1 0 0 0 0 0 0 400 1 0 0 0 0 0 0\n",
                        "diskstats",
                        "8 0 sda 1 0 10 0 1 0 20 0 0 0 0\n8 1 sda1 1 0 10 0 1 0 20 0 0 0 0\n"),
                seen,
                1,
                2);
        assertThat(seen.counters)
                .containsEntry("cpu", 1.65)
                .containsEntry("cpu.user", 1.10)
                .containsEntry("cpu.system", 0.55)
                .containsEntry("cpu.steal", 0.05)
                .containsEntry("switches", 42.0)
                .containsEntry("swap.in", 8192.0)
                .containsEntry("network.in", 300.0)
                .containsEntry("network.out", 400.0)
                .containsEntry("network.lo.in", 700.0)
                .containsEntry("disk.read", 5120.0)
                .containsEntry("disk.write", 10240.0);
        assertThat(seen.gauges)
                .containsEntry("cores", 2.0)
                .containsEntry("load", 1.5)
                .containsEntry("processes", 345.0)
                .containsEntry("memory", 600 * 1024.0)
                .containsEntry("swap", 30 * 1024.0);
        assertThat(seen.units).containsEntry("cpu", "cores").containsEntry("network.in", "bytes/s");
    }

    @Test
    void whatIsMissingIsAbsent() {
        ReadingsProbe seen = new ReadingsProbe();
        HostFiles.take(Map.of("stat", "nonsense"), seen, 1, 1);
        assertThat(seen.counters).isEmpty();
        assertThat(seen.gauges.values()).allMatch(value -> value.isNaN());
    }
}
