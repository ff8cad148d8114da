package org.diperf.core.wire;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.Set;
import java.util.zip.CRC32C;
import org.diperf.core.folder.OwnerOnlyFiles;

/**
 * Frames in a file, for a process that resumes where another one was killed: a controller's journal, or the spool that a
 * tester leaves. Only its owner can read it. It starts with the eight bytes {@code DIPERFJ1}; then each frame, as on the
 * wire, has the CRC-32C of its bytes after it. What was written survives the process, and after {@link #force} also
 * the machine; an incomplete frame does not. Confined to one thread, but for {@link #force}.
 */
public final class FrameFile implements Closeable {

    private static final byte[] HEADER = "DIPERFJ1".getBytes(StandardCharsets.US_ASCII);
    private static final int CHECKSUM = 4;

    private final FileChannel file;
    /** Where its whole frames end. */
    private long end;

    /** Takes the frames of a file. */
    public interface Visitor {
        /** Takes one. */
        void frame(Frame frame) throws IOException;
    }

    private FrameFile(FileChannel file, long end) {
        this.file = file;
        this.end = end;
    }

    /** Makes a file that does not exist yet. */
    public static FrameFile create(Path path) throws IOException {
        FileChannel file = FileChannel.open(
                path, Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE), OwnerOnlyFiles.FILE);
        FrameFile frames = new FrameFile(file, 0);
        try {
            frames.write(ByteBuffer.wrap(HEADER));
        } catch (IOException e) {
            file.close();
            throw e;
        }
        return frames;
    }

    /** Opens a file to append to it; a frame at its end that was cut off is removed. */
    public static FrameFile append(Path path) throws IOException {
        long end = read(path, frame -> {});
        FileChannel file = FileChannel.open(path, StandardOpenOption.WRITE);
        file.truncate(end);
        file.position(end);
        return new FrameFile(file, end);
    }

    /**
     * Reads a file.
     *
     * @return where its sound frames end
     * @throws WireException when it is no such file
     */
    public static long read(Path path, Visitor visitor) throws IOException {
        try (FileChannel file = FileChannel.open(path, StandardOpenOption.READ)) {
            ByteBuffer header = ByteBuffer.allocate(HEADER.length);
            if (!fill(file, header) || !Arrays.equals(header.array(), HEADER)) {
                throw new WireException(
                        "Expected a frame file that begins with DIPERFJ1, got a different file: " + path);
            }
            long end = HEADER.length;
            ByteBuffer length = ByteBuffer.allocate(Frame.LENGTH_FIELD);
            while (fill(file, length.clear())) {
                int bytes = length.getInt(0);
                if (bytes <= 0 || bytes > Frame.MAX_LENGTH || bytes > file.size() - file.position() - CHECKSUM) {
                    return end;
                }
                ByteBuffer frame = ByteBuffer.allocate(bytes + CHECKSUM);
                if (!fill(file, frame)) {
                    return end;
                }
                frame.flip().limit(bytes);
                CRC32C checksum = new CRC32C();
                checksum.update(frame.duplicate());
                if ((int) checksum.getValue() != frame.duplicate().clear().getInt(bytes)) {
                    return end;
                }
                visitor.frame(Frame.decode(frame));
                end = file.position();
            }
            return end;
        }
    }

    private static boolean fill(FileChannel file, ByteBuffer buffer) throws IOException {
        while (buffer.hasRemaining()) {
            if (file.read(buffer) < 0) {
                return false;
            }
        }
        return true;
    }

    /** Appends a frame; after a failure the file is as before, so that it can be tried again. */
    public void write(Frame frame) throws IOException {
        ByteBuffer bytes = frame.encode();
        CRC32C checksum = new CRC32C();
        checksum.update(bytes.duplicate().position(Frame.LENGTH_FIELD));
        ByteBuffer whole = ByteBuffer.allocate(bytes.remaining() + CHECKSUM);
        whole.put(bytes).putInt((int) checksum.getValue()).flip();
        write(whole);
    }

    private void write(ByteBuffer bytes) throws IOException {
        int length = bytes.remaining();
        try {
            while (bytes.hasRemaining()) {
                file.write(bytes);
            }
        } catch (IOException e) {
            // What follows a part of a frame could not be read.
            file.truncate(end);
            file.position(end);
            throw e;
        }
        end += length;
    }

    /** Makes it durable. From any thread. */
    public void force() throws IOException {
        file.force(true);
    }

    @Override
    public void close() throws IOException {
        file.close();
    }
}
