package org.diperf.core.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FrameFileTests {

    @TempDir
    Path folder;

    private static Frame frame(int tester, String text) {
        return new Frame(tester, 1, 2, 3, new Message.Log(text));
    }

    private static List<Frame> read(Path path) throws Exception {
        List<Frame> frames = new ArrayList<>();
        FrameFile.read(path, frames::add);
        return frames;
    }

    @Test
    void whatWasWrittenIsReadByItsOwnerAlone() throws Exception {
        Path path = folder.resolve("journal");
        try (FrameFile file = FrameFile.create(path)) {
            file.write(frame(1, "one"));
            file.write(frame(7, "two"));
            file.force();
        }
        assertThat(read(path)).containsExactly(frame(1, "one"), frame(7, "two"));
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(path)))
                .isEqualTo("rw-------");
    }

    @Test
    void aFrameThatWasCutOffIsNotThereAndTheNextOneFollowsTheSoundOnes() throws Exception {
        Path whole = folder.resolve("journal");
        try (FrameFile file = FrameFile.create(whole)) {
            file.write(frame(1, "one"));
            file.write(frame(2, "two"));
        }
        byte[] bytes = Files.readAllBytes(whole);
        for (int cut = 1; cut <= 45; cut++) {
            Path path = folder.resolve("cut-" + cut);
            Files.write(path, Arrays.copyOf(bytes, bytes.length - cut));
            assertThat(read(path)).containsExactly(frame(1, "one"));
            try (FrameFile file = FrameFile.append(path)) {
                file.write(frame(3, "three"));
            }
            assertThat(read(path)).containsExactly(frame(1, "one"), frame(3, "three"));
        }
    }

    @Test
    void aFrameThatWasDamagedEndsTheFile() throws Exception {
        Path path = folder.resolve("journal");
        try (FrameFile file = FrameFile.create(path)) {
            file.write(frame(1, "one"));
            file.write(frame(2, "two"));
        }
        byte[] bytes = Files.readAllBytes(path);
        bytes[bytes.length - 6] ^= 1;
        Files.write(path, bytes, StandardOpenOption.TRUNCATE_EXISTING);
        assertThat(read(path)).containsExactly(frame(1, "one"));
    }

    @Test
    void anotherFileIsRefused() throws Exception {
        Path path = Files.writeString(folder.resolve("other"), "something else");
        assertThatThrownBy(() -> read(path)).isInstanceOf(WireException.class).hasMessageContaining("DIPERFJ1");
    }
}
