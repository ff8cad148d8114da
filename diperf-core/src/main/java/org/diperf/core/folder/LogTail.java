package org.diperf.core.folder;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The end of a log, in which a program that failed says why. */
public final class LogTail {

    private static final int MAX_BYTES = 4_096;

    private LogTail() {}

    /**
     * Returns the last lines that are not blank, of at most the last 4,096 bytes.
     *
     * @param most at least 1
     * @return empty also where the file cannot be read
     */
    public static List<String> of(Path log, int most) {
        try (SeekableByteChannel file = Files.newByteChannel(log)) {
            ByteBuffer end = ByteBuffer.allocate(MAX_BYTES);
            file.position(Math.max(0, file.size() - MAX_BYTES));
            while (end.hasRemaining() && file.read(end) >= 0) {
                // A read may bring less than there is.
                continue;
            }
            List<String> lines = new String(end.array(), 0, end.position(), StandardCharsets.UTF_8)
                    .lines()
                    .filter(line -> !line.isBlank())
                    .toList();
            return lines.subList(Math.max(0, lines.size() - most), lines.size());
        } catch (IOException e) {
            return List.of();
        }
    }
}
