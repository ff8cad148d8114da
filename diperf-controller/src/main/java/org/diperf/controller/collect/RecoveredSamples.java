package org.diperf.controller.collect;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.diperf.core.folder.DurableFiles;
import org.diperf.core.sample.Block;
import org.diperf.core.sample.SampleReader;
import org.diperf.core.sample.SampleScan;
import org.diperf.core.sample.SampleWriter;

/**
 * What a collector that was killed has left in the sample files.
 *
 * @param blocks highest number of each tester; all before it are there too, as far as they came in order
 */
record RecoveredSamples(Map<Integer, Long> blocks) {

    static final RecoveredSamples NONE = new RecoveredSamples(Map.of());

    /**
     * Removes from the end of the files what was cut off when their writer died: nobody was told that it is safe. Makes the rest durable,
     * because its blocks will not be asked for again. Another file must not be begun before: then only the last one can be cut off.
     */
    static void mend(Path folder) throws IOException {
        if (!Files.isDirectory(folder)) {
            return;
        }
        List<Path> files = new ArrayList<>(SampleReader.files(folder));
        while (!files.isEmpty() && Files.size(last(files)) < SampleWriter.header().length) {
            // It had its name, and nobody was told of a block in it.
            Files.delete(files.remove(files.size() - 1));
        }
        if (!files.isEmpty()) {
            cutOff(last(files));
        }
        for (Path file : files) {
            DurableFiles.contents(file);
        }
        DurableFiles.names(folder);
    }

    private static Path last(List<Path> files) {
        return files.get(files.size() - 1);
    }

    /** Removes the damaged end of a file. */
    private static void cutOff(Path file) throws IOException {
        long[] soundBytes = {Files.size(file)};
        SampleScan.file(file, new SampleScan.Visitor() {
            @Override
            public void block(Block header, long offset, int length, ByteBuffer data) {}

            @Override
            public void damaged(long from, long to, boolean toEnd, String reason) {
                if (toEnd) {
                    soundBytes[0] = from;
                }
            }
        });
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            if (soundBytes[0] >= SampleWriter.header().length) {
                channel.truncate(soundBytes[0]);
            }
        }
    }

    /** Reads all sample files, which have been mended. */
    static RecoveredSamples in(Path folder) throws IOException {
        Map<Integer, Long> blocks = new HashMap<>();
        if (!Files.isDirectory(folder)) {
            return NONE;
        }
        SampleReader.read(folder, new SampleReader.Visitor() {
            @Override
            public void block(Block header, ByteBuffer data) {
                blocks.merge(header.tester(), header.number(), Math::max);
            }

            @Override
            public void damaged(Path file, long offset, String reason) {
                // The analyzer says so; what is missing stays missing.
            }
        });
        return new RecoveredSamples(blocks);
    }
}
