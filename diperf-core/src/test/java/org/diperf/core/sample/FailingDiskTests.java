package org.diperf.core.sample;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.diperf.core.faults.FaultyDisk;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Sample files on a disk that is full, or cannot force them, or whose machine fails. */
@Timeout(30)
class FailingDiskTests {

    @TempDir
    Path folder;

    private static ByteBuffer block(long number) {
        ObservationWriter writer = new ObservationWriter(1, 1);
        writer.add("metric", number, 1, ObservationWriter.NONE, ObservationWriter.NONE);
        ByteBuffer block = ByteBuffer.allocate(writer.maxEncodedLength());
        writer.encode(block, number);
        return block.flip();
    }

    private static List<String> read(Path samples) throws IOException {
        List<String> found = new ArrayList<>();
        SampleReader.read(samples, new SampleReader.Visitor() {
            @Override
            public void block(Block header, ByteBuffer data) {
                found.add(String.valueOf(header.number()));
            }

            @Override
            public void damaged(Path file, long offset, String reason) {
                found.add("damaged");
            }
        });
        return found;
    }

    private FaultyDisk disk() throws IOException {
        return new FaultyDisk(Files.createDirectory(folder.resolve("disk")));
    }

    private List<String> afterPowerCut(FaultyDisk disk) throws IOException {
        Path left = Files.createTempDirectory(folder, "left");
        disk.leaveDurable(left);
        return read(left.resolve("samples"));
    }

    @Test
    void whatAFullDiskDidNotTakeIsCutOffAndCanBeAppendedAgain() throws Exception {
        FaultyDisk disk = disk();
        Path samples = disk.root().resolve("samples");
        try (SampleWriter writer = new SampleWriter(samples, 1 << 20)) {
            writer.append(block(1));
            writer.force();
            disk.leaveRoom(20);
            writer.append(block(2));
            assertThatThrownBy(writer::force).hasMessage("No space left on device");
            writer.undo();
            assertThat(read(samples)).containsExactly("1");
            disk.makeRoom();
            writer.append(block(2));
            writer.force();
            assertThat(read(samples)).containsExactly("1", "2");
        }
    }

    @Test
    void whatCouldNotBeForcedIsWrittenAgainBecauseTheSystemTakesItForClean() throws Exception {
        FaultyDisk disk = disk();
        try (SampleWriter writer = new SampleWriter(disk.root().resolve("samples"), 1 << 20)) {
            writer.append(block(1));
            disk.failForceAfter(0);
            assertThatThrownBy(writer::force).hasMessage("Input/output error");
            writer.undo();
            writer.append(block(1));
            writer.force();
            assertThat(afterPowerCut(disk)).containsExactly("1");
        }
    }

    @Test
    void whatIsForcedSurvivesTheMachineInTheFirstFileAndInTheNext() throws Exception {
        FaultyDisk disk = disk();
        try (SampleWriter writer = new SampleWriter(disk.root().resolve("samples"), 60)) {
            for (int number = 1; number <= 4; number++) {
                writer.append(block(number));
                writer.force();
                assertThat(afterPowerCut(disk)).hasSize(number).endsWith(String.valueOf(number));
            }
            assertThat(SampleReader.files(folder.resolve("disk/samples"))).hasSizeGreaterThan(1);
            writer.append(block(5));
            assertThat(afterPowerCut(disk)).as("5 was not forced").hasSize(4);
        }
    }

    @Test
    void aFileThatCannotBeBegunLeavesNoTrace() throws Exception {
        FaultyDisk disk = disk();
        Path samples = disk.root().resolve("samples");
        try (SampleWriter writer = new SampleWriter(samples, 10)) {
            writer.append(block(1));
            writer.force();
            disk.leaveRoom(3);
            assertThatThrownBy(() -> writer.append(block(2))).hasMessage("No space left on device");
            writer.undo();
            assertThat(read(samples)).containsExactly("1");
            disk.makeRoom();
            writer.append(block(2));
            writer.force();
            assertThat(read(samples)).containsExactly("1", "2");
        }
    }
}
