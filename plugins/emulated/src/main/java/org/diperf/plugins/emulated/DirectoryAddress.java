package org.diperf.plugins.emulated;

/**
 * Where a directory of the network can be queried.
 *
 * @param host name of the host
 * @param port of TCP
 */
record DirectoryAddress(String host, int port) {}
