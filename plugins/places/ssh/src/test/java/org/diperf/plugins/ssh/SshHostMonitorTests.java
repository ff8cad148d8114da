package org.diperf.plugins.ssh;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.diperf.plugins.lib.proc.HostFiles;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What a shell on a machine is asked. */
@Timeout(60)
class SshHostMonitorTests {

    @TempDir
    Path work;

    @Test
    void oneProcessReadsTheClockAndTheFilesSoThatNoTimePassesBetweenThem() throws Exception {
        Path grep = Path.of("/bin/grep");
        assumeTrue(Files.isExecutable(grep) && Files.exists(Path.of("/proc/stat")), "needs /proc and grep");
        Path bin = Files.createDirectory(work.resolve("bin"));
        Path counting = Files.writeString(
                bin.resolve("grep"),
                "#!/bin/sh\necho started >>" + work.resolve("starts") + "\nexec " + grep + " \"$@\"\n");
        assertThat(counting.toFile().setExecutable(true)).isTrue();
        ProcessBuilder shell = new ProcessBuilder("/bin/sh", "-c", SshHostMonitor.SCRIPT);
        shell.environment().put("PATH", bin.toString());
        Path getconf = Files.writeString(bin.resolve("getconf"), "#!/bin/sh\necho 65536 \"$@\"\n");
        assertThat(getconf.toFile().setExecutable(true)).isTrue();
        Process started = shell.start();
        started.getOutputStream().write("?\n".getBytes(StandardCharsets.US_ASCII));
        started.getOutputStream().close();
        Map<String, String> files =
                read(new String(started.getInputStream().readAllBytes(), StandardCharsets.US_ASCII));

        assertThat(files).containsKeys("uptime", "stat", "loadavg", "meminfo", "net/dev");
        assertThat(files).containsEntry(HostFiles.PAGE_BYTES, "65536 PAGESIZE\n");
        assertThat(files.get(HostFiles.LINKS)).startsWith(" /sys/class/net/");
        assertThat(files.get("stat")).startsWith("cpu ").contains("\ncpu0 ", "\nctxt ");
        assertThat(files.get("net/dev")).contains("\n    lo:");
        assertThat(SshHostMonitor.upNanos(files.get("uptime"), -1)).isPositive();
        assertThat(work.resolve("starts")).hasContent("started");
    }

    @Test
    void aMachineThatDoesNotSayHowLongItIsUpIsTimedFromHere() throws Exception {
        assertThat(SshHostMonitor.upNanos("1234.50 99.00\n", 7)).isEqualTo(1_234_500_000_000L);
        assertThat(SshHostMonitor.upNanos(
                        read("/proc/stat:cpu 1\n@diperf end\n").getOrDefault("uptime", ""), 7))
                .isEqualTo(7);
    }

    private static Map<String, String> read(String answer) throws IOException {
        return SshHostMonitor.read(new BoundedLines(
                new ByteArrayInputStream(answer.getBytes(StandardCharsets.US_ASCII)), 1 << 20, "the machine"));
    }
}
