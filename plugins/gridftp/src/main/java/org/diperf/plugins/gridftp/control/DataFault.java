package org.diperf.plugins.gridftp;

import java.io.IOException;

/** Something wrong with the data of a transfer; the message is a failure's kind. */
final class DataFault extends IOException {

    private static final long serialVersionUID = 1;

    DataFault(String kind) {
        super(kind);
    }
}
