package org.diperf.plugins.monitor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.ServerSocket;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.diperf.core.contract.ReadingsProbe;
import org.diperf.core.spi.Parameters;
import org.diperf.core.spi.Regex;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** The monitor of processes, on a made-up /proc and on this test's own process. */
@Timeout(30)
class ProcessMonitorTests {

    @TempDir
    Path proc;

    private void process(long pid, long parent, String name, long user, String children) throws IOException {
        Path folder = Files.createDirectories(proc.resolve(pid + "/task/" + pid));
        Files.writeString(
                proc.resolve(pid + "/stat"),
                pid + " (" + name + ") S " + parent + " 1 1 0 -1 0 0 0 0 0 " + user
                        + " 10 0 0 20 0 1 0 500 1000000 25 0 0\n");
        Files.writeString(folder.resolve("children"), children);
        Files.writeString(proc.resolve(pid + "/smaps_rollup"), "Rss:  200 kB\nPss:  " + pid + " kB\n");
        Files.createDirectories(proc.resolve(pid + "/fd"));
    }

    @Test
    void itAddsUpAProcessAndItsChildren() throws Exception {
        Files.writeString(proc.resolve("uptime"), "100.00 50.00\n");
        process(10, 1, "nginx: master", 100, "11 12");
        process(11, 10, "odd) name", 200, "");
        process(12, 10, "nginx", 300, "");
        process(13, 1, "another", 300, "");
        ProcessMonitor monitor = new ProcessMonitor(proc, () -> List.of(10L), true, 4);
        ReadingsProbe seen = new ReadingsProbe();
        monitor.sample(seen);
        assertThat(seen.gauges)
                .containsEntry("processes", 3.0)
                .containsEntry("threads", 3.0)
                .containsEntry("memory", 33 * 1024.0)
                .containsEntry("memory.rss", 3 * 25 * 4096.0)
                .containsEntry("cores", 4.0);
        process(11, 10, "odd) name", 250, "");
        monitor.sample(seen);
        assertThat(seen.counters).containsEntry("cpu", 0.5).containsEntry("cpu.user", 0.5);
    }

    @Test
    void aProcessThatHasEndedHidesNoNumbersOfTheOthers() throws Exception {
        process(10, 1, "nginx: master", 100, "11");
        Files.writeString(proc.resolve("10/io"), "read_bytes: 7\nwrite_bytes: 8\n");
        process(11, 10, "nginx", 100, "");
        Files.writeString(
                proc.resolve("11/stat"), "11 (nginx) Z 10 1 1 0 -1 0 0 0 0 0 100 10 0 0 20 0 1 0 500 0 0 0 0\n");
        Files.delete(proc.resolve("11/smaps_rollup"));
        Files.delete(proc.resolve("11/fd"));
        ReadingsProbe seen = new ReadingsProbe();
        new ProcessMonitor(proc, () -> List.of(10L), true, 4).sample(seen);
        assertThat(seen.gauges)
                .containsEntry("processes", 2.0)
                .containsEntry("memory", 10 * 1024.0)
                .containsEntry("descriptors", 0.0);
        assertThat(seen.counters).containsEntry("disk.read", 7.0).containsEntry("disk.write", 8.0);
        assertThat(seen.notes).isEmpty();
    }

    @Test
    void thoseThatBeginWhileOthersRunAreFoundToo() throws Exception {
        List<Long> roots = new ArrayList<>(List.of(10L, 11L));
        process(10, 1, "worker", 100, "");
        process(11, 1, "worker", 100, "");
        ProcessMonitor monitor = new ProcessMonitor(
                proc,
                () -> {
                    if (roots.isEmpty()) {
                        throw new IOException("none listens");
                    }
                    return roots;
                },
                true,
                4);
        ReadingsProbe seen = new ReadingsProbe();
        monitor.sample(seen);
        assertThat(seen.gauges).containsEntry("processes", 2.0);
        process(12, 1, "worker", 100, "");
        roots.add(12L);
        monitor.sample(seen);
        assertThat(seen.gauges).containsEntry("processes", 3.0);
        // The old one no longer listens and has not ended; then nobody listens.
        roots.remove(10L);
        monitor.sample(seen);
        assertThat(seen.gauges).containsEntry("processes", 3.0);
        roots.clear();
        Files.delete(proc.resolve("11/stat"));
        monitor.sample(seen);
        assertThat(seen.gauges).containsEntry("processes", 2.0);
    }

    @Test
    void pagesHaveTheSizeThatTheMachineSays() throws Exception {
        process(10, 1, "nginx", 100, "");
        Files.createDirectories(proc.resolve("self"));
        ByteBuffer vector = ByteBuffer.allocate(32).order(ByteOrder.nativeOrder());
        vector.putLong(16).putLong(77).putLong(6).putLong(65_536);
        Files.write(proc.resolve("self/auxv"), vector.array());
        ReadingsProbe seen = new ReadingsProbe();
        new ProcessMonitor(proc, () -> List.of(10L), true, 4).sample(seen);
        assertThat(seen.gauges).containsEntry("memory.rss", 25 * 65_536.0);
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void thisMachineSaysHowLargeItsPagesAre() throws Exception {
        Process getconf = new ProcessBuilder("getconf", "PAGESIZE").start();
        String bytes = new String(getconf.getInputStream().readAllBytes(), StandardCharsets.US_ASCII).strip();
        assertThat(new ProcessFinder(Path.of("/proc")).pageBytes()).isEqualTo(Long.parseLong(bytes));
    }

    @Test
    void whereProportionalMemoryMayNotBeReadItSaysSo() throws Exception {
        process(10, 1, "nginx", 100, "");
        Files.delete(proc.resolve("10/smaps_rollup"));
        ReadingsProbe seen = new ReadingsProbe();
        new ProcessMonitor(proc, () -> List.of(10L), true, 4).sample(seen);
        assertThat(seen.gauges).containsEntry("memory", 25 * 4096.0);
        assertThat(seen.notes).singleElement().asString().contains("resident");
    }

    @Test
    void aProcessThatHasGoneIsLookedForAgain() throws Exception {
        Path file = proc.resolve("nginx.pid");
        Files.writeString(file, "10\n");
        process(10, 1, "nginx", 100, "");
        ProcessFinder finder = new ProcessFinder(proc);
        ProcessMonitor monitor = new ProcessMonitor(proc, () -> List.of(finder.byFile(file)), true, 4);
        ReadingsProbe seen = new ReadingsProbe();
        monitor.sample(seen);
        Files.delete(proc.resolve("10/stat"));
        assertThatThrownBy(() -> monitor.sample(seen)).hasMessageContaining("none running");
        process(20, 1, "nginx", 100, "");
        Files.writeString(file, "20\n");
        monitor.sample(seen);
        assertThat(seen.gauges).containsEntry("memory", 20 * 1024.0);
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void thisProcessIsFoundByThePortOnWhichItListens() throws Exception {
        try (ServerSocket listening = new ServerSocket(0)) {
            assertThat(new ProcessFinder(Path.of("/proc")).byPort(listening.getLocalPort()))
                    .containsExactly(ProcessHandle.current().pid());
        }
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void aChildOfThisProcessIsFoundByItsCommand() throws Exception {
        Process child = new ProcessBuilder("sleep", "29.4711").start();
        try {
            assertThat(new ProcessFinder(Path.of("/proc")).byCommand(Regex.compile("sleep 29\\.4711")))
                    .containsExactly(child.pid());
        } finally {
            child.destroyForcibly();
        }
    }

    @Test
    void exactlyOneWayToFindTheProcessIsWanted() {
        ProcessPlugin plugin = new ProcessPlugin();
        assertThatThrownBy(() -> plugin.check(Parameters.read(plugin.parameters(), Map.of(), 0)))
                .hasMessageContaining("pid-file");
        assertThatThrownBy(() -> plugin.check(Parameters.read(plugin.parameters(), Map.of("pid", 1, "port", 80), 0)))
                .hasMessageContaining("[pid, port]");
        assertThatThrownBy(() -> plugin.check(Parameters.read(plugin.parameters(), Map.of("command", "(nginx"), 0)))
                .hasMessageContaining("regular expression");
    }
}
