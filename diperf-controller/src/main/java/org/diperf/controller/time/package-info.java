/**
 * The time server: answers with the reading of this machine's monotonic clock, by UDP and TCP. Testers compare their clocks with
 * it; the datagrams are {@link org.diperf.core.wire.TimeDatagram}s.
 */
@NullMarked
package org.diperf.controller.time;

import org.jspecify.annotations.NullMarked;
