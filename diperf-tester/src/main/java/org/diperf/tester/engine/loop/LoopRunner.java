package org.diperf.tester.engine.loop;

import java.util.Optional;
import java.util.concurrent.Executor;
import org.diperf.tester.engine.bounds.ReceiveTimes;
import org.jspecify.annotations.Nullable;

/** What turns a {@link CallLoop}: a thread with its I/O, or a test by hand. {@link #execute} is for any thread. */
public interface LoopRunner extends Executor {

    /** Returns whether the calling thread is the loop's. */
    boolean inLoop();

    /** Says since when what the loop reads can have been there; {@code null}: that is not known of this loop. */
    @Nullable
    ReceiveTimes looks();

    /** Returns the library object behind the loop. */
    <T> Optional<T> unwrap(Class<T> type);
}
