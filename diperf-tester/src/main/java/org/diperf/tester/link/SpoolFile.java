package org.diperf.tester.link;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import org.diperf.core.clock.NanoClock;
import org.diperf.core.folder.Durable;
import org.diperf.core.wire.Frame;
import org.diperf.core.wire.FrameFile;
import org.diperf.core.wire.Message;
import org.diperf.core.wire.TesterTotals;
import org.jspecify.annotations.Nullable;

/** What a tester leaves when it has to end before its samples are safe: a file of the frames that it could not send. */
public final class SpoolFile {

    /** Name of the folder of such files within the control folder of a run. */
    public static final String FOLDER = "spool";

    private SpoolFile() {}

    /** Names the file of a tester. */
    public static Path of(Path folder, int tester) {
        return folder.resolve("tester-" + tester + ".spool");
    }

    /**
     * Writes all that is not acknowledged.
     *
     * @param totals of a load that is over; {@code null}: not known
     */
    static void write(Path folder, int tester, Spool spool, @Nullable TesterTotals totals, NanoClock clock)
            throws IOException {
        Durable.folder(folder);
        Path draft = folder.resolve("tester-" + tester + ".draft");
        Files.deleteIfExists(draft);
        try (FrameFile file = FrameFile.create(draft)) {
            for (long number = spool.acknowledged() + 1; number <= spool.last(); number++) {
                ByteBuffer block = spool.block(number);
                if (block != null) {
                    file.write(new Frame(tester, clock.nanoTime(), 0, 0, new Message.Block(block)));
                }
            }
            if (totals != null) {
                file.write(new Frame(tester, clock.nanoTime(), 0, 0, new Message.Finished(totals)));
            }
        }
        Durable.replace(draft, of(folder, tester));
    }
}
