package org.diperf.tester.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.diperf.tester.engine.loop.SystemThreads;
import org.diperf.tester.machine.ThreadHeadroom;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(30)
class ThreadRoomTests {

    @TempDir
    Path root;

    @BeforeEach
    void aMachineWithThreeHundredThreads() throws IOException {
        file("proc/loadavg", "0.10 0.20 0.30 2/300 4711\n");
        file("proc/sys/kernel/threads-max", "200000\n");
        file("proc/sys/kernel/pid_max", "32768\n");
        file("proc/sys/vm/max_map_count", "262144\n");
        file(
                "proc/self/limits",
                "Limit     Soft Limit  Hard Limit  Units\nMax processes  unlimited  unlimited  processes\n");
    }

    private void file(String name, String content) throws IOException {
        Path file = root.resolve(name);
        Files.createDirectories(file.getParent());
        Files.writeString(file, content);
    }

    @Test
    void theSmallestLimitCountsLessWhatRunsAndAReserve() {
        assertThat(ThreadHeadroom.of(root)).isEqualTo(new ThreadHeadroom(32768 - 300 - 200, "kernel.pid_max 32768"));
    }

    @Test
    void theLimitOfTheUserCounts() throws IOException {
        file("proc/self/limits", "Max processes             1024                 4096                 processes\n");
        assertThat(ThreadHeadroom.of(root))
                .isEqualTo(new ThreadHeadroom(1024 - 500, "'Max processes' (ulimit -u) 1024"));
    }

    @Test
    void mappingsAreCountedByThreesBecauseAStackHasGuardPages() throws IOException {
        file("proc/sys/vm/max_map_count", "30000\n");
        assertThat(ThreadHeadroom.of(root))
                .isEqualTo(new ThreadHeadroom(10_000 - 200, "vm.max_map_count 30000, 3 per thread"));
    }

    @Test
    void theLimitOfACgroupAndOfThoseAroundItCounts() throws IOException {
        file("proc/self/cgroup", "0::/user.slice/session\n");
        file("sys/fs/cgroup/user.slice/session/pids.max", "max\n");
        file("sys/fs/cgroup/user.slice/pids.max", "5000\n");
        file("sys/fs/cgroup/user.slice/pids.current", "100\n");
        assertThat(ThreadHeadroom.of(root))
                .isEqualTo(new ThreadHeadroom(5000 - 300, "pids.max of cgroup /user.slice 5000"));
    }

    @Test
    void theFirstVersionOfCgroupsIsReadToo() throws IOException {
        file("proc/self/cgroup", "9:name=systemd:/\n8:pids:/job\n");
        file("sys/fs/cgroup/pids/job/pids.max", "700\n");
        assertThat(ThreadHeadroom.of(root).threads()).isEqualTo(500);
    }

    @Test
    void thereIsRoomWithoutEndWhereTheSystemDoesNotSay() {
        assertThat(ThreadHeadroom.of(root.resolve("elsewhere")).threads()).isGreaterThan(1L << 40);
    }

    @Test
    void moreClientsThanRoomAreRefusedWithTheReason() {
        ThreadHeadroom room = new ThreadHeadroom(500, "kernel.pid_max 1000");
        assertThatCode(() -> SystemThreads.check(500, room)).doesNotThrowAnyException();
        assertThatThrownBy(() -> SystemThreads.check(501, room))
                .hasMessageStartingWith("This tester needs 501 threads for blocking clients; got 500, because of "
                        + "kernel.pid_max 1000.");
    }
}
