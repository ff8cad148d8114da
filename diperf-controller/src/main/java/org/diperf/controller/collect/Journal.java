package org.diperf.controller.collect;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import org.diperf.core.clock.NanoClock;
import org.diperf.core.wire.Frame;
import org.diperf.core.wire.FrameFile;
import org.diperf.core.wire.Message;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes down what was agreed with each tester, as the frames that said it, so that another collector can resume when
 * this process is killed. A journal that cannot be written costs that alone. Confined to the collector's event loop.
 */
final class Journal implements Closeable {

    private static final Logger LOG = LoggerFactory.getLogger(Journal.class);

    /** Notes nothing. */
    static final Journal NONE = new Journal(null, NanoClock.SYSTEM);

    private final NanoClock clock;
    private @Nullable FrameFile file;

    private Journal(@Nullable FrameFile file, NanoClock clock) {
        this.file = file;
        this.clock = clock;
    }

    static Journal create(Path path, NanoClock clock) throws IOException {
        return new Journal(FrameFile.create(path), clock);
    }

    static Journal resume(Path path, NanoClock clock) throws IOException {
        return new Journal(FrameFile.append(path), clock);
    }

    /** Notes what was said to or by a tester. */
    void note(int tester, Message message) {
        if (file != null) {
            try {
                file.write(new Frame(tester, clock.nanoTime(), 0, 0, message));
            } catch (IOException e) {
                LOG.warn("the journal cannot be written, so this run cannot be resumed: {}", e.getMessage());
                close();
            }
        }
    }

    @Override
    public void close() {
        try {
            if (file != null) {
                file.close();
            }
        } catch (IOException e) {
            LOG.debug("the journal could not be closed", e);
        }
        file = null;
    }
}
