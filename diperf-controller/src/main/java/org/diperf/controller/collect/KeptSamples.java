package org.diperf.controller.collect;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.diperf.core.folder.Durable;
import org.diperf.core.sample.Block;
import org.diperf.core.sample.SampleReader;
import org.diperf.core.sample.SampleScan;
import org.diperf.core.sample.SampleWriter;

/**
 * What a collector that was killed has left in the sample files.
 *
 * @param blocks highest number of each tester; all before it are there too, as far as they came in order
 */
record KeptSamples(Map<Integer, Long> blocks) {

    static final KeptSamples NONE = new KeptSamples(Map.of());

    /** Removes from the last file what was cut off when its writer died: nobody was told that it is safe. */
    static void mend(Path folder) throws IOException {
        List<Path> files = Files.isDirectory(folder) ? SampleReader.files(folder) : List.of();
        if (files.isEmpty()) {
            return;
        }
        Path last = files.get(files.size() - 1);
        if (Files.size(last) < SampleWriter.header().length) {
            // It had its name, and nobody was told of a block in it.
            Files.delete(last);
            return;
        }
        long[] soundBytes = {Files.size(last)};
        SampleScan.file(last, new SampleScan.Visitor() {
            @Override
            public void block(Block header, long offset, int length, ByteBuffer data) {}

            @Override
            public void damaged(long from, long to, boolean toEnd, String reason) {
                if (toEnd) {
                    soundBytes[0] = from;
                }
            }
        });
        try (FileChannel channel = FileChannel.open(last, StandardOpenOption.WRITE)) {
            if (soundBytes[0] >= SampleWriter.header().length) {
                channel.truncate(soundBytes[0]);
            }
        }
    }

    /** Reads all sample files, and makes them durable, because their blocks will not be asked for again. */
    static KeptSamples in(Path folder) throws IOException {
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
        for (Path file : SampleReader.files(folder)) {
            Durable.contents(file);
        }
        Durable.names(folder);
        return new KeptSamples(blocks);
    }
}
