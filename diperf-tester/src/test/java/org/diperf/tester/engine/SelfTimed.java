package org.diperf.tester.engine;

import static java.util.Objects.requireNonNull;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.diperf.core.spi.BlockingClient;
import org.diperf.core.spi.Call;
import org.diperf.core.spi.Context;
import org.diperf.core.spi.Recorder;
import org.jspecify.annotations.Nullable;

/** Times its calls itself: reports one, then waits for its end or ends early. Counts how often it was invoked. */
final class SelfTimed implements BlockingClient {

    private final AtomicInteger invoked;
    private final @Nullable String failure;
    private final boolean early;
    private @Nullable Recorder recorder;

    /** @param failure of the call that it reports */
    SelfTimed(AtomicInteger invoked, @Nullable String failure, boolean early) {
        this.invoked = invoked;
        this.failure = failure;
        this.early = early;
    }

    @Override
    public void open(Context context) {
        recorder = context.recorder();
    }

    @Override
    public boolean selfTimed() {
        return true;
    }

    @Override
    public void call(Call call) throws InterruptedException {
        invoked.incrementAndGet();
        requireNonNull(recorder, "open sets it").call(1, 2, 3, failure);
        if (!early) {
            new CountDownLatch(1).await();
        }
    }
}
