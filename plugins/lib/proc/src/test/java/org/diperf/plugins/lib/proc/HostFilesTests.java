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

    private static Map<String, Double> network(String links, String... interfaces) {
        ReadingsProbe seen = new ReadingsProbe();
        StringBuilder dev = new StringBuilder("Inter-| Receive\n face |bytes\n");
        for (int i = 0; i < interfaces.length; i++) {
            long bytes = 1L << i;
            dev.append(interfaces[i] + ": " + bytes + " 1 0 0 0 0 0 0 " + 100 * bytes + " 1 0 0 0 0 0 0\n");
        }
        HostFiles.take(Map.of("net/dev", dev.toString(), HostFiles.LINKS, links), seen, 1, 1);
        return seen.counters;
    }

    @Test
    void whatGoesThroughSeveralInterfacesCountsOnce() {
        String bond = "/sys/class/net/eth0/device /sys/class/net/eth1/device /sys/class/net/bond0/lower_eth0"
                + " /sys/class/net/bond0/lower_eth1 /sys/class/net/bond0.7/lower_bond0\n";
        assertThat(network(bond, "lo", "bond0.7", "bond0", "eth0", "eth1", "veth1"))
                .containsEntry("network.in", 8.0 + 16)
                .containsEntry("network.out", 2_400.0)
                .containsEntry("network.bond0.in", 4.0);
        assertThat(network("/n/eth0/device /n/eth1/device /n/eth0/lower_eth1", "lo", "eth0", "eth1"))
                .as("a virtual machine's interface upon the one of its host's hardware")
                .containsEntry("network.in", 2.0);
    }

    @Test
    void whereNoDeviceIsAllButTheLoopbackCount() {
        for (String links : new String[] {
            "", "/sys/class/net/*/device /sys/class/net/*/lower_*\n", "/sys/class/net/of-another-network/device\n"
        }) {
            assertThat(network(links, "lo", "eth0", "wg0")).as(links).containsEntry("network.in", 2.0 + 4);
        }
    }

    @Test
    void pagesHaveTheSizeThatTheMachineSays() {
        ReadingsProbe seen = new ReadingsProbe();
        HostFiles.take(Map.of("vmstat", "pswpin 2\n", HostFiles.PAGE_BYTES, "65536\n"), seen, 1, 1);
        assertThat(seen.counters).containsEntry("swap.in", 131_072.0);
    }

    @Test
    void whatIsMissingIsAbsent() {
        ReadingsProbe seen = new ReadingsProbe();
        HostFiles.take(Map.of("stat", "nonsense"), seen, 1, 1);
        assertThat(seen.counters).isEmpty();
        assertThat(seen.gauges.values()).allMatch(value -> value.isNaN());
    }
}
