package org.diperf.controller.collect;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.diperf.core.faults.FaultyDisk;
import org.diperf.core.sample.Block;
import org.diperf.core.sample.SampleReader;
import org.diperf.core.sample.SampleWriter;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What is made of the files that a collector has left which was killed, or whose machine failed. */
@Timeout(60)
class RecoveredSamplesTests {

    @TempDir
    Path folder;

    private Path samples;

    @BeforeEach
    void twoBlocks() throws IOException {
        samples = folder.resolve("samples");
        try (SampleWriter writer = new SampleWriter(samples, 1 << 20)) {
            writer.append(HandDrivenSession.block(1, 1));
            writer.append(HandDrivenSession.block(1, 2));
            writer.force();
        }
    }

    /** Mends the files and writes on as a resumed collector does, then lists what a reader finds damaged. */
    private List<String> damagedWhenResumed() throws IOException {
        RecoveredSamples.mend(samples);
        try (SampleWriter writer = SampleWriter.after(samples, 1 << 20)) {
            writer.append(HandDrivenSession.block(1, 3));
            writer.force();
        }
        List<String> damaged = new ArrayList<>();
        SampleReader.read(samples, new SampleReader.Visitor() {
            @Override
            public void block(Block header, ByteBuffer data) {}

            @Override
            public void damaged(Path file, long offset, String reason) {
                damaged.add(file.getFileName() + " at " + offset + ": " + reason);
            }
        });
        assertThat(RecoveredSamples.in(samples).blocks()).isEqualTo(Map.of(1, 3L));
        return damaged;
    }

    @Test
    void aFileThatWasOnlyBegunIsRemoved() throws IOException {
        byte[] header = SampleWriter.header();
        for (int bytes = 0; bytes < header.length; bytes++) {
            Path begun = samples.resolve("000002.dps");
            Files.write(begun, Arrays.copyOf(header, bytes));
            assertThat(damagedWhenResumed()).as(bytes + " bytes").isEmpty();
            Files.delete(begun);
        }
    }

    @Test
    void severalFilesThatWereOnlyBegunAreRemoved() throws IOException {
        Files.write(samples.resolve("000002.dps"), new byte[0]);
        Files.write(samples.resolve("000003.dps"), new byte[3]);
        assertThat(damagedWhenResumed()).isEmpty();
        assertThat(samples.resolve("000003.dps")).doesNotExist();
    }

    /** Else a failure of the machine would leave a damaged file before others, which nobody mends. */
    @Test
    void whatWasMendedIsDurableBeforeAnotherFileIsBegun() throws IOException {
        FaultyDisk disk = new FaultyDisk(Files.createDirectory(folder.resolve("disk")));
        Path kept = disk.root().resolve("samples");
        try (SampleWriter writer = new SampleWriter(kept, 1 << 20)) {
            writer.append(HandDrivenSession.block(1, 1));
        }
        Path begun = kept.resolve("000002.dps");
        Files.write(begun, SampleWriter.header());
        assertThat(disk.durable("samples/000002.dps")).isNull();
        RecoveredSamples.mend(kept);
        assertThat(disk.durable("samples/000002.dps")).isEqualTo(SampleWriter.header());
    }

    @Test
    void aFileWithoutBlocksStays() throws IOException {
        Files.write(samples.resolve("000002.dps"), SampleWriter.header());
        assertThat(damagedWhenResumed()).isEmpty();
        assertThat(samples.resolve("000002.dps")).hasSize(SampleWriter.header().length);
        assertThat(samples.resolve("000003.dps")).exists();
    }

    @Test
    void aBlockThatWasCutOffIsRemovedAndTheOthersStay() throws IOException {
        Path file = samples.resolve("000001.dps");
        long whole = Files.size(file);
        ByteBuffer third = HandDrivenSession.block(1, 3);
        byte[] part = new byte[third.remaining() - 1];
        third.get(part);
        Files.write(file, part, StandardOpenOption.APPEND);
        assertThat(damagedWhenResumed()).isEmpty();
        assertThat(file).hasSize(whole);
    }
}
