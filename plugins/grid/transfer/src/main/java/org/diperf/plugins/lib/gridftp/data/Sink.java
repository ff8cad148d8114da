package org.diperf.plugins.lib.gridftp.data;

import io.netty.buffer.ByteBuf;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** Where downloaded bytes go. Confined to an event loop; a file is written through the page cache, which seldom waits. */
interface Sink {

    /** Takes bytes from a buffer, which moves on by them. */
    void write(ByteBuf in, int count, long offset) throws IOException;

    /** Releases what it holds. */
    void close() throws IOException;

    /** Forgets everything, without a copy. */
    Sink DISCARD = new Sink() {
        @Override
        public void write(ByteBuf in, int count, long offset) {
            in.skipBytes(count);
        }

        @Override
        public void close() {}
    };

    /** Overwrites a file. */
    static Sink file(Path path) throws IOException {
        return of(FileChannel.open(
                path, StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.TRUNCATE_EXISTING));
    }

    /** Writes what a file of which a part is there lacks. */
    static Sink rest(Path path) throws IOException {
        return of(FileChannel.open(path, StandardOpenOption.CREATE, StandardOpenOption.WRITE));
    }

    private static Sink of(FileChannel file) {
        return new Sink() {
            @Override
            public void write(ByteBuf in, int count, long offset) throws IOException {
                long at = offset;
                for (ByteBuffer part : in.nioBuffers(in.readerIndex(), count)) {
                    while (part.hasRemaining()) {
                        at += file.write(part, at);
                    }
                }
                in.skipBytes(count);
            }

            @Override
            public void close() throws IOException {
                file.close();
            }
        };
    }
}
