package org.diperf.plugins.lib.gridftp.data;

/** The header of a block in extended block mode (GFD.20, section 3): descriptor, count, offset; 17 bytes. */
public final class ExtendedBlock {

    static final int HEADER_BYTES = 17;
    /** No more data of this transfer on this channel. */
    public static final int END_OF_DATA = 0x08;
    /** The offset tells how many channels send an end of data. */
    public static final int END_OF_FILE = 0x40;

    private ExtendedBlock() {}
}
