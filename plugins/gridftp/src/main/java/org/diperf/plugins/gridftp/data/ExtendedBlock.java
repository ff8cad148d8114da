package org.diperf.plugins.gridftp;

/** The header of a block in extended block mode (GFD.20, section 3): descriptor, count, offset; 17 bytes. */
final class ExtendedBlock {

    static final int HEADER_BYTES = 17;
    /** No more data of this transfer on this channel. */
    static final int END_OF_DATA = 0x08;
    /** The offset tells how many channels send an end of data. */
    static final int END_OF_FILE = 0x40;

    private ExtendedBlock() {}
}
