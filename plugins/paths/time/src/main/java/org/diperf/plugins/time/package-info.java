/**
 * The time client: asks a DiPerF time server by UDP, one datagram of 64 bytes there and one back, and waits for the
 * answer. Asynchronous; each client has its own socket.
 */
@NullMarked
package org.diperf.plugins.time;

import org.jspecify.annotations.NullMarked;
