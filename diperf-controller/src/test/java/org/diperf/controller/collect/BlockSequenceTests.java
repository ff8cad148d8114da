package org.diperf.controller.collect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.diperf.controller.collect.HandDrivenSession.block;

import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
final class BlockSequenceTests {

    private final HandDrivenSession collector = new HandDrivenSession();
    private final BlockSequence blocks = new BlockSequence(1, collector, collector);

    @Test
    void eachBlockIsKeptOnce() {
        assertThat(blocks.hasAny()).isFalse();
        for (int number : new int[] {1, 2, 1, 2, 3}) {
            assertThat(blocks.take(block(1, number))).isEmpty();
        }
        assertThat(collector.kept).containsExactly(1L, 2L, 3L);
        assertThat(blocks.hasAny()).isTrue();
    }

    @Test
    void allIsDurableWhenTheLastBlockIs() {
        assertThat(blocks.isDurable()).isTrue();
        assertThat(blocks.take(block(1, 1))).isEmpty();
        assertThat(blocks.take(block(1, 2))).isEmpty();
        blocks.durable(1);
        assertThat(blocks.isDurable()).isFalse();
        blocks.durable(2);
        assertThat(blocks.isDurable()).isTrue();
        assertThat(blocks.durable()).isEqualTo(2);
    }

    @Test
    void aMissingBlockIsAFault() {
        assertThat(blocks.take(block(1, 1))).isEmpty();
        assertThat(blocks.take(block(1, 3)))
                .hasValue("sent block 3 after block 1: the blocks between them are missing");
        assertThat(collector.kept).containsExactly(1L);
    }

    @Test
    void afterAResumeAMissingBlockIsAFaultUnlessItWasHeldInMemory() {
        blocks.restore(4);
        assertThat(blocks.durable()).isEqualTo(4);
        assertThat(blocks.take(block(1, 7))).isPresent();
        collector.mayMiss = true;
        assertThat(blocks.take(block(1, 7))).isEmpty();
        assertThat(collector.events.all())
                .first()
                .isEqualTo("log 1 blocks 5 to 6 were in the memory of a controller that was killed, and are lost");
        // Only the first block can show a gap of that kind.
        assertThat(blocks.take(block(1, 9))).isPresent();
        assertThat(collector.kept).containsExactly(7L);
    }

    @Test
    void aBlockOfAnotherTesterOrADamagedOneIsAFault() {
        assertThat(blocks.take(block(2, 1))).hasValue("sent a block that belongs to tester 2");
        ByteBuffer flipped = block(1, 1);
        flipped.put(flipped.limit() - 1, (byte) (flipped.get(flipped.limit() - 1) ^ 1));
        assertThat(blocks.take(flipped))
                .hasValueSatisfying(fault -> assertThat(fault).startsWith("sent an unusable block: "));
        ByteBuffer two =
                ByteBuffer.allocate(1_000).put(block(1, 1)).put(block(1, 2)).flip();
        int length = block(1, 1).remaining();
        assertThat(blocks.take(two))
                .hasValue("sent an unusable block: expected one block of " + length + " bytes, got " + 2 * length);
        assertThat(collector.kept).isEmpty();
    }

    @Test
    void onceNothingCanBeKeptBlocksStayWithTheTester() {
        assertThat(blocks.take(block(1, 1))).isEmpty();
        collector.failed = true;
        assertThat(blocks.take(block(1, 2))).isEmpty();
        assertThat(collector.kept).containsExactly(1L);
        assertThat(blocks.durable()).isZero();
    }
}
