package org.diperf.core.faults;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.WritableByteChannel;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** A real file, which grows as far as the disk has room. */
final class FaultyChannel extends FileChannel {

    private final FileChannel real;
    private final Path path;
    private final FaultyDisk disk;

    FaultyChannel(FileChannel real, Path path, FaultyDisk disk) {
        this.real = real;
        this.path = path;
        this.disk = disk;
    }

    @Override
    public int write(ByteBuffer from) throws IOException {
        long at = real.position();
        int written = write(from, at);
        real.position(at + written);
        return written;
    }

    @Override
    public int write(ByteBuffer from, long at) throws IOException {
        disk.checkTakesChanges();
        disk.mayWrite(path);
        int inPlace = (int) Math.max(0, Math.min(from.remaining(), real.size() - at));
        int growth = from.remaining() - inPlace;
        // What overwrites is written even where nothing more fits.
        int taken = inPlace > 0 && growth > 0 ? inPlace : inPlace + (growth == 0 ? 0 : disk.take(growth));
        ByteBuffer part = from.slice().limit(taken);
        while (part.hasRemaining()) {
            real.write(part, at + part.position());
        }
        from.position(from.position() + taken);
        disk.written(path);
        return taken;
    }

    @Override
    public long write(ByteBuffer[] from, int offset, int length) throws IOException {
        long written = 0;
        for (int i = offset; i < offset + length; i++) {
            written += write(from[i]);
        }
        return written;
    }

    @Override
    public FileChannel truncate(long size) throws IOException {
        disk.checkTakesChanges();
        real.truncate(size);
        disk.truncated(path, size);
        return this;
    }

    @Override
    public void force(boolean metadata) throws IOException {
        disk.checkTakesChanges();
        disk.forced(path);
    }

    @Override
    public int read(ByteBuffer to) throws IOException {
        return real.read(to);
    }

    @Override
    public long read(ByteBuffer[] to, int offset, int length) throws IOException {
        return real.read(to, offset, length);
    }

    @Override
    public int read(ByteBuffer to, long at) throws IOException {
        return real.read(to, at);
    }

    @Override
    public long position() throws IOException {
        return real.position();
    }

    @Override
    public FileChannel position(long position) throws IOException {
        real.position(position);
        return this;
    }

    @Override
    public long size() throws IOException {
        return real.size();
    }

    @Override
    public long transferTo(long from, long count, WritableByteChannel to) throws IOException {
        return real.transferTo(from, count, to);
    }

    @Override
    public long transferFrom(ReadableByteChannel from, long at, long count) {
        throw new UnsupportedOperationException("Nobody transfers to a faulty disk");
    }

    @Override
    public MappedByteBuffer map(MapMode mode, long from, long size) throws IOException {
        return real.map(mode, from, size);
    }

    @Override
    public FileLock lock(long from, long size, boolean shared) throws IOException {
        return real.lock(from, size, shared);
    }

    @Override
    public @Nullable FileLock tryLock(long from, long size, boolean shared) throws IOException {
        return real.tryLock(from, size, shared);
    }

    @Override
    protected void implCloseChannel() throws IOException {
        disk.closed(this);
        real.close();
    }
}
