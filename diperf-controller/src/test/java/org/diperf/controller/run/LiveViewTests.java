package org.diperf.controller.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.diperf.core.sample.CallWriter;
import org.diperf.core.sample.TestCall;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class LiveViewTests {

    private static ByteBuffer call(long number) {
        CallWriter writer = new CallWriter(1, 1, 0);
        writer.add(new TestCall(1_000, 0, 1_000));
        ByteBuffer block = ByteBuffer.allocate(writer.maxEncodedLength());
        writer.encode(block, number);
        return block.flip();
    }

    private static void await(BooleanSupplier holds) {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(10);
        while (!holds.getAsBoolean()) {
            assertThat(System.nanoTime()).as("the live view works no more").isLessThan(deadline);
            Thread.onSpinWait();
        }
    }

    private static void awaitOk(LiveView view, long calls) {
        await(() -> view.last(10_000_000_000L, 1).ok() >= calls);
    }

    @Test
    void aBlockThatCannotBeCountedIsPassedOverAndTheNextOneIsLookedAt() {
        try (LiveView view = new LiveView(0)) {
            view.open();
            // A series that cannot place any call.
            view.watch(0, 0, 0);
            view.offer(call(1));
            awaitOk(view, 1);
            view.watch(0, 0, 1_000_000);
            view.offer(call(2));
            awaitOk(view, 2);
            await(() -> view.seenShare() == 0.5);
            assertThat(view.look(1_000_000_000).quanta().get(0).ok()).isEqualTo(1);
        }
    }
}
