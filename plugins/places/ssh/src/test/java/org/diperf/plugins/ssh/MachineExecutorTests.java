package org.diperf.plugins.ssh;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(20)
class MachineExecutorTests {

    @Test
    void ofWhatAnInterruptedCallerWantedOnlyWhatHasBegunIsDone() throws Exception {
        MachineExecutor pool = new MachineExecutor(1);
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch mayEnd = new CountDownLatch(1);
        List<Integer> done = new CopyOnWriteArrayList<>();
        Thread caller = new Thread(() -> {
            try {
                pool.all(List.of(1, 2, 3), item -> {
                    begun.countDown();
                    await(mayEnd);
                    return done.add(item);
                });
            } catch (InterruptedException e) {
                // as its test wants
            }
        });
        caller.start();
        begun.await();
        caller.interrupt();
        caller.join();
        mayEnd.countDown();
        pool.settle();
        assertThat(done).containsExactly(1);
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
