package org.diperf.plugins.lib.gridftp.control;

import java.io.IOException;

/** Something wrong with the data of a transfer; the message is a failure's kind. */
public final class DataTransferException extends IOException {

    private static final long serialVersionUID = 1;

    public DataTransferException(String kind) {
        super(kind);
    }
}
