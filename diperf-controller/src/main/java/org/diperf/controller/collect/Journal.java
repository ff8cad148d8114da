package org.diperf.controller.collect;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.function.Consumer;
import org.diperf.core.clock.NanoClock;
import org.diperf.core.wire.Frame;
import org.diperf.core.wire.FrameFile;
import org.diperf.core.wire.Message;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes down what was agreed with each tester, as the frames that said it, so that another collector can resume when
 * this process is killed. An order is noted before it is given: one that could not be noted must not be given, and the run
 * must stop. What a tester has said it says again where it was not noted. A note survives this process at once, and the
 * machine after the next {@link #force}. Confined to the collector's event loop, but for {@link #force}.
 */
final class Journal implements Closeable {

    private static final Logger LOG = LoggerFactory.getLogger(Journal.class);

    /** Notes nothing. */
    static final Journal NONE = new Journal(null, NanoClock.SYSTEM);

    private final @Nullable FrameFile file;
    private final NanoClock clock;
    private Consumer<String> onFailure = reason -> {};
    private volatile boolean dirty;
    private String failure = "";
    private boolean closed;

    private Journal(@Nullable FrameFile file, NanoClock clock) {
        this.file = file;
        this.clock = clock;
    }

    static Journal create(Path path, NanoClock clock) throws IOException {
        return new Journal(FrameFile.create(path), clock);
    }

    static Journal resume(Path path, NanoClock clock) throws IOException {
        Journal journal = new Journal(FrameFile.append(path), clock);
        // What the other one noted may survive that process alone.
        journal.dirty = true;
        return journal;
    }

    /** @param told hears why an order could not be noted */
    void onFailure(Consumer<String> told) {
        if (file != null) {
            onFailure = told;
        }
    }

    /** Notes an order to a tester; returns whether it may be given. */
    boolean noteOrder(int tester, Message message) {
        boolean noted = note(tester, message);
        if (!noted && !closed) {
            onFailure.accept("The journal of the run cannot be written: " + failure);
        }
        return noted;
    }

    /** Notes what was said by or to a tester; returns whether it is noted. */
    boolean note(int tester, Message message) {
        if (file == null) {
            return true;
        }
        if (closed) {
            return false;
        }
        try {
            file.write(new Frame(tester, clock.nanoTime(), 0, 0, message));
            dirty = true;
            return true;
        } catch (IOException e) {
            failure = String.valueOf(e.getMessage());
            LOG.warn("the journal cannot be written: {}", failure);
            return false;
        }
    }

    /** Makes the notes durable that are there when it is called. From any thread. */
    void force() throws IOException {
        if (file != null && dirty) {
            // First: a note that comes meanwhile is forced the next time.
            dirty = false;
            try {
                file.force();
            } catch (IOException e) {
                dirty = true;
                throw e;
            }
        }
    }

    @Override
    public void close() {
        try {
            closed = true;
            if (file != null) {
                file.close();
            }
        } catch (IOException e) {
            LOG.debug("the journal could not be closed", e);
        }
    }
}
