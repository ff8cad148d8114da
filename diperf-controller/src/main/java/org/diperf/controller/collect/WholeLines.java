package org.diperf.controller.collect;

import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** Text files whose writer was killed. */
final class WholeLines {

    private WholeLines() {}

    /** Opens a file to append to; a last line without its end is removed. */
    static BufferedWriter append(Path path) throws IOException {
        try (FileChannel file = FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            long end = file.size();
            ByteBuffer one = ByteBuffer.allocate(1);
            while (end > 0 && (file.read(one.clear(), end - 1) < 1 || one.get(0) != '\n')) {
                end--;
            }
            file.truncate(end);
        }
        return Files.newBufferedWriter(path, StandardCharsets.UTF_8, StandardOpenOption.APPEND);
    }
}
