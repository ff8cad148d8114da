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

    /**
     * Reads all sample files. A block at the end of the last one that was cut off, which nobody was told is safe, is
     * removed; the rest is made durable, because it will not be asked for again.
     */
    static KeptSamples in(Path folder) throws IOException {
        Map<Integer, Long> blocks = new HashMap<>();
        if (!Files.isDirectory(folder)) {
            return NONE;
        }
        List<Path> files = SampleReader.files(folder);
        for (Path file : files) {
            long[] soundBytes = {Files.size(file)};
            SampleScan.file(file, new SampleScan.Visitor() {
                @Override
                public void block(Block header, long offset, int length, ByteBuffer data) {
                    blocks.merge(header.tester(), header.number(), Math::max);
                }

                @Override
                public void damaged(long from, long to, boolean toEnd, String reason) {
                    if (toEnd) {
                        soundBytes[0] = from;
                    }
                }
            });
            try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
                if (file.equals(files.get(files.size() - 1)) && soundBytes[0] >= SampleWriter.header().length) {
                    channel.truncate(soundBytes[0]);
                }
                channel.force(true);
            }
        }
        return new KeptSamples(blocks);
    }

}
