package org.diperf.controller.collect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.diperf.core.clock.ClockRow;
import org.diperf.core.clock.NanoClock;
import org.diperf.core.faults.FaultyDisk;
import org.diperf.core.sample.Block;
import org.diperf.core.sample.SampleReader;
import org.diperf.core.sample.SampleWriter;
import org.diperf.core.wire.Message;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What was held in memory is offered to a disk that fails again and again, and is on it once in the end. */
@Timeout(60)
final class SampleStoreTests {

    private static final long PATIENCE = 600_000_000_000L;
    private static final long BLOCK = HandDrivenSession.block(1, 1).remaining();

    @TempDir
    Path folder;

    private FaultyDisk disk;
    private final List<String> told = new ArrayList<>();
    private Runnable whenItWaits = () -> {};

    @BeforeEach
    void disk() throws Exception {
        disk = new FaultyDisk(Files.createDirectory(folder.resolve("disk")));
    }

    private SampleStore store(long maxFileBytes, long queueBytes) throws Exception {
        return new SampleStore(
                Disk.files(new SampleWriter(disk.root().resolve("samples"), maxFileBytes)),
                disk.root().resolve("clock.csv"),
                false,
                Journal.NONE,
                new SampleStore.Limits(queueBytes, 1 << 20, PATIENCE, 0),
                new SampleStore.Events() {
                    @Override
                    public void durable(Map<Integer, Long> highest) {}

                    @Override
                    public void drained() {}

                    @Override
                    public void overflowed(String reason) {}

                    @Override
                    public void waitsForDisk(String reason) {
                        told.add(reason);
                        whenItWaits.run();
                    }

                    @Override
                    public void failed(String reason) {
                        told.add(reason);
                    }
                });
    }

    private static void hold(SampleStore store, int blocks) throws Exception {
        store.offerClock("1,row");
        for (int number = 1; number <= blocks; number++) {
            store.offer(1, number, HandDrivenSession.block(1, number));
        }
        store.turn();
        assertThat(store.awaitDurable(0)).isFalse();
    }

    private List<Long> kept(Path real) throws Exception {
        List<Long> kept = new ArrayList<>();
        SampleReader.read(real.resolve("samples"), new SampleReader.Visitor() {
            @Override
            public void block(Block header, ByteBuffer data) {
                kept.add(header.number());
            }

            @Override
            public void damaged(Path file, long offset, String reason) {
                told.add(reason);
            }
        });
        return kept;
    }

    @Test
    void rowsThatAreDurableAreNotAppendedAgainWhereTheirBlocksAre() throws Exception {
        try (SampleStore store = store(1 << 20, 1 << 20)) {
            hold(store, 2);
            disk.failForceAfter(1);
            store.turn();
            assertThat(store.awaitDurable(0)).isTrue();
        }
        assertThat(told).containsExactly("Input/output error");
        assertThat(Files.readAllLines(folder.resolve("disk/clock.csv"))).containsExactly(ClockRow.HEADER, "1,row");
        assertThat(kept(folder.resolve("disk"))).containsExactly(1L, 2L);
    }

    @Test
    void rowsThatCouldNotBeForcedAreAppendedOnce() throws Exception {
        try (SampleStore store = store(1 << 20, 1 << 20)) {
            hold(store, 2);
            disk.failForceAfter(0);
            store.turn();
            assertThat(store.awaitDurable(0)).isTrue();
        }
        assertThat(Files.readAllLines(folder.resolve("disk/clock.csv"))).containsExactly(ClockRow.HEADER, "1,row");
        assertThat(kept(folder.resolve("disk"))).containsExactly(1L, 2L);
    }

    @Test
    void blocksOfABatchThatFillsAFileAreThereOnceWhateverTheNextFileCosts() throws Exception {
        long batchBytes = 3 * (BLOCK + 200);
        for (int room = 0; room <= 10 * BLOCK; room += 4) {
            told.clear();
            Path real = Files.createDirectory(folder.resolve("disk-" + room));
            disk = new FaultyDisk(real);
            whenItWaits = disk::makeRoom;
            try (SampleStore store = store(2 * BLOCK, 2 * batchBytes)) {
                hold(store, 8);
                disk.leaveRoom(room);
                while (store.waitingBytes() > 0) {
                    store.turn();
                }
                assertThat(store.awaitDurable(0)).isTrue();
            }
            assertThat(kept(real))
                    .as("with room for " + room + " bytes")
                    .containsExactly(1L, 2L, 3L, 4L, 5L, 6L, 7L, 8L);
            assertThat(SampleReader.files(real.resolve("samples"))).hasSizeGreaterThan(1);
            assertThat(told).allMatch("No space left on device"::equals).hasSizeLessThan(2);
        }
    }

    @Test
    void aJournalThatCouldNotBeForcedIsForcedTheNextTime() throws Exception {
        try (Journal journal = Journal.create(disk.root().resolve("journal"), NanoClock.SYSTEM)) {
            journal.note(1, new Message.Stop(1));
            disk.failForceAfter(0);
            assertThatThrownBy(journal::force).hasMessage("Input/output error");
            List<FaultyDisk.Kind> done = new ArrayList<>();
            disk.tell(event -> done.add(event.kind()));
            journal.force();
            journal.force();
            assertThat(done).containsExactly(FaultyDisk.Kind.FORCE);
        }
    }
}
