package org.diperf.plugins.lib.gridftp.data;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.DefaultFileRegion;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** Where uploaded bytes come from. Confined to an event loop. */
interface Source {

    /** Counts its bytes. */
    long size();

    /**
     * Returns some of them as a channel takes them.
     *
     * @param count at most {@link #BLOCK_BYTES}
     */
    Object part(long offset, int count);

    /** Releases what it holds; parts that are on their way must have gone. */
    void close() throws IOException;

    /** The largest part: the block that the servers send, too. */
    int BLOCK_BYTES = 256 << 10;

    /** Returns zeros, all from the same memory. */
    static Source zeros(long size) {
        return new Source() {
            @Override
            public long size() {
                return size;
            }

            @Override
            public Object part(long offset, int count) {
                return Zeros.MEMORY.slice(0, count);
            }

            @Override
            public void close() {}
        };
    }

    /** Reads a file, which the kernel sends by itself. */
    static Source file(Path path) throws IOException {
        if (Files.isDirectory(path)) {
            throw new FileSystemException(
                    path.toString(), null, "Is a directory"); // the kernel opens it, and reads nothing
        }
        FileChannel file = FileChannel.open(path, StandardOpenOption.READ);
        long size = file.size();
        return new Source() {
            @Override
            public long size() {
                return size;
            }

            @Override
            public Object part(long offset, int count) {
                return new DefaultFileRegion(file, offset, count) {
                    @Override
                    protected void deallocate() {
                        // The file stays open for the other parts.
                    }
                };
            }

            @Override
            public void close() throws IOException {
                file.close();
            }
        };
    }

    /** Memory that is sent again and again. */
    final class Zeros {

        private static final ByteBuf MEMORY =
                Unpooled.unreleasableBuffer(Unpooled.directBuffer(BLOCK_BYTES).writeZero(BLOCK_BYTES));

        private Zeros() {}
    }
}
