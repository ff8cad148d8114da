package org.diperf.analyzer.run;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import org.diperf.core.run.RunRecord;
import org.diperf.core.sample.Block;
import org.diperf.core.sample.SampleReader;

/**
 * Reads the samples of a run: each block once, with the clock of its tester. Whoever wants calls or observations reads through
 * this; only {@code verify}, which looks at bytes, does not. Confined to one thread.
 */
public final class RunReader {

    private final Path samples;
    private final Function<Block, TesterClock> clocks;

    private RunReader(Path samples, Function<Block, TesterClock> clocks) {
        this.samples = samples;
        this.clocks = clocks;
    }

    /** Takes the blocks of a pass. The data is valid during the call only. */
    public interface Sink {

        /**
         * Takes a block of calls.
         *
         * @param data at the block's begin
         * @throws org.diperf.core.sample.CorruptBlockException when it cannot be decoded: it is damage then, and did not come
         */
        void calls(Block header, ByteBuffer data, TesterBlocks tester) throws IOException;

        /** Takes a block of observations, likewise; passes over it unless overridden. */
        default void observations(Block header, ByteBuffer data, TesterBlocks tester) throws IOException {}

        /** Takes a block of exchanges, likewise; passes over it unless overridden. */
        default void exchanges(Block header, ByteBuffer data, TesterBlocks tester) throws IOException {}

        /** Takes a block of groups of calls, likewise; passes over it unless overridden. */
        default void groups(Block header, ByteBuffer data, TesterBlocks tester) throws IOException {}

        /** Takes a block of events, likewise; passes over it unless overridden. */
        default void events(Block header, ByteBuffer data, TesterBlocks tester) throws IOException {}

        /** Takes notice of bytes that are no block, or one that could not be decoded; does nothing unless overridden. */
        default void damaged(Path file, long offset, String reason) {}
    }

    /** Reads what testers sampled. */
    public static RunReader ofTesters(Path runDir, RunRecord run, ClockFile clocks) {
        return new RunReader(runDir.resolve(RunFiles.SAMPLES), header -> TesterClock.of(run, clocks, header));
    }

    /** Reads what monitors saw: a block's tester is a monitor's number, and all of them have the controller's clock. */
    public static RunReader ofMonitors(Path runDir, RunRecord run) {
        return new RunReader(runDir.resolve(RunFiles.MONITORS), header -> TesterClock.ofController(run));
    }

    /** Returns whether there is a folder of samples. */
    public boolean isPresent() {
        return Files.isDirectory(samples);
    }

    /**
     * Reads all samples; none where there is no folder.
     *
     * @return what came of each tester, by number
     */
    public Map<Integer, TesterBlocks> read(Sink sink) throws IOException {
        Map<Integer, TesterBlocks> testers = new TreeMap<>();
        if (isPresent()) {
            SampleReader.read(samples, new SampleReader.Visitor() {
                @Override
                public void block(Block header, ByteBuffer data) throws IOException {
                    pass(header, data, testers, sink);
                }

                @Override
                public void damaged(Path file, long offset, String reason) {
                    sink.damaged(file, offset, reason);
                }
            });
        }
        return testers;
    }

    private void pass(Block header, ByteBuffer data, Map<Integer, TesterBlocks> testers, Sink sink) throws IOException {
        TesterBlocks tester =
                testers.computeIfAbsent(header.tester(), number -> new TesterBlocks(clocks.apply(header)));
        if (!tester.isNew(header.number())) {
            return;
        }
        if (header.kind() == Block.CALLS) {
            sink.calls(header, data, tester);
        } else if (header.kind() == Block.OBSERVATIONS) {
            sink.observations(header, data, tester);
        } else if (header.kind() == Block.EXCHANGES) {
            sink.exchanges(header, data, tester);
        } else if (header.kind() == Block.GROUPS) {
            sink.groups(header, data, tester);
        } else if (header.kind() == Block.EVENTS) {
            sink.events(header, data, tester);
        }
        tester.taken(header.number());
    }

    /**
     * Finds the end of the last call from the blocks' headers: what a controller that was killed could not write.
     *
     * @return ns after the start of the run; 0: there was no call
     */
    public long lastEnd() throws IOException {
        long[] last = {0};
        read((header, data, tester) ->
                last[0] = Math.max(last[0], tester.clock().sinceStart(header.lastNanos())));
        return last[0];
    }
}
