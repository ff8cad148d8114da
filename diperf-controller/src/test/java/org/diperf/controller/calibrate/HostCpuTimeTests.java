package org.diperf.controller.calibrate;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.LongStream;
import org.diperf.controller.calibrate.Calibration.Others;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Ticks as proc(5) has them. */
class HostCpuTimeTests {

    @TempDir
    private Path proc = Path.of("");

    /** user nice system idle iowait irq softirq steal guest guest_nice. */
    private void host(String ticks) throws IOException {
        Files.writeString(proc.resolve("stat"), "cpu  " + ticks + "\ncpu0 1 1 1 1 1 1 1 1 0 0\nbtime 1\n");
    }

    private void process(String id, int user, int system, int endedUser, int endedSystem) throws IOException {
        Path folder = Files.createDirectories(proc.resolve(id));
        Files.writeString(
                folder.resolve("stat"),
                "12 (a ) name) S 1 2 3 4 5 6 7 8 9 10 " + user + " " + system + " " + endedUser + " " + endedSystem
                        + " 20 0 1 0 99 1 2\n");
    }

    private HostCpuTime read(long... children) {
        return requireNonNull(HostCpuTime.read(proc, LongStream.of(children)));
    }

    @Test
    void whatIsNotOursWasUsedByOthers() throws IOException {
        host("1000 100 500 8000 0 50 50 300 0 0");
        process("self", 10, 10, 0, 0);
        process("77", 5, 5, 0, 0);
        HostCpuTime before = read(77);
        assertThat(before).isEqualTo(new HostCpuTime(10_000, 1_600, 300, 30));

        // 1,000 ticks later: 450 used by processes, 100 stolen; ours are 100, a child's 40, and 60 of one that has
        // ended.
        host("1300 110 640 8350 0 60 140 400 0 0");
        process("self", 80, 40, 40, 20);
        process("77", 35, 15, 0, 0);
        Others others = requireNonNull(read(77).since(before));
        assertThat(others.usedPercent()).isEqualTo(25);
        assertThat(others.stolenPercent()).isEqualTo(10);
    }

    @Test
    void aMomentInWhichOnlyWeRanHasNoOthers() throws IOException {
        host("100 0 0 100 0 0 0 0 0 0");
        process("self", 0, 0, 0, 0);
        HostCpuTime before = read();
        host("190 0 0 110 0 0 0 0 0 0");
        // Interrupts are counted with whom they interrupt.
        process("self", 90, 5, 0, 0);

        assertThat(read().since(before)).isEqualTo(new Others(0, 0));
        assertThat(before.since(before)).isNull();
    }

    @Test
    void aChildThatHasJustEndedIsCountedWithItsParent() throws IOException {
        host("100 0 0 100 0 0 0 0 0 0");
        process("self", 1, 2, 3, 4);

        assertThat(read(4711).own()).isEqualTo(10);
    }

    @Test
    void aSystemThatDoesNotTellIsNotAsked() throws IOException {
        assertThat(HostCpuTime.read(proc, LongStream.empty())).isNull();
        host("1 2");
        process("self", 0, 0, 0, 0);
        assertThat(HostCpuTime.read(proc, LongStream.empty())).isNull();
    }
}
