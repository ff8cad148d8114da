package org.diperf.plugins.lib.gridftp.data;

import io.netty.buffer.ByteBuf;
import org.diperf.plugins.lib.gridftp.control.DataTransferException;

/**
 * The headers of one stream in extended block mode, one block after another, however their bytes come, and where in the file the
 * stream is. Confined to its event loop.
 */
final class BlockHeaders {

    /** Returned where a header does not tell how many channels send an end of data. */
    static final long UNTOLD = -1;

    private static final long MAX_CHANNELS = 1_000_000;

    private final long baseOffset;
    private final long endOffset;
    private int headerBytes;
    private int descriptor;
    private long count;
    private long offset;
    private long left;

    /**
     * @param baseOffset of the first byte that may come
     * @param endOffset of the first byte that may not
     */
    BlockHeaders(long baseOffset, long endOffset) {
        this.baseOffset = baseOffset;
        this.endOffset = endOffset;
    }

    /** Returns whether what comes next is a header, or the rest of one. */
    boolean isExpected() {
        return left == 0 && headerBytes < ExtendedBlock.HEADER_BYTES;
    }

    /** Returns whether a block has begun and is not over. */
    boolean isWithin() {
        return left > 0 || headerBytes > 0;
    }

    /** Takes what there is of a header; returns whether it is whole. */
    boolean read(ByteBuf in) {
        if (headerBytes == 0 && in.readableBytes() >= ExtendedBlock.HEADER_BYTES) {
            descriptor = in.readUnsignedByte();
            count = in.readLong();
            offset = in.readLong();
            headerBytes = ExtendedBlock.HEADER_BYTES;
            return true;
        }
        while (headerBytes < ExtendedBlock.HEADER_BYTES && in.isReadable()) {
            int next = in.readUnsignedByte();
            if (headerBytes == 0) {
                descriptor = next;
                count = 0;
                offset = 0;
            } else if (headerBytes <= Long.BYTES) {
                count = count << 8 | next;
            } else {
                offset = offset << 8 | next;
            }
            headerBytes++;
        }
        return headerBytes == ExtendedBlock.HEADER_BYTES;
    }

    /**
     * Begins the block of a whole header.
     *
     * @param told how many channels send an end of data, as an earlier header told it, or {@link #UNTOLD}
     * @return what this one tells of that
     * @throws DataTransferException when the header is wrong
     */
    long begin(long told) throws DataTransferException {
        long channels = UNTOLD;
        if ((descriptor & ExtendedBlock.END_OF_FILE) != 0) {
            if (offset < 1 || offset > MAX_CHANNELS || told != UNTOLD) {
                throw new DataTransferException("data block with a wrong end of file");
            }
            channels = offset;
            offset = 0;
            if (count != 0) {
                throw new DataTransferException("data block with a wrong length");
            }
        }
        if (count < 0 || (count > 0 && (offset < baseOffset || count > endOffset - offset))) {
            throw new DataTransferException("data block outside the file");
        }
        left = count;
        return channels;
    }

    /** Counts the bytes of the block that has begun. */
    long count() {
        return count;
    }

    /** Counts the bytes of the block that have not come. */
    long left() {
        return left;
    }

    /** Returns where in the file the block's next byte belongs. */
    long offset() {
        return offset;
    }

    /** Moves on by bytes of the block, at most {@link #left}. */
    void skip(long bytes) {
        offset += bytes;
        left -= bytes;
    }

    /** Ends a block of which nothing is left; returns whether it was the stream's last one of its transfer. */
    boolean end() {
        headerBytes = 0;
        return (descriptor & ExtendedBlock.END_OF_DATA) != 0;
    }
}
