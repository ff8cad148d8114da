package org.diperf.analyzer.count;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import org.diperf.analyzer.run.CountingThreads;
import org.diperf.analyzer.run.Outcomes.Endings;
import org.diperf.core.sample.Block;
import org.diperf.core.sample.Calls;
import org.diperf.core.sample.SampleReader;
import org.jspecify.annotations.Nullable;

/**
 * One pass over the samples of a run. The caller's thread reads the files, checks blocks, drops those that came twice and
 * counts observations; others decode and count the calls, each for itself. The result does not depend on how many there are.
 */
public final class Pass implements SampleReader.Visitor {

    /** Less is counted before threads would be warm. */
    private static final long SMALL_BYTES = 4 << 20;

    private static final int MOST_THREADS = 8;

    private final Tally all;
    private final @Nullable CountingThreads<Tally> threads;

    private Pass(Tally all, @Nullable CountingThreads<Tally> threads) {
        this.all = all;
        this.threads = threads;
    }

    /** Says how many threads pay for a folder of samples; 0: none but the caller's. */
    public static int threads(Path folder) throws IOException {
        long bytes = 0;
        if (Files.isDirectory(folder)) {
            for (Path file : SampleReader.files(folder)) {
                bytes += Files.size(file);
            }
        }
        int processors = Runtime.getRuntime().availableProcessors();
        return bytes < SMALL_BYTES ? 0 : Math.min(MOST_THREADS, processors);
    }

    /**
     * Counts all samples of a folder.
     *
     * @param number of threads that count; 0: the caller's
     */
    public static void count(Path folder, Tally all, int number) throws IOException {
        if (number == 0) {
            SampleReader.read(folder, new Pass(all, null));
            all.close();
            return;
        }
        try (CountingThreads<Tally> threads = new CountingThreads<>(all::share, number)) {
            SampleReader.read(folder, new Pass(all, threads));
            threads.finish().forEach(all::addAll);
        }
        all.close();
    }

    @Override
    public void block(Block header, ByteBuffer data) throws IOException {
        TesterTally tester = all.tester(header);
        if (tester.blocks.contains(header.number())) {
            tester.duplicates++;
            return;
        }
        if (header.kind() == Block.CALLS) {
            Endings endings = all.outcomes.of(Calls.outcomes(data, header));
            if (threads == null) {
                all.count(header, data, tester.clock, endings);
            } else {
                threads.add(header, data, tester.clock, endings);
            }
        } else if (header.kind() == Block.OBSERVATIONS) {
            all.observe(header, data);
        }
        tester.blocks.add(header.number());
    }

    @Override
    public void damaged(Path file, long offset, String reason) {
        all.damaged(file.getFileName() + " at byte " + offset + ": " + reason);
    }
}
