package org.diperf.controller.collect;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Semaphore;
import org.diperf.core.sample.Block;
import org.diperf.core.sample.CorruptBlockException;

/** A disk that is as slow and as full as its test wants; it notes what it was given. Thread-safe. */
final class FakeDisk implements Disk {

    private final Semaphore mayForce;
    private int room;
    private final List<String> appended = new ArrayList<>();
    private final List<String> durable = new ArrayList<>();

    private FakeDisk(int forces, int room) {
        this.mayForce = new Semaphore(forces);
        this.room = room;
    }

    /** Makes one that is fast and large. */
    static FakeDisk good() {
        return new FakeDisk(Integer.MAX_VALUE / 2, Integer.MAX_VALUE);
    }

    /** Makes one on which nothing becomes durable until {@link #release}. */
    static FakeDisk stuck() {
        return new FakeDisk(0, Integer.MAX_VALUE);
    }

    /** Makes one that is full after so many blocks. */
    static FakeDisk full(int blocks) {
        return new FakeDisk(Integer.MAX_VALUE / 2, blocks);
    }

    /** Makes room again. */
    synchronized void makeRoom() {
        room = Integer.MAX_VALUE;
    }

    void release() {
        mayForce.release(Integer.MAX_VALUE / 2);
    }

    @Override
    public synchronized void append(ByteBuffer block) throws IOException {
        if (appended.size() == room) {
            throw new IOException("No space left on device");
        }
        try {
            Block header = Block.read(block);
            appended.add(header.tester() + "/" + header.number());
        } catch (CorruptBlockException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void force() {
        mayForce.acquireUninterruptibly();
        synchronized (this) {
            durable.clear();
            durable.addAll(appended);
        }
    }

    @Override
    public synchronized void undo() {
        appended.clear();
        appended.addAll(durable);
    }

    /** Lists tester and number of each block that is durable. */
    synchronized List<String> durable() {
        return List.copyOf(durable);
    }

    @Override
    public void close() {
        force();
    }
}
