/**
 * The iperf client: measures what a path carries, by the protocol of iperf3 over TCP or UDP, and a server of that protocol. A
 * call is a test; the results of both ends are its metrics. Everything of a test is confined to one event loop.
 */
@NullMarked
package org.diperf.plugins.iperf;

import org.jspecify.annotations.NullMarked;
