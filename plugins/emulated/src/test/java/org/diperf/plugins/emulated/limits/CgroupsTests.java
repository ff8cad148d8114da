package org.diperf.plugins.emulated.limits;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Limits of hosts on machines that are folders: with version 1, and with version 2 alone, as the kernel's documentation describes
 * it. Groups have the files that the kernel gives them.
 */
@Timeout(60)
class CgroupsTests {

    private static final long PROCESS = 77;
    private static final Limits ALL = new Limits(0.5, 512L << 20, 20_000_000);
    private static final Limits PROCESSORS = new Limits(2, 0, 0);

    @TempDir
    Path root;

    /** Groups into which somebody has gone. */
    private final List<String> busy = new ArrayList<>();

    private final CgroupFileSystem kernel = new CgroupFileSystem() {
        @Override
        public void make(Path group) throws IOException {
            Files.createDirectory(group);
            for (String file : Files.readAllLines(root.resolve("group-files"))) {
                Files.writeString(group.resolve(file), "");
            }
        }

        @Override
        public void write(Path file, String line) throws IOException {
            if (!Files.exists(file)) {
                throw new IOException("No such file: " + file);
            }
            Files.writeString(file, Files.readString(file) + line + "\n");
        }

        @Override
        public void remove(Path group) throws IOException {
            if (!Files.exists(group)) {
                return;
            }
            if (busy.contains(group.getFileName().toString())) {
                throw new IOException("Device or resource busy");
            }
            try (Stream<Path> files = Files.list(group)) {
                for (Path file : files.filter(Files::isRegularFile).toList()) {
                    Files.delete(file);
                }
            }
            Files.delete(group);
        }
    };

    @BeforeEach
    void machine() throws IOException {
        write("proc/" + PROCESS + "/stat", stat(PROCESS, 4711));
        write("sys/block/vda/dev", "254:0\n");
        write("sys/block/loop0/dev", "7:0\n");
        write("sys/block/zram0/dev", "251:0\n");
    }

    private static String stat(long process, long started) {
        return process + " (ja) va) S 1 77 77 0 -1 4194304 1 0 0 0 1 2 0 0 20 0 9 0 " + started + " 12 34\n";
    }

    private void write(String path, String text) throws IOException {
        Path file = root.resolve(path);
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
    }

    private void versionOne() throws IOException {
        write("proc/self/mountinfo", """
                25 1 254:0 / / rw,relatime - ext4 /dev/vda rw
                31 23 0:28 / /sys/fs/cgroup rw,relatime - tmpfs tmpfs rw,mode=755
                32 31 0:29 / /sys/fs/cgroup/cpu,cpuacct rw,relatime shared:9 - cgroup cgroup rw,cpu,cpuacct
                33 31 0:30 /docker/abc /sys/fs/cgroup/memory rw,relatime - cgroup cgroup rw,memory
                34 31 0:31 / /sys/fs/cgroup/blkio rw,relatime - cgroup cgroup rw,blkio
                35 31 0:32 / /sys/fs/cgroup/unified rw,relatime - cgroup2 cgroup2 rw
                """);
        write("proc/self/cgroup", """
                4:memory:/docker/abc/inner
                3:blkio:/elsewhere
                2:cpu,cpuacct:/
                0::/
                """);
        write("group-files", """
                cgroup.procs
                cpu.cfs_period_us
                cpu.cfs_quota_us
                memory.limit_in_bytes
                memory.memsw.limit_in_bytes
                blkio.throttle.read_bps_device
                blkio.throttle.write_bps_device
                """);
        write("sys/fs/cgroup/unified/cgroup.controllers", "\n");
        for (String parent : List.of("cpu,cpuacct", "memory/inner", "blkio")) {
            Files.createDirectories(root.resolve("sys/fs/cgroup").resolve(parent));
        }
    }

    private void versionTwo() throws IOException {
        write(
                "proc/self/mountinfo",
                "30 23 0:26 / /sys/fs/cgroup rw,nosuid,nodev,noexec,relatime shared:4 - cgroup2 cgroup2 rw,nsdelegate\n");
        write("proc/self/cgroup", "0::/user.slice/user-0.slice/session-1.scope\n");
        write("sys/fs/cgroup/cgroup.controllers", "cpuset cpu io memory hugetlb pids rdma misc\n");
        write("sys/fs/cgroup/cgroup.subtree_control", "");
        write("group-files", """
                cgroup.procs
                cgroup.subtree_control
                cpu.max
                memory.max
                memory.swap.max
                io.max
                """);
    }

    private Cgroups make(Map<String, Limits> limits) throws IOException {
        return Cgroups.make(limits, root, kernel, PROCESS);
    }

    private static Map<String, Limits> two() {
        Map<String, Limits> limits = new LinkedHashMap<>();
        limits.put("server", ALL);
        limits.put("client", PROCESSORS);
        return limits;
    }

    private String read(String file) throws IOException {
        return Files.readString(root.resolve("sys/fs/cgroup").resolve(file)).strip();
    }

    private List<String> groups() throws IOException {
        try (Stream<Path> all = Files.walk(root.resolve("sys/fs/cgroup"))) {
            return all.filter(path -> path.toString().contains("diperf-") && Files.isDirectory(path))
                    .map(path -> root.resolve("sys/fs/cgroup").relativize(path).toString())
                    .sorted()
                    .toList();
        }
    }

    @Test
    void inVersionOneAHostHasAGroupForEachOfItsLimitsBelowThatOfThisProcess() throws IOException {
        versionOne();
        Cgroups groups = make(two());
        assertThat(read("cpu,cpuacct/diperf-77-4711-1/server/cpu.cfs_period_us"))
                .isEqualTo("100000");
        assertThat(read("cpu,cpuacct/diperf-77-4711-1/server/cpu.cfs_quota_us")).isEqualTo("50000");
        assertThat(read("cpu,cpuacct/diperf-77-4711-1/client/cpu.cfs_quota_us")).isEqualTo("200000");
        assertThat(read("memory/inner/diperf-77-4711-1/server/memory.limit_in_bytes"))
                .isEqualTo("536870912");
        assertThat(read("memory/inner/diperf-77-4711-1/server/memory.memsw.limit_in_bytes"))
                .isEqualTo("536870912");
        assertThat(read("blkio/diperf-77-4711-1/server/blkio.throttle.read_bps_device"))
                .isEqualTo("254:0 20000000");
        assertThat(read("blkio/diperf-77-4711-1/server/blkio.throttle.write_bps_device"))
                .isEqualTo("254:0 20000000");
        assertThat(groups.of("server")).hasSize(3);
        assertThat(groups.of("client"))
                .containsExactly(root.resolve("sys/fs/cgroup/cpu,cpuacct/diperf-77-4711-1/client"));
        assertThat(groups.of("other")).isEmpty();
        assertThat(groups.tryRemove()).isTrue();
        assertThat(groups()).isEmpty();
    }

    @Test
    void inVersionTwoAHostHasOneGroupForAllItsLimits() throws IOException {
        versionTwo();
        Cgroups groups = make(two());
        assertThat(read("cgroup.subtree_control").lines()).containsExactly("+cpu", "+memory", "+io");
        assertThat(read("diperf-77-4711-1/cgroup.subtree_control").lines()).containsExactly("+cpu", "+memory", "+io");
        assertThat(read("diperf-77-4711-1/server/cpu.max")).isEqualTo("50000 100000");
        assertThat(read("diperf-77-4711-1/server/memory.max")).isEqualTo("536870912");
        assertThat(read("diperf-77-4711-1/server/memory.swap.max")).isEqualTo("0");
        assertThat(read("diperf-77-4711-1/server/io.max")).isEqualTo("254:0 rbps=20000000 wbps=20000000");
        assertThat(read("diperf-77-4711-1/client/cpu.max")).isEqualTo("200000 100000");
        assertThat(read("diperf-77-4711-1/client/memory.max")).isEmpty();
        assertThat(groups.of("server")).containsExactly(root.resolve("sys/fs/cgroup/diperf-77-4711-1/server"));
        assertThat(groups.tryRemove()).isTrue();
        assertThat(groups()).isEmpty();
    }

    @Test
    void groupsOfAProcessThatHasGoneAreRemovedByTheNextRun() throws IOException {
        versionOne();
        write("proc/88/stat", stat(88, 1));
        write("proc/99/stat", stat(99, 5));
        write("proc/66/stat", stat(66, 1));
        // One whose process is there, one whose number another process has now, and one in which something runs.
        for (String[] run : new String[][] {{"88", "1"}, {"99", "4"}, {"66", "9"}}) {
            Path all = root.resolve("sys/fs/cgroup/cpu,cpuacct/diperf-" + run[0] + "-" + run[1] + "-1");
            kernel.make(all);
            kernel.make(all.resolve("server-" + run[0]));
        }
        Path other = root.resolve("sys/fs/cgroup/cpu,cpuacct/others");
        kernel.make(other);
        busy.add("server-66");
        Cgroups groups = make(Map.of("client", PROCESSORS));
        assertThat(groups())
                .containsExactly(
                        "cpu,cpuacct/diperf-66-9-1",
                        "cpu,cpuacct/diperf-66-9-1/server-66",
                        "cpu,cpuacct/diperf-77-4711-1",
                        "cpu,cpuacct/diperf-77-4711-1/client",
                        "cpu,cpuacct/diperf-88-1-1",
                        "cpu,cpuacct/diperf-88-1-1/server-88");
        assertThat(other).exists();
        busy.add("client");
        assertThat(groups.tryRemove()).isFalse();
        busy.clear();
        assertThat(groups.tryRemove()).isTrue();
    }

    @Test
    void runsOfOneProcessHaveGroupsOfTheirOwn() throws IOException {
        versionOne();
        Cgroups first = make(Map.of("server", PROCESSORS));
        Cgroups second = make(Map.of("server", PROCESSORS));
        assertThat(second.of("server").get(0)).asString().endsWith("diperf-77-4711-2/server");
        assertThat(first.tryRemove()).isTrue();
        assertThat(groups()).containsExactly("cpu,cpuacct/diperf-77-4711-2", "cpu,cpuacct/diperf-77-4711-2/server");
    }

    @Test
    void whatTheKernelRefusesLeavesNothing() throws IOException {
        versionTwo();
        write("group-files", "cgroup.procs\ncgroup.subtree_control\ncpu.max\n");
        assertThatThrownBy(() -> make(two()))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("Cannot set the host limits")
                .hasMessageContaining("memory.max");
        assertThat(groups()).isEmpty();
    }

    @Test
    void whatIsMissingIsSaidOnlyWhereItIsWanted() throws IOException {
        versionOne();
        assertThat(Cgroups.missing(List.of(ALL, PROCESSORS), root)).isEmpty();
        write("proc/self/mountinfo", "25 1 254:0 / / rw,relatime - ext4 /dev/vda rw\n");
        assertThat(Cgroups.missing(List.of(PROCESSORS), root))
                .contains("'cpu' or the v2 controller 'cpu', but neither is mounted");
        assertThat(Cgroups.missing(List.of(), root)).isEmpty();
        Files.delete(root.resolve("proc/self/mountinfo"));
        assertThat(Cgroups.missing(List.of(PROCESSORS), root)).contains("cannot be read");
    }

    @Test
    void limitsAreSaidInWords() {
        assertThat(ALL).hasToString("0.5 processors, 512 MiB of memory, 20 MB/s per disk");
        assertThat(new Limits(1, 0, 0)).hasToString("1 processor");
    }
}
