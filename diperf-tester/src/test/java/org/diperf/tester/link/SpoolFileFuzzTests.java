package org.diperf.tester.link;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.CRC32C;
import org.diperf.core.fuzz.Fuzz;
import org.diperf.core.wire.Message;
import org.diperf.core.wire.WireException;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.provider.MethodSource;

/** Spools whose checksums hold but whose frames may be anything. */
class SpoolFileFuzzTests {

    private static final int HEADER = 8;

    @TempDir
    Path folder;

    static Stream<byte[]> spools() throws IOException {
        Path folder = Files.createTempDirectory("spool");
        Path file = SpoolFileTests.leave(folder);
        try {
            return Stream.of(Files.readAllBytes(file));
        } finally {
            Files.delete(file);
            Files.delete(folder);
        }
    }

    /** Gives each frame that is whole the checksum that it wants. */
    private static byte[] sealed(byte[] input) {
        ByteBuffer file = ByteBuffer.wrap(input.clone());
        if (file.remaining() >= HEADER) {
            file.put("DIPERFJ1".getBytes(StandardCharsets.US_ASCII));
        }
        while (file.remaining() >= 8) {
            int length = file.getInt();
            if (length < 0 || length > file.remaining() - 4) {
                break;
            }
            CRC32C checksum = new CRC32C();
            checksum.update(file.slice(file.position(), length));
            file.position(file.position() + length);
            file.putInt((int) checksum.getValue());
        }
        return file.array();
    }

    @MethodSource("spools")
    @Fuzz
    void aSpoolIsWholeOrRefused(byte[] input) throws IOException {
        Path file = Files.write(folder.resolve("tester.spool"), sealed(input));
        SpoolFile.Head head;
        try {
            head = SpoolFile.check(file);
        } catch (SpoolException | WireException refused) {
            return;
        }
        List<Message> read = new ArrayList<>();
        SpoolFile.read(file, frame -> {
            assertThat(frame.tester()).isEqualTo(head.tester());
            read.add(frame.message());
        });
        assertThat(read).as(Arrays.toString(input)).hasSize((int) head.blocks() + (head.finished() ? 1 : 0));
    }
}
