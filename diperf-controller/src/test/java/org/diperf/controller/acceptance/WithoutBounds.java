package org.diperf.controller.acceptance;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.diperf.core.sample.Block;
import org.diperf.core.sample.CallWriter;
import org.diperf.core.sample.Calls;
import org.diperf.core.sample.SampleReader;
import org.diperf.core.sample.SampleWriter;
import org.diperf.core.sample.TestCall;

/** Copies of runs as they were recorded before calls had bounds. */
final class WithoutBounds {

    private WithoutBounds() {}

    /** Copies what a run recorded to a folder that is not there yet; its clients have no metrics of their own. */
    static Path copy(Path run, Path to) throws IOException {
        Files.createDirectories(to);
        try (Stream<Path> entries = Files.list(run)) {
            for (Path file : (Iterable<Path>) entries.filter(Files::isRegularFile)::iterator) {
                Files.copy(file, to.resolve(file.getFileName()));
            }
        }
        ByteBuffer room = ByteBuffer.allocate(2 * Block.MAX_LENGTH).order(ByteOrder.LITTLE_ENDIAN);
        Calls calls = new Calls();
        try (SampleWriter samples = new SampleWriter(Files.createDirectory(to.resolve("samples")), Long.MAX_VALUE)) {
            SampleReader.read(run.resolve("samples"), new SampleReader.Visitor() {
                @Override
                public void block(Block header, ByteBuffer data) throws IOException {
                    if (header.kind() != Block.CALLS) {
                        samples.append(
                                data.slice(data.position(), Block.length(data)).order(ByteOrder.LITTLE_ENDIAN));
                        return;
                    }
                    calls.decode(data, header);
                    CallWriter writer = new CallWriter(header.tester(), calls.rows(), 0);
                    for (int row = 0; row < calls.rows(); row++) {
                        writer.add(TestCall.like(calls, row));
                    }
                    writer.encode(room.clear(), header.number());
                    samples.append(room.flip());
                }

                @Override
                public void damaged(Path file, long offset, String reason) {
                    throw new AssertionError(file + " at " + offset + ": " + reason);
                }
            });
        }
        return to;
    }
}
