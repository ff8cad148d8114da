package org.diperf.tester.link;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.diperf.core.sample.ObservationWriter;
import org.diperf.core.wire.Frame;
import org.diperf.core.wire.FrameFile;
import org.diperf.core.wire.Message;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What a tester leaves, and what became of it on its way. */
@Timeout(30)
class SpoolFileTests {

    private static final String RUN = "0123456789abcdef0123456789abcdef";

    @TempDir
    Path folder;

    private Path file;

    @BeforeEach
    void leave() throws IOException {
        file = leave(folder.resolve("spool"));
    }

    /** Leaves blocks 3 to 7 of tester 2, which finished. */
    static Path leave(Path folder) throws IOException {
        Spool spool = new Spool(1 << 20, bytes -> {}, () -> {});
        for (int i = 0; i < 7; i++) {
            ObservationWriter writer = new ObservationWriter(2, 1);
            writer.add("metric", i, i, ObservationWriter.NONE, ObservationWriter.NONE);
            spool.write(writer);
        }
        spool.acknowledge(2);
        SpoolFile.write(folder, RUN, 2, 1, spool, ScriptedEngine.TOTALS, () -> 5);
        return SpoolFile.of(folder, 2);
    }

    @Test
    void aWholeOneSaysWhoseItIsAndGivesItsBlocksAndTotals() throws IOException {
        assertThat(SpoolFile.check(file)).isEqualTo(new SpoolFile.Head(RUN, 2, 1, 3, 7, true));
        List<Message> read = new ArrayList<>();
        SpoolFile.read(file, frame -> read.add(frame.message()));
        assertThat(read).hasSize(6).last().isEqualTo(new Message.Finished(ScriptedEngine.TOTALS));
    }

    @Test
    void oneThatWasCutOffAnywhereIsRefused() throws IOException {
        byte[] whole = Files.readAllBytes(file);
        for (int length = 0; length < whole.length; length++) {
            Files.write(file, Arrays.copyOf(whole, length));
            assertThatThrownBy(() -> SpoolFile.check(file))
                    .as("cut off after %d bytes", length)
                    .isInstanceOf(SpoolException.class)
                    .hasMessageStartingWith(file.toString());
        }
        Files.write(file, Arrays.copyOf(whole, whole.length - 1));
        assertThatThrownBy(() -> SpoolFile.check(file))
                .hasMessageContaining("expected blocks 3 to 7 of tester-2")
                .hasMessageContaining("after 5 of 5 blocks");
    }

    @Test
    void oneWithAChangedByteIsRefused() throws IOException {
        byte[] whole = Files.readAllBytes(file);
        long seed = System.nanoTime();
        Random random = new Random(seed);
        for (int i = 0; i < 300; i++) {
            byte[] changed = whole.clone();
            changed[random.nextInt(whole.length)] ^= (byte) (1 << random.nextInt(8));
            Files.write(file, changed);
            assertThatThrownBy(() -> SpoolFile.check(file))
                    .as("seed %d, change %d", seed, i)
                    .isInstanceOf(SpoolException.class);
        }
    }

    @Test
    void oneInWhichABlockIsMissingOrOfAnotherTesterIsRefused() throws IOException {
        List<Frame> frames = new ArrayList<>();
        FrameFile.read(file, frames::add);
        List<Frame> without = new ArrayList<>(frames);
        without.remove(3);
        assertThatThrownBy(() -> SpoolFile.check(written(without))).isInstanceOf(SpoolException.class);
        assertThatThrownBy(() -> SpoolFile.check(folder))
                .isInstanceOf(SpoolException.class)
                .hasMessageContaining(
                        folder + ": expected a spool written by a tester, got an unreadable file (Is a directory)");
        List<Frame> others = new ArrayList<>(frames);
        others.set(3, new Frame(9, 5, 0, 0, frames.get(3).message()));
        assertThatThrownBy(() -> SpoolFile.check(written(others))).isInstanceOf(SpoolException.class);
        List<Frame> anonymous = frames.subList(1, frames.size());
        assertThatThrownBy(() -> SpoolFile.check(written(anonymous)))
                .hasMessageContaining("does not identify its tester");
        assertThat(SpoolFile.check(written(frames)).blocks()).isEqualTo(5);
    }

    private Path written(List<Frame> frames) throws IOException {
        Path other = folder.resolve("other.spool");
        Files.deleteIfExists(other);
        try (FrameFile writing = FrameFile.create(other)) {
            for (Frame frame : frames) {
                writing.write(frame);
            }
        }
        return other;
    }
}
