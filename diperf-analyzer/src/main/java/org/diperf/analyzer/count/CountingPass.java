package org.diperf.analyzer.count;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import org.diperf.analyzer.run.CountingThreads;
import org.diperf.analyzer.run.RunReader;
import org.diperf.analyzer.run.TesterBlocks;
import org.diperf.core.sample.Block;
import org.diperf.core.sample.CallExchange;
import org.diperf.core.sample.CallExchanges;
import org.diperf.core.sample.Calls;

/**
 * One pass over the samples of a run. The caller's thread reads the files, checks blocks and counts observations; others decode and
 * count the calls, each for itself. The result does not depend on how many there are.
 */
public final class CountingPass implements RunReader.Sink {

    private final Tally all;
    private final CountingThreads<Tally> threads;

    private CountingPass(Tally all, CountingThreads<Tally> threads) {
        this.all = all;
        this.threads = threads;
    }

    /**
     * Counts all samples of a run.
     *
     * @param number of threads that count; 0: the caller's
     */
    public static void count(RunReader reader, Tally all, int number) throws IOException {
        try (CountingThreads<Tally> threads = new CountingThreads<>(all, all::share, number)) {
            all.read(reader.read(new CountingPass(all, threads)));
            threads.finish().forEach(all::addAll);
        }
        all.close();
    }

    @Override
    public void calls(Block header, ByteBuffer data, TesterBlocks tester) throws IOException {
        all.begin(header.tester(), tester.clock());
        threads.add(header, data, tester.clock(), all.outcomes.of(Calls.outcomeWords(data, header)));
    }

    @Override
    public void groups(Block header, ByteBuffer data, TesterBlocks tester) throws IOException {
        calls(header, data, tester);
    }

    @Override
    public void events(Block header, ByteBuffer data, TesterBlocks tester) throws IOException {
        all.begin(header.tester(), tester.clock());
        threads.add(header, data, tester.clock(), all.outcomes.of(List.of()));
    }

    @Override
    public void observations(Block header, ByteBuffer data, TesterBlocks tester) throws IOException {
        all.observe(header, data, tester.clock());
    }

    @Override
    public void exchanges(Block header, ByteBuffer data, TesterBlocks tester) throws IOException {
        for (CallExchange exchange : CallExchanges.decode(data, header)) {
            all.shown.add(exchange, header.tester(), tester.clock().sinceStart(exchange.endNanos()));
        }
    }

    @Override
    public void damaged(Path file, long offset, String reason) {
        all.damaged(file.getFileName() + " at byte " + offset + ": " + reason);
    }
}
