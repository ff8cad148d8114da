package org.diperf.plugins.monitor;

import java.io.IOException;
import java.util.List;

/** The TCP connections of a machine, each end that is there by itself. Used by one thread. */
interface TcpConnections extends AutoCloseable {

    /** Looks for all that fit, and in which data can be on its way. */
    List<TcpConnection> all(TcpConnection.Choice choice) throws IOException;

    /** Looks at some that are known; those that have gone are left out. */
    List<TcpConnection> of(List<TcpConnection.Id> ids) throws IOException;

    @Override
    void close();
}
